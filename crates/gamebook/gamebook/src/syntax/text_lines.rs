//! Line starts of a text, as editors count them: after a line feed, a carriage return, or both.

use std::ops::Range;

/// The lines of a text, for fast lookups.
///
/// ```
/// let text = "section 1\nsection 2";
/// let lines = gamebook::Lines::new(text);
/// assert_eq!((lines.line(9), lines.position(text, 18)), (1, (2, 9)));
/// assert_eq!(&text[lines.range(text, 2)], "section 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The start of each line.
    begins: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        Self { begins: std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect() }
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.begins.partition_point(|begin| *begin <= at)
    }

    /// The line and column of a byte, both from 1, the column in characters; within a character, those of its start.
    pub fn position(&self, text: &str, at: usize) -> (usize, usize) {
        let at = text.floor_char_boundary(at);
        let line = self.line(at);
        (line, text[self.begins[line - 1]..at].chars().count() + 1)
    }

    /// The bytes of a line, from 1, without its end; empty for lines that do not exist.
    pub fn range(&self, text: &str, line: usize) -> Range<usize> {
        let begin = |line: usize| self.begins.get(line).copied();
        let end = begin(line).map_or(text.len(), |next| next - if text[..next].ends_with("\r\n") { 2 } else { 1 });
        begin(line.saturating_sub(1)).unwrap_or(end)..end
    }
}
