//! Texts that are too long for the parser or span several lines, unescaped by the rules of KDL 2.

use std::ops::Range;

use super::newline::is_newline;

/// A text in quotes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LongText {
    /// Its span, including quotes.
    pub(crate) span: Range<usize>,
    /// The number of `#` around a raw text, in which `\` is not special; `None` for other texts.
    pub(crate) hashes: Option<usize>,
    /// Whether it is in triple quotes.
    pub(crate) of_lines: bool,
}

/// An error in a text: position, message and suggestion.
pub(crate) struct TextError {
    pub(crate) at: usize,
    pub(crate) message: String,
    pub(crate) help: &'static str,
}

const ESCAPES: &str = r#"write \\ for a backslash; there are \n \t \r \s \b \f \" \\ and \u{e9}"#;
const LINES: &str = "the text begins on the line after its three quotes";
const INDENT: &str = "every line begins with the spaces that stand before the last three quotes";

impl LongText {
    /// Its content.
    pub(crate) fn read(&self, text: &str) -> Result<String, TextError> {
        let around = self.hashes.unwrap_or(0) + if self.of_lines { 3 } else { 1 };
        let begin = self.span.start + around;
        let inner = &text[begin..self.span.end - around];
        if let Some((at, own)) = inner.char_indices().find(|(_, own)| is_forbidden(*own)) {
            let message = format!("a text cannot hold the character U+{:04X}", u32::from(own));
            return Err(TextError { at: begin + at, message, help: "leave it out" });
        }
        let kept = JoinedText::new(inner, begin, self.hashes.is_none())?;
        let kept = match self.of_lines {
            true => kept.without_indent(begin)?,
            false if kept.text.contains('\n') => {
                let message = "a text between two quotes ends on its line".into();
                let help = "put three quotes before and after a text of several lines";
                return Err(TextError { at: self.span.start, message, help });
            }
            false => kept.text,
        };
        Ok(if self.hashes.is_none() { unescaped(&kept) } else { kept })
    }
}

/// A text without line continuations, with `\n` for every line break.
struct JoinedText {
    text: String,
    /// The position of each line in the file.
    lines: Vec<usize>,
}

impl JoinedText {
    /// Checks the escapes of a text that is not raw, and keeps them.
    fn new(inner: &str, begin: usize, escapes: bool) -> Result<Self, TextError> {
        let mut kept = Self { text: String::with_capacity(inner.len()), lines: vec![begin] };
        let mut rest = inner;
        while let Some(own) = rest.chars().next() {
            let at = begin + inner.len() - rest.len();
            let mut length = own.len_utf8();
            if is_newline(own) {
                length += usize::from(rest.starts_with("\r\n"));
                kept.text.push('\n');
                kept.lines.push(at + length);
            } else if own == '\\' && escapes {
                length = escape_length(rest);
                match length {
                    0 => {
                        let message = "this escape means nothing".into();
                        return Err(TextError { at, message, help: ESCAPES });
                    }
                    // White space is removed.
                    _ if rest[1..].starts_with(char::is_whitespace) => {}
                    _ => kept.text.push_str(&rest[..length]),
                }
            } else {
                kept.text.push(own);
            }
            rest = &rest[length..];
        }
        Ok(kept)
    }

    /// The lines between the first, which is empty, and the last, which is the common indentation.
    fn without_indent(self, begin: usize) -> Result<String, TextError> {
        let lines: Vec<&str> = self.text.split('\n').collect();
        let [first, between @ .., indent] = &lines[..] else {
            return Err(TextError { at: begin, message: "a text between three quotes has lines".into(), help: LINES });
        };
        if !first.is_empty() {
            return Err(TextError { at: begin, message: "something follows three quotes".into(), help: LINES });
        }
        let place = |line: usize| self.lines.get(line).copied().unwrap_or(begin);
        if !indent.chars().all(char::is_whitespace) {
            let message = "the last three quotes stand on a line of their own".to_string();
            return Err(TextError { at: place(lines.len() - 1), message, help: "begin a new line before them" });
        }
        let mut text = String::with_capacity(self.text.len());
        for (number, line) in between.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            match line.strip_prefix(indent) {
                _ if line.chars().all(char::is_whitespace) => {}
                Some(own) => text.push_str(own),
                None => {
                    let message = "this line is not indented as the end of its text is".into();
                    return Err(TextError { at: place(number + 1), message, help: INDENT });
                }
            }
        }
        Ok(text)
    }
}

/// The length of the escape at the beginning of a text; 0 if there is none.
fn escape_length(text: &str) -> usize {
    let after = &text[1..];
    match after.chars().next() {
        Some('n' | 'r' | 't' | '\\' | '"' | 'b' | 'f' | 's') => 2,
        Some('u') => code_point(text).map_or(0, |(_, length)| length),
        Some(own) if own.is_whitespace() => 1 + after.find(|own: char| !own.is_whitespace()).unwrap_or(after.len()),
        _ => 0,
    }
}

/// The character of `\u{e9}` at the beginning of a text, and its length.
fn code_point(text: &str) -> Option<(char, usize)> {
    let digits = text.strip_prefix("\\u{")?;
    let end = digits.find('}').filter(|end| (1..=6).contains(end))?;
    let number = digits[..end].bytes().all(|own| own.is_ascii_hexdigit()).then_some(&digits[..end])?;
    Some((char::from_u32(u32::from_str_radix(number, 16).ok()?)?, end + 4))
}

/// A text with valid escapes replaced.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (own, length) = match rest.chars().nth(1) {
            Some('n') => ('\n', 2),
            Some('r') => ('\r', 2),
            Some('t') => ('\t', 2),
            Some('b') => ('\u{8}', 2),
            Some('f') => ('\u{c}', 2),
            Some('s') => (' ', 2),
            Some('u') => code_point(rest).unwrap_or(('\u{fffd}', 2)),
            Some(own) => (own, 1 + own.len_utf8()),
            None => break,
        };
        out.push(own);
        rest = &rest[length..];
    }
    out + rest
}

/// Characters that KDL forbids: control characters and those that change the direction of text.
fn is_forbidden(own: char) -> bool {
    matches!(own,
        '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests;
