//! The answers to a question of a book, as they are told wherever they are listed.

use gamebook::{Advice, Book};
use mdp::{Number, Standing};
use serde::Serialize;
use serde_json::Value;

use crate::gamebook::input::book_file::section_json;
use crate::numbers::percents_of;

/// What answers are worth, side by side: not known where the solution did not need to look at what follows one.
pub fn win_texts<'a>(answers: impl IntoIterator<Item = &'a Advice>) -> Vec<String> {
    percents_of(&answers.into_iter().map(|answer| answer.win.as_ref()).collect::<Vec<_>>())
}

/// An answer of a book: what it is given for, if it only makes way for something, the section to which it leads, and how it
/// stands where its worth alone does not say.
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

/// The star of the answer that best play gives.
pub fn star(answer: &Advice) -> char {
    if answer.standing == Standing::First { '*' } else { ' ' }
}

/// An answer with the section to which it leads.
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
    /// No other answer is better.
    best: bool,
    /// `first`: best play gives it; `equal`: who always gives it here wins as often; `leads-back`: no worse, but who always gives
    /// it here comes back again and again; `worse`.
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
