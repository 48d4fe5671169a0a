//! Positions and plays from JSON files.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::output::{self, Failure};

/// Reads a JSON file. An error says where it is, and suggests a correction.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path, right: &str) -> Result<T, Failure> {
    serde_json::from_str(&output::read_text(path)?).map_err(|error| {
        Failure::bad_input(format_args!("{}: {}", output::name_of(path), shortened(&error.to_string())), right)
    })
}

/// An error message that quotes its input, without control characters and shortened in the middle; the position at its end is
/// kept.
fn shortened(message: &str) -> String {
    const MOST: usize = 400;
    let shown: Vec<char> = message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() <= MOST {
        return shown.into_iter().collect();
    }
    let (head, tail) = (&shown[..MOST / 2], &shown[shown.len() - MOST / 2..]);
    head.iter().chain(&[' ', '…', ' ']).chain(tail).collect()
}

#[cfg(test)]
mod tests;
