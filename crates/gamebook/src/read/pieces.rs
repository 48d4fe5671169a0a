//! A book's text cut into pieces that are read one by one: each line that stands outside of all braces, with
//! what is in the braces that it opens. So a slip in one section leaves the others readable, and no text is
//! too wrong for the parser.

use std::ops::Range;

use super::heads::begins;

/// How a text is cut.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    /// The pieces that say something.
    pub(super) parts: Vec<Range<usize>>,
    /// Where a comment or a text of several lines begins that is never closed; what follows is in no piece.
    pub(super) never_closed: Option<usize>,
    /// Where something follows a `}` on its line that does not belong there without a `;` before it.
    pub(super) joined: Vec<usize>,
}

/// What is open at a place of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// Comments within each other.
    Comment(usize),
    /// A text of several lines, with so many `#` around it (`None`: not a raw one).
    Text(Option<usize>),
}

/// Cuts a text. A word of a book's head at the beginning of a line begins a piece even where braces are open:
/// one was forgotten.
pub(super) fn pieces(text: &str) -> Pieces {
    let mut found = Pieces::default();
    let mut line = Line { open: Open::Nothing, opened: 0, depth: 0, goes_on: false, joined: Vec::new() };
    let (mut begin, mut at) = (0, 0);
    for own in text.split_inclusive('\n') {
        if line.open == Open::Nothing && !line.goes_on && (line.depth == 0 || begins(own)) {
            found.push(text, begin..at);
            begin = at;
            line.depth = 0;
        }
        line.read(own.as_bytes(), at);
        at += own.len();
    }
    found.joined = line.joined;
    if line.open == Open::Nothing {
        found.push(text, begin..at);
    } else {
        found.never_closed = Some(line.opened);
    }
    found
}

impl Pieces {
    fn push(&mut self, text: &str, piece: Range<usize>) {
        if !text[piece.clone()].trim().is_empty() {
            self.parts.push(piece);
        }
    }
}

/// What is known at the beginning of a line.
struct Line {
    open: Open,
    /// Where it was opened.
    opened: usize,
    depth: usize,
    /// The line before ends with `\` or `/-`, which go on here.
    goes_on: bool,
    /// See [`Pieces::joined`].
    joined: Vec<usize>,
}

impl Line {
    fn read(&mut self, line: &[u8], start: usize) {
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
                    }
                }
                Open::Nothing => at += self.code(rest, start + at),
            }
        }
    }

    /// Reads what stands outside of comments and texts; answers how long it is.
    fn code(&mut self, rest: &[u8], at: usize) -> usize {
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        let (goes_on, length) = match &rest[hashes..] {
            [b'"', b'"', b'"', ..] => {
                (self.open, self.opened) = (Open::Text((hashes > 0).then_some(hashes)), at);
                (false, hashes + 3)
            }
            [b'"', text @ ..] => (false, hashes + 1 + line_text(text, hashes)),
            _ if hashes > 0 => (false, hashes),
            [b'/', b'*', ..] => {
                (self.open, self.opened) = (Open::Comment(1), at);
                return 2;
            }
            [b'/', b'/', ..] => return rest.len(),
            [b'/', b'-', ..] => (true, 2),
            [b'\\', ..] => (true, 1),
            [byte, ..] if byte.is_ascii_whitespace() => return 1,
            [b'{', ..] => {
                self.depth += 1;
                (false, 1)
            }
            [b'}', after @ ..] => {
                self.depth = self.depth.saturating_sub(1);
                let spaces = after.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                if after.get(spaces).is_some_and(|next| !matches!(next, b';' | b'}' | b'/' | b'\\' | b'\r' | b'\n')) {
                    self.joined.push(at + 1 + spaces);
                }
                (false, 1)
            }
            _ => (false, 1),
        };
        self.goes_on = goes_on;
        length
    }
}

/// How long a text is that ends on its line, its last quote included.
fn line_text(text: &[u8], hashes: usize) -> usize {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' if closed_by(&text[at + 1..], hashes) => return at + 1 + hashes,
            b'\\' if hashes == 0 => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn closed_by(rest: &[u8], hashes: usize) -> bool {
    rest.len() >= hashes && rest[..hashes].iter().all(|byte| *byte == b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).parts.into_iter().map(|piece| text[piece].trim_end()).collect()
    }

    #[test]
    fn lines_outside_of_braces() {
        assert_eq!(
            cut("start 1\n\ngoal 2\r\nsection 1 {\n  goto 2\n}\n"),
            ["start 1", "goal 2", "section 1 {\n  goto 2\n}"]
        );
        assert_eq!(cut("start \\\n 1\n/-\ngoal 3\ngoal 2"), ["start \\\n 1", "/-\ngoal 3", "goal 2"]);
        assert_eq!(cut(""), [""; 0]);
    }

    #[test]
    fn braces_in_comments_and_texts_do_not_count() {
        let whole = [
            "a \"{\" #\"\\\"# { // {\n}",
            "a \"\"\"\n{\n\\\"\"\"\n\"\"\" {\n /* } /* } */ } */\n}",
            "a ##\"\"\"\n\"\"\"# {\n\"\"\"## {\n}",
            "a \"\\\"{\" {\n}",
            "a /* \n\nsection 1 {\n */ 1",
        ];
        for text in whole {
            assert_eq!(cut(&format!("{text}\nb")), [text, "b"]);
        }
    }

    #[test]
    fn a_forgotten_brace_ends_at_the_next_section() {
        assert_eq!(cut("section 1 {\n  goto 2\nsection 2 {\n}\n"), ["section 1 {\n  goto 2", "section 2 {\n}"]);
        assert_eq!(cut("section 1 {\n  if x {\n}\nsections\n"), ["section 1 {\n  if x {\n}\nsections"]);
    }

    #[test]
    fn what_follows_a_brace() {
        let joined = |text: &str| pieces(text).joined;
        assert_eq!(joined("a { b } c\n"), [8]);
        assert_eq!(joined("a { b }c\nd { }  \"e\"\n"), [7, 16]);
        let good = "a { b };c\na { b } // c\na { b { } }\n// a { } b\na \"} b\" { } /* c */\na { } \\\n b\n";
        assert_eq!(joined(good), [0; 0]);
    }

    #[test]
    fn what_is_never_closed() {
        assert_eq!(cut("a\nb /* c\nd\n"), ["a"]);
        assert_eq!(pieces("a\nb /* c\nd\n").never_closed, Some(4));
        assert_eq!(pieces("a\nb #\"\"\"\nd\n\"\"\"").never_closed, Some(4));
        assert_eq!(pieces("a \"b\nc").never_closed, None);
    }
}
