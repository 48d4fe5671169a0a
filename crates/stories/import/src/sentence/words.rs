//! Numbers, names and excerpts: the words of a sentence.

use super::patterns::{LABEL_HEAD, RULES};

/// More words than this of a book are never written in a row.
pub(crate) const MOST_WORDS: usize = 8;

/// A number in digits or in a word.
pub(super) fn count(word: &str) -> Option<i32> {
    word.parse().ok().or_else(|| ordinal(word).and_then(|number| i32::try_from(number).ok()))
}

pub(super) fn ordinal(word: &str) -> Option<u32> {
    const WORDS: [[&str; 2]; 10] = [
        ["one", "first"],
        ["two", "second"],
        ["three", "third"],
        ["four", "fourth"],
        ["five", "fifth"],
        ["six", "sixth"],
        ["seven", "seventh"],
        ["eight", "eighth"],
        ["nine", "ninth"],
        ["ten", "tenth"],
    ];
    let word = word.to_ascii_lowercase();
    let place = WORDS.iter().position(|names| names.contains(&word.as_str()));
    word.parse().ok().or_else(|| place.and_then(|place| u32::try_from(place + 1).ok()))
}

/// A name as our language writes it: `Vordak Gem` is `vordak-gem`.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.replace('\'', "").chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_matches('-').chars().take(60).collect()
}

/// A few words of a choice's sentence.
pub(super) fn label(sentence: &str) -> String {
    let rest = LABEL_HEAD.replace(sentence, "");
    let words: Vec<&str> = rest.split_whitespace().take(MOST_WORDS).collect();
    words.join(" ").trim_end_matches(['.', ',', ';', ':', '?', '!']).to_string()
}

/// The words around what speaks of rules in a sentence, few enough.
pub(crate) fn excerpt(sentence: &str) -> String {
    let at = RULES.find(sentence).map_or(0, |found| found.start());
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let before = sentence[..at].split_whitespace().count();
    let start = before.saturating_sub(MOST_WORDS / 2).min(words.len().saturating_sub(MOST_WORDS));
    let end = (start + MOST_WORDS).min(words.len());
    words[start..end].join(" ")
}

#[cfg(test)]
mod tests;
