//! A position in a text given as an argument.

use crate::shown::in_place;

/// The most characters shown before and after the position.
const SHOWN: usize = 60;

/// The text, and below it a caret at the column, in characters from 1.
pub fn pointed(text: &str, column: usize) -> String {
    let text: Vec<char> = in_place(text).replace(['\n', '\t'], " ").chars().collect();
    let place = column.saturating_sub(1).min(text.len());
    let begin = place.saturating_sub(SHOWN);
    let end = text.len().min(place + SHOWN);
    let (before, behind) = (if begin > 0 { "..." } else { "" }, if end < text.len() { "..." } else { "" });
    let shown: String = text[begin..end].iter().collect();
    format!("    {before}{shown}{behind}\n    {}^", " ".repeat(before.len() + place - begin))
}

#[cfg(test)]
mod tests;
