//! Odds of an unfinished book are marked as such: first in a text, at the end of a JSON object.

use gamebook::{Draft, Series};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::{self, Failure};

/// An answer as text; that of a draft begins with a warning.
pub fn marked(draft: Draft, text: &str) -> String {
    draft.warning().map_or_else(|| text.into(), |warning| format!("{warning}\n{text}"))
}

/// Prints an answer as text.
pub fn print(draft: Draft, text: &str) -> Result<(), Failure> {
    output::print(&marked(draft, text))
}

/// A warning about the unfinished books of a series.
pub fn of_series(series: &Series) -> Option<String> {
    let unfinished = series.books.iter().filter(|own| own.book.draft.is_unfinished());
    let parts: Vec<String> = unfinished.map(|own| format!("{} in {}", own.book.draft, own.name)).collect();
    (!parts.is_empty()).then(|| format!("draft: {}; these odds are not the series'", parts.join(", ")))
}

/// An answer with the fields of a draft.
#[derive(Serialize)]
pub struct Marked<'a, T> {
    #[serde(flatten)]
    answer: &'a T,
    #[serde(flatten)]
    draft: Map<String, Value>,
}

impl<'a, T: Serialize> Marked<'a, T> {
    pub fn new(draft: Draft, answer: &'a T) -> Self {
        Self { answer, draft: draft.fields() }
    }
}

/// Prints an answer as JSON.
pub fn print_json<T: Serialize>(draft: Draft, answer: &T) -> Result<(), Failure> {
    output::print_json(&Marked::new(draft, answer))
}
