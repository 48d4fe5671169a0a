//! A text that is open in an editor. Editors count lines from 0, and columns in units of UTF-16. A line ends at a line feed, a
//! carriage return, or both together.

use std::ops::Range as Bytes;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamebook::Lines;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

/// Longer texts are not kept.
const LONGEST: usize = 64 << 20;

/// An open text.
pub struct Document {
    pub text: Arc<Text>,
    pub version: i32,
    /// Set when computations about it are no longer needed.
    pub outdated: Arc<AtomicBool>,
}

/// A text with its lines.
pub struct Text {
    pub text: String,
    lines: Lines,
}

impl Text {
    /// A text; `None` if it is too long.
    pub fn new(text: String) -> Option<Self> {
        (text.len() <= LONGEST).then(|| Self { lines: Lines::new(&text), text })
    }

    /// The text after some changes; `None` if it is too long.
    pub fn changed(&self, changes: Vec<TextDocumentContentChangeEvent>) -> Option<Self> {
        let mut own = Self { text: self.text.clone(), lines: self.lines.clone() };
        for change in changes {
            own = match change.range {
                None => Self::new(change.text)?,
                Some(range) => {
                    let (start, end) = (own.byte(range.start), own.byte(range.end));
                    own.text.replace_range(start..end.max(start), &change.text);
                    Self::new(own.text)?
                }
            };
        }
        Some(own)
    }

    /// The byte at a position; clamped to the end of the line and of the text.
    pub fn byte(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).ok().and_then(|line| line.checked_add(1));
        let Some(range) = line.map(|line| self.lines.range(&self.text, line)) else { return self.text.len() };
        let own = &self.text[range.clone()];
        let mut left = position.character as usize;
        for (at, c) in own.char_indices() {
            // The middle of a character counts as its beginning.
            if left < c.len_utf16() {
                return range.start + at;
            }
            left -= c.len_utf16();
        }
        range.start + own.len()
    }

    /// The position of a byte, or of the character that contains it.
    pub fn position(&self, at: usize) -> Position {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        let line = self.lines.line(at);
        let own = self.lines.range(&self.text, line);
        // Line ends have no columns.
        let column = self.text[own.start..at.min(own.end)].encode_utf16().count();
        let small = |number: usize| u32::try_from(number).expect("a text is no longer than `LONGEST`");
        Position { line: small(line - 1), character: small(column) }
    }

    /// The range of some bytes; a range of several lines is marked in its first.
    pub fn range(&self, bytes: &Bytes<usize>) -> Range {
        let line = self.lines.range(&self.text, self.lines.line(bytes.start.min(self.text.len())));
        let end = bytes.end.min(line.end).max(bytes.start);
        Range { start: self.position(bytes.start), end: self.position(end) }
    }
}

/// The file of a text, if it has one.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    // Files of other machines are not accessible.
    let path =
        path.find('/').filter(|at| *at == 0 || path[..*at].eq_ignore_ascii_case("localhost")).map(|at| &path[at..])?;
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| *byte == b'%') {
            Some(own) => {
                decoded.push(own);
                rest = &after[2..];
            }
            None => {
                decoded.push(*byte);
                rest = after;
            }
        }
    }
    let path = String::from_utf8(decoded).ok()?;
    // `/C:/books` on Windows.
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path }))
}

#[cfg(test)]
mod tests;
