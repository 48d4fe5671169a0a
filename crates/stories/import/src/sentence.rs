//! Sentences that are plain enough to be understood without a person: nothing is guessed.

use std::sync::LazyLock;

use regex::Regex;

use self::patterns::pattern;

mod choice;
mod facts;
mod patterns;
mod series;
mod ways;
mod words;

pub(crate) use choice::{Way, When};
pub(crate) use facts::{Fact, Modifier, facts};
pub(crate) use series::immune_to;
pub(crate) use ways::way;
pub(crate) use words::{excerpt, slug};

/// The sentences of a text.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    static END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!?\u{2026}]['\x22)]* "));
    let mut found = Vec::new();
    let mut start = 0;
    for end in END.find_iter(text) {
        found.push(text[start..end.end()].trim());
        start = end.end();
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}
