//! A text that is open in an editor, and places in it: editors count lines from 0, and columns in units of UTF-16. A line
//! ends at a line feed, at a carriage return, or at both together.

use std::ops::Range as Bytes;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamebook::Lines;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

/// A longer text is not kept.
const LONGEST: usize = 64 << 20;

/// An open text.
pub struct Document {
    pub text: Arc<Text>,
    pub version: i32,
    /// Set when what is being found out about it is of no more use.
    pub outdated: Arc<AtomicBool>,
}

/// A text with its lines.
pub struct Text {
    pub text: String,
    lines: Lines,
}

impl Text {
    /// A text; `None` where it is too long.
    pub fn new(text: String) -> Option<Self> {
        (text.len() <= LONGEST).then(|| Self { lines: Lines::new(&text), text })
    }

    /// The text after changes, one after another; `None` where it is too long.
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

    /// The byte at a position; beyond the end of a line, or of the text, that end.
    pub fn byte(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).ok().and_then(|line| line.checked_add(1));
        let Some(range) = line.map(|line| self.lines.range(&self.text, line)) else { return self.text.len() };
        let own = &self.text[range.clone()];
        let mut left = position.character as usize;
        for (at, c) in own.char_indices() {
            // The middle of a character is its beginning.
            if left < c.len_utf16() {
                return range.start + at;
            }
            left -= c.len_utf16();
        }
        range.start + own.len()
    }

    /// The position of a byte, or of the character in which it lies.
    pub fn position(&self, at: usize) -> Position {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        let line = self.lines.line(at);
        let own = self.lines.range(&self.text, line);
        // What ends a line is no column of it.
        let column = self.text[own.start..at.min(own.end)].encode_utf16().count();
        let small = |number: usize| u32::try_from(number).expect("a text is no longer than `LONGEST`");
        Position { line: small(line - 1), character: small(column) }
    }

    /// The range of some bytes; what goes on for lines is marked in its first.
    pub fn range(&self, bytes: &Bytes<usize>) -> Range {
        let line = self.lines.range(&self.text, self.lines.line(bytes.start.min(self.text.len())));
        let end = bytes.end.min(line.end).max(bytes.start);
        Range { start: self.position(bytes.start), end: self.position(end) }
    }
}

/// The file of a text, if it has one.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    // Of another machine's files nothing is known here.
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
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = Text::new("a\u{e9}\u{1f409}b\r\n\u{1f409}\nend".into()).unwrap();
        // a, e with an accent (two bytes), a dragon (four bytes, two units), b.
        for (byte, position) in
            [(0, at(0, 0)), (1, at(0, 1)), (3, at(0, 2)), (7, at(0, 4)), (8, at(0, 5)), (10, at(1, 0))]
        {
            assert_eq!((text.byte(position), text.position(byte)), (byte, position));
        }
        // Within a character, beyond a line, beyond the text.
        assert_eq!(text.byte(at(0, 3)), 3);
        assert_eq!(text.byte(at(0, 99)), 8);
        assert_eq!(text.byte(at(1, 2)), 14);
        assert_eq!(text.byte(at(2, u32::MAX)), 18);
        assert_eq!(text.byte(at(u32::MAX, u32::MAX)), 18);
        assert_eq!((text.position(2), text.position(999)), (at(0, 1), at(2, 3)));
        assert_eq!(text.range(&(1..14)), Range { start: at(0, 1), end: at(0, 5) });
    }

    #[test]
    fn a_line_ends_at_a_carriage_return_too() {
        let text = Text::new("\u{1f409}a\rb\r\r\n\u{e9}\n\rend\r".into()).unwrap();
        let places = [
            (0, at(0, 0)),
            (4, at(0, 2)),
            (5, at(0, 3)),
            (6, at(1, 0)),
            (7, at(1, 1)),
            (8, at(2, 0)),
            (10, at(3, 0)),
            (12, at(3, 1)),
            (13, at(4, 0)),
            (14, at(5, 0)),
            (17, at(5, 3)),
            (18, at(6, 0)),
        ];
        for (byte, position) in places {
            assert_eq!((text.byte(position), text.position(byte)), (byte, position));
        }
        // Between the two signs of one end, beyond a line, on an empty one.
        assert_eq!((text.position(9), text.byte(at(2, 7)), text.byte(at(0, 9))), (at(2, 0), 8, 5));
        assert_eq!(text.range(&(4..12)), Range { start: at(0, 2), end: at(0, 3) });
        let change = TextDocumentContentChangeEvent {
            range: Some(Range { start: at(1, 0), end: at(3, 0) }),
            range_length: None,
            text: "x\r".into(),
        };
        assert_eq!(text.changed(vec![change]).unwrap().text, "\u{1f409}a\rx\r\u{e9}\n\rend\r");
    }

    #[test]
    fn changes_one_after_another() {
        let text = Text::new("section 1\nsection 2".into()).unwrap();
        let change = |range: Option<Range>, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.into(),
        };
        let here = |line, from, to| Some(Range { start: at(line, from), end: at(line, to) });
        let changes =
            vec![change(here(0, 8, 9), "\u{1f409}"), change(here(0, 10, 10), "!"), change(here(9, 0, 0), ".")];
        assert_eq!(text.changed(changes).unwrap().text, "section \u{1f409}!\nsection 2.");
        let backwards = Some(Range { start: at(1, 3), end: at(0, 0) });
        assert_eq!(text.changed(vec![change(backwards, "x")]).unwrap().text, "section 1\nsecxtion 2");
        assert_eq!(text.changed(vec![change(None, "new"), change(here(0, 3, 3), "er")]).unwrap().text, "newer");
        assert!(text.changed(vec![change(None, &" ".repeat(LONGEST + 1))]).is_none());
    }

    #[test]
    fn paths_of_files() {
        let path = |uri: &str| path(&uri.parse().unwrap()).map(|path| path.display().to_string());
        assert_eq!(path("file:///books/my%20book%C3%A9.kdl").as_deref(), Some("/books/my booké.kdl"));
        assert_eq!(path("file:///c%3A/books/a.kdl").as_deref(), Some("c:/books/a.kdl"));
        assert_eq!(path("file://localhost/a.kdl").as_deref(), Some("/a.kdl"));
        assert_eq!((path("file://elsewhere/a.kdl"), path("untitled:book")), (None, None));
        assert_eq!(path("file:///%FF"), None);
    }
}
