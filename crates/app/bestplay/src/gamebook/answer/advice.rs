//! Answers to a question of a book, as they are listed.

use gamebook::{Advice, Book};
use mdp::{Number, Standing};
use serde::Serialize;
use serde_json::Value;

use crate::gamebook::input::book_file::section_json;
use crate::numbers::percents_of;

/// The worth of answers side by side; unknown where the solution did not need to explore one.
pub fn win_texts<'a>(answers: impl IntoIterator<Item = &'a Advice>) -> Vec<String> {
    percents_of(&answers.into_iter().map(|answer| answer.win.as_ref()).collect::<Vec<_>>())
}

/// The label of an answer, what it makes room for, the section to which it leads, and its standing if the worth alone does not
/// show it.
pub fn answer_text(book: &Book, answer: &Advice) -> String {
    let label = match &answer.then {
        Some(then) => format!("{then} ({})", answer.label),
        None => answer.label.clone(),
    };
    let text = with_target(&label, answer.section.map(|section| book.section_text(section)));
    match answer.standing.note() {
        Some(note) => format!("{text}  [{note}]"),
        None => text,
    }
}

/// The star of optimal play's answer.
pub fn star(answer: &Advice) -> char {
    if answer.standing == Standing::First { '*' } else { ' ' }
}

/// A label with the section to which it leads.
pub fn with_target(label: &str, section: Option<String>) -> String {
    match section {
        Some(section) => format!("{label} (to {section})"),
        None => label.to_string(),
    }
}

/// An answer to a question.
#[derive(Serialize)]
pub struct ChoiceJson {
    label: String,
    then: Option<String>,
    section: Option<Value>,
    win: Option<Number>,
    /// Whether no other answer is better.
    best: bool,
    /// `first`: optimal play gives it; `equal`: always giving it here wins as often; `leads-back`: no worse, but always giving
    /// it here returns for ever; `worse`.
    standing: &'static str,
}

impl ChoiceJson {
    /// An answer of a book.
    pub fn new(book: &Book, answer: &Advice) -> Self {
        Self {
            label: answer.label.clone(),
            then: answer.then.clone(),
            section: answer.section.map(|section| section_json(book, section)),
            win: answer.win.as_ref().map(Number::from),
            best: answer.best,
            standing: answer.standing.name(),
        }
    }
}
