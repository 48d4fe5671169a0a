//! A scanner for braces, comments and quotes, line by line.

use std::ops::Range;

use super::long_text::LongText;
use super::newline::begins_with_newline;

/// Texts and comments beyond this length, in bytes, are recorded, as are all of several lines.
const LONG: usize = 256;

/// What is open at a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// Comments, with their nesting depth.
    Comment(usize),
    /// A text of several lines, with the number of `#` around it (`None` if it is not raw).
    Text(Option<usize>),
}

/// The state of the scanner.
pub(crate) struct Scanner {
    open: Open,
    /// Where the open comment or text began.
    opened: usize,
    /// The number of open braces.
    pub(crate) depth: usize,
    /// Whether the last line ended with `\` or `/-`, which continue here.
    goes_on: bool,
    in_word: bool,
    /// Positions after a `}` where a `;` is missing.
    pub(crate) joined: Vec<usize>,
    /// Texts that are long or have several lines.
    pub(crate) texts: Vec<LongText>,
    /// Long comments.
    pub(crate) comments: Vec<Range<usize>>,
    /// Top-level pairs of braces.
    pub(crate) braces: Vec<Range<usize>>,
    /// Positions of `;` outside of braces.
    pub(crate) ends: Vec<usize>,
    /// The number of words outside of texts and comments, and their length including the characters between.
    pub(crate) words: usize,
    pub(crate) code: usize,
}

impl Scanner {
    pub(crate) fn new() -> Self {
        Self {
            open: Open::Nothing,
            opened: 0,
            depth: 0,
            goes_on: false,
            in_word: false,
            joined: Vec::new(),
            texts: Vec::new(),
            comments: Vec::new(),
            braces: Vec::new(),
            ends: Vec::new(),
            words: 0,
            code: 0,
        }
    }

    /// Whether a node can end here, braces aside.
    pub(crate) fn is_between(&self) -> bool {
        self.open == Open::Nothing && !self.goes_on
    }

    /// The start of a comment or text that is still open.
    pub(crate) fn opened(&self) -> Option<usize> {
        (self.open != Open::Nothing).then_some(self.opened)
    }

    /// Scans a line, including its end, at position `start`.
    pub(crate) fn read(&mut self, line: &[u8], start: usize) {
        let mut at = 0;
        if self.open == Open::Nothing {
            self.goes_on = false;
        }
        while at < line.len() {
            let rest = &line[at..];
            match self.open {
                Open::Comment(depth) => {
                    let (open, length) = match rest {
                        [b'*', b'/', ..] if depth == 1 => (Open::Nothing, 2),
                        [b'*', b'/', ..] => (Open::Comment(depth - 1), 2),
                        [b'/', b'*', ..] => (Open::Comment(depth + 1), 2),
                        _ => (self.open, 1),
                    };
                    self.open = open;
                    at += length;
                    let comment = self.opened..start + at;
                    if open == Open::Nothing && comment.len() > LONG {
                        self.comments.push(comment);
                    }
                }
                Open::Text(hashes) => {
                    let closes = rest.starts_with(b"\"\"\"") && closed_by(&rest[3..], hashes.unwrap_or(0));
                    at += match rest {
                        _ if closes => 3 + hashes.unwrap_or(0),
                        [b'\\', _, ..] if hashes.is_none() => 2,
                        _ => 1,
                    };
                    if closes {
                        self.open = Open::Nothing;
                        self.texts.push(LongText { span: self.opened..start + at, hashes, of_lines: true });
                    }
                }
                Open::Nothing => at += self.code(rest, start + at),
            }
        }
    }

    /// Scans code outside of comments and texts; returns its length.
    fn code(&mut self, rest: &[u8], at: usize) -> usize {
        if begins_with_newline(rest) {
            self.in_word = false;
            return rest.len();
        }
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        let is_word = !matches!(rest[0], b';' | b'{' | b'}' | b'=') && !rest[0].is_ascii_whitespace();
        self.words += usize::from(is_word && !self.in_word);
        self.code += usize::from(!rest[0].is_ascii_whitespace());
        self.in_word = is_word;
        let (goes_on, length) = match &rest[hashes..] {
            [b'"', b'"', b'"', ..] => {
                (self.open, self.opened) = (Open::Text((hashes > 0).then_some(hashes)), at);
                (false, hashes + 3)
            }
            [b'"', text @ ..] => {
                let (length, is_closed) = line_text(text, hashes);
                let span = at..at + hashes + 1 + length;
                if is_closed && span.len() > LONG {
                    let hashes = (hashes > 0).then_some(hashes);
                    self.texts.push(LongText { span: span.clone(), hashes, of_lines: false });
                } else {
                    self.code += span.len();
                }
                (false, span.len())
            }
            _ if hashes > 0 => (false, hashes),
            [b'/', b'*', ..] => {
                (self.open, self.opened) = (Open::Comment(1), at);
                return 2;
            }
            [b'/', b'/', ..] => {
                if rest.len() > LONG {
                    let end = (2..rest.len()).find(|end| begins_with_newline(&rest[*end..])).unwrap_or(rest.len());
                    self.comments.push(at..at + end);
                }
                return rest.len();
            }
            [b'/', b'-', ..] => (true, 2),
            [b'\\', ..] => (true, 1),
            [byte, ..] if byte.is_ascii_whitespace() => return 1,
            [b'{', ..] => {
                if self.depth == 0 {
                    self.braces.push(at..at);
                }
                self.depth += 1;
                (false, 1)
            }
            [b'}', after @ ..] => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0
                    && let Some(open) = self.braces.last_mut()
                {
                    open.end = at + 1;
                }
                let spaces = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                let goes_on = |next: &u8| !matches!(next, b';' | b'}' | b'/' | b'\\');
                if after.get(spaces).is_some_and(goes_on) && !begins_with_newline(&after[spaces..]) {
                    self.joined.push(at + 1 + spaces);
                }
                (false, 1)
            }
            [b';', ..] if self.depth == 0 => {
                self.ends.push(at + 1);
                (false, 1)
            }
            _ => (false, 1),
        };
        self.goes_on = goes_on;
        length
    }
}

/// The length of a text on its line including the closing quote, and whether it is closed.
fn line_text(text: &[u8], hashes: usize) -> (usize, bool) {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' if closed_by(&text[at + 1..], hashes) => return (at + 1 + hashes, true),
            b'\\' if hashes == 0 => at += 2,
            _ => at += 1,
        }
    }
    (text.len(), false)
}

fn closed_by(rest: &[u8], hashes: usize) -> bool {
    rest.len() >= hashes && rest[..hashes].iter().all(|byte| *byte == b'#')
}
