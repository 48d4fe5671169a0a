//! Odds of a book that is not finished are told as such: first in a text, at the end of an object of JSON.

use gamebook::{Draft, Series};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::{self, Failure};

/// An answer for people; that of a draft says first that it is one.
pub fn marked(draft: Draft, text: &str) -> String {
    draft.warning().map_or_else(|| text.into(), |said| format!("{said}\n{text}"))
}

/// Prints an answer for people.
pub fn print(draft: Draft, text: &str) -> Result<(), Failure> {
    output::print(&marked(draft, text))
}

/// What is left to do in the books of a series, and in which.
pub fn of_series(series: &Series) -> Option<String> {
    let unfinished = series.books.iter().filter(|own| own.book.draft.is_unfinished());
    let parts: Vec<String> = unfinished.map(|own| format!("{} in {}", own.book.draft, own.name)).collect();
    (!parts.is_empty()).then(|| format!("draft: {}; these odds are not the series'", parts.join(", ")))
}

/// An answer with what is said of a draft.
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
