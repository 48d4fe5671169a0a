//! Lines of a text and their parts, with their places.

use std::ops::Range;

/// A line of a text without the white space around it.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    pub text: &'t str,
    /// Its place in the whole text, in bytes.
    pub start: usize,
}

impl<'t> Line<'t> {
    /// The lines of a text from `start` on, empty ones too.
    pub fn all(text: &'t str, start: usize) -> Vec<Self> {
        Self { text: &text[start..], start }.split('\n')
    }

    /// The parts between separators, without the white space around them.
    pub fn split(self, separator: char) -> Vec<Self> {
        let mut at = self.start;
        self.text
            .split(separator)
            .map(|part| {
                let start = at + (part.len() - part.trim_start().len());
                at += part.len() + separator.len_utf8();
                Self { text: part.trim(), start }
            })
            .collect()
    }

    /// The part before and the part after the first separator.
    pub fn split_once(self, separator: impl Fn(char) -> bool) -> Option<(Self, Self)> {
        let at = self.text.find(&separator)?;
        let after = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
        let trimmed = self.text[after..].trim_start();
        let start = self.start + self.text.len() - trimmed.len();
        Some((Self { text: self.text[..at].trim_end(), start: self.start }, Self { text: trimmed, start }))
    }

    pub fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}
