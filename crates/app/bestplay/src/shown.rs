//! What is not ours, as it is shown: nothing in a book, a model, a file's name or an argument controls the terminal on which it
//! is printed.

use std::fmt::Write as _;
use std::io::{self, Write};

/// How a character is written that is not shown as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// `\u{1b}`, as in books
    Text,
    /// The same in what may have colours of our own: what sets a colour stays
    Coloured,
    /// `\u001b`, as in strings of JSON, where it means the character
    Json,
}

/// Whether a character controls a terminal, changes in what order others are shown, or is not to be seen at all.
fn is_control(own: char) -> bool {
    match own {
        // Where lines end, and what they begin with, is ours.
        '\n' | '\t' => false,
        // Letter marks, isolates, embeddings, overrides; separators of lines and paragraphs; what has no width. Those that
        // join letters belong to the letters.
        '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => own.is_control(),
    }
}

/// A text as it can be shown.
pub fn shown(text: &str, escapes: Escapes) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_control) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let colour = if escapes == Escapes::Coloured { colour(from) } else { 0 };
        let taken = if colour > 0 {
            out.push_str(&from[..colour]);
            colour
        } else {
            from.chars().next().map_or(0, |own| {
                escape(&mut out, own, escapes);
                own.len_utf8()
            })
        };
        rest = &from[taken..];
    }
    out + rest
}

/// How many bytes set a colour at the beginning of this text; 0 where none is set.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = rest.find(|own: char| !own.is_ascii_digit() && own != ';').unwrap_or(rest.len());
    if rest[end..].starts_with('m') { "\u{1b}[".len() + end + 1 } else { 0 }
}

fn escape(out: &mut String, own: char, escapes: Escapes) {
    let written = match escapes {
        Escapes::Text | Escapes::Coloured => write!(out, "\\u{{{:x}}}", u32::from(own)),
        Escapes::Json => own.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}")),
    };
    written.unwrap_or_default();
}

/// A line out of a file as it can be shown beside others.
pub fn line(text: &str) -> String {
    shown(&text.replace(['\n', '\t'], " "), Escapes::Text)
}

/// A text in which places are marked, as it can be shown: it is as long, and each place is where it was. What shows a place
/// counts line feeds, so that is what a carriage return is that ends a line alone.
pub fn in_place(text: &str) -> String {
    let stand_in = |(at, own): (usize, char)| match own.len_utf8() {
        _ if own == '\r' => {
            if text[at..].starts_with("\r\n") {
                ' '
            } else {
                '\n'
            }
        }
        _ if !is_control(own) => own,
        1 => '?',
        2 => '¿',
        3 => '\u{fffd}',
        _ => '\u{1f5f4}',
    };
    text.char_indices().map(stand_in).collect()
}

/// Where text is written to that is shown.
pub struct Shown<W: Write> {
    to: W,
    escapes: Escapes,
    /// What was written since the end of the last line that was passed on.
    line: Vec<u8>,
}

/// A longer line is passed on in pieces, in bytes.
const LONGEST: usize = 1 << 16;

impl<W: Write> Shown<W> {
    pub fn new(to: W, escapes: Escapes) -> Self {
        Self { to, escapes, line: Vec::new() }
    }

    /// Passes so many bytes on.
    fn pass(&mut self, count: usize) -> io::Result<()> {
        let text = shown(&String::from_utf8_lossy(&self.line[..count]), self.escapes);
        self.line.drain(..count);
        self.to.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend(bytes);
        // What was there before ends no line.
        if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            self.pass(self.line.len() - bytes.len() + end + 1)?;
        } else if self.line.len() > LONGEST {
            // A character may be there in part.
            let whole = match std::str::from_utf8(&self.line) {
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                _ => self.line.len(),
            };
            self.pass(whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.line.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether no character is left that a terminal obeys, or that changes the order of others.
    fn is_harmless(text: &str) -> bool {
        let marks = "\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\
            \u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{e0001}";
        text.chars().all(|own| own == '\n' || own == '\t' || !(own.is_control() || marks.contains(own)))
    }

    #[test]
    fn every_character_is_harmless_and_what_is_read_stays() {
        for own in ('\0'..=char::MAX).filter(|own| u32::from(*own) < 0x2_0000 || u32::from(*own) >= 0xe_0000) {
            let text = format!("a{own}b");
            assert!(is_harmless(&shown(&text, Escapes::Text)), "{own:?}");
            let json = shown(&serde_json::to_string(&text).unwrap(), Escapes::Json);
            assert!(is_harmless(&json), "{own:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            let marked = in_place(&text);
            assert!(is_harmless(&marked) && marked.len() == text.len(), "{own:?}");
        }
        let plain = "Zwölf \u{200d} \u{1f469}\u{200d}\u{1f680} שלום 100 %\n\tdone";
        assert_eq!(shown(plain, Escapes::Text), plain);
        assert_eq!(shown("\u{1b}[2J\r", Escapes::Text), "\\u{1b}[2J\\u{d}");
        assert_eq!(line("one\ntwo\u{7}"), "one two\\u{7}");
    }

    #[test]
    fn colours_are_ours_and_nothing_else_is() {
        let ours = "\u{1b}[1;31mred\u{1b}[0m \u{1b}[m";
        assert_eq!(shown(ours, Escapes::Coloured), ours);
        assert_eq!(shown(ours, Escapes::Text).matches("\\u{1b}[").count(), 3);
        for theirs in ["\u{1b}[2J", "\u{1b}]0;owned\u{7}", "\u{1b}[1", "\u{1b}[1;?m", "\u{9b}31m", "\u{1b}\u{1b}"] {
            assert!(is_harmless(&shown(theirs, Escapes::Coloured)), "{theirs:?}");
        }
    }

    #[test]
    fn pieces_come_out_as_the_whole() {
        let text = "one \u{1b}[31m \u{202e}two\u{80}\n".repeat(9_000) + "é without an end\u{1b}";
        for size in [1, 2, 3, 7, 1000, text.len()] {
            let mut out = Vec::new();
            let mut to = Shown::new(&mut out, Escapes::Text);
            text.as_bytes().chunks(size).for_each(|piece| to.write_all(piece).unwrap());
            to.flush().unwrap();
            assert!(String::from_utf8(out).unwrap() == shown(&text, Escapes::Text), "{size}");
        }
        // A line without an end is not kept for ever, and no character is torn.
        let mut out = Vec::new();
        let mut to = Shown::new(&mut out, Escapes::Text);
        let long = "é".repeat(LONGEST);
        long.as_bytes().chunks(3).for_each(|piece| to.write_all(piece).unwrap());
        assert!(to.line.len() <= LONGEST + 3);
        to.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), long);
    }
}
