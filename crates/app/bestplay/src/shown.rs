//! Safe output of foreign text: nothing in a book, a model, the name of a file or an argument controls the terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

/// How a special character is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// `\u{1b}`, as in books
    Text,
    /// The same in text that may have our own colours: colour sequences stay
    Coloured,
    /// `\u001b`, as in JSON strings, where it means the character
    Json,
}

/// Whether a character controls a terminal, changes the order of others, or is invisible.
fn is_control(own: char) -> bool {
    match own {
        // Line feeds and tabs are ours.
        '\n' | '\t' => false,
        // Letter marks, isolates, embeddings, overrides; line and paragraph separators; zero-width characters. Joiners of
        // letters belong to the letters.
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

/// A text that is safe to print.
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

/// The length of a colour sequence at the beginning of a text; 0 if there is none.
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

/// A line from a file that is safe to print within other text.
pub fn line(text: &str) -> String {
    shown(&text.replace(['\n', '\t'], " "), Escapes::Text)
}

/// A text with marked positions that is safe to print: the length and all positions stay the same. Marks are placed by line
/// feeds, so a lone carriage return at the end of a line becomes one.
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

/// A writer that makes text safe.
pub struct Shown<W: Write> {
    to: W,
    escapes: Escapes,
    /// What was written since the end of the last line passed on.
    line: Vec<u8>,
}

/// Longer lines, in bytes, are passed on in pieces.
const LONGEST: usize = 1 << 16;

impl<W: Write> Shown<W> {
    pub fn new(to: W, escapes: Escapes) -> Self {
        Self { to, escapes, line: Vec::new() }
    }

    /// Passes this many bytes on.
    fn pass(&mut self, count: usize) -> io::Result<()> {
        let text = shown(&String::from_utf8_lossy(&self.line[..count]), self.escapes);
        self.line.drain(..count);
        self.to.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend(bytes);
        // Earlier bytes contain no line end.
        if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            self.pass(self.line.len() - bytes.len() + end + 1)?;
        } else if self.line.len() > LONGEST {
            // The last character may be incomplete.
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
mod tests;
