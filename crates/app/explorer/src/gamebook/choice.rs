//! An answer to a question of a book, with its worth.

use gamebook::{Advice, SectionNumber};
use mdp::Number;
use serde::Serialize;

/// An answer to a question of the book.
#[derive(Serialize)]
pub struct ChoiceJson {
    label: String,
    section: Option<SectionNumber>,
    win: Option<Number>,
    best: bool,
    /// `first`, `equal`, `leads-back` or `worse`: how it stands beside the one that best play gives.
    standing: &'static str,
}

impl From<Advice> for ChoiceJson {
    fn from(advice: Advice) -> Self {
        Self {
            win: advice.win.as_ref().map(Number::from),
            label: advice.label,
            section: advice.section,
            best: advice.best,
            standing: advice.standing.name(),
        }
    }
}
