//! Tokens.

use crate::error::{At, Error, Source};

/// A token of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Word(String),
    /// A number as written.
    Number(String),
    /// The text between quotation marks.
    Text(String),
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// The signs, longer ones before their prefixes.
const SIGNS: &[&str] = &[
    "<=>", "->", "=>", "<=", ">=", "!=", "..", "(", ")", "[", "]", "{", "}", ":", ";", ",", "+", "-", "*", "/", "=",
    "<", ">", "!", "&", "|", "?", "'", "^",
];

/// Splits a text into tokens with their positions; the last is [`Token::End`].
pub fn tokens(text: &str, source: Source) -> Result<Vec<(Token, At)>, Error> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut at = At { line: 1, column: 1, source };
    loop {
        let skipped = blank(rest);
        advance(&mut at, &rest[..skipped]);
        rest = &rest[skipped..];
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, at));
            return Ok(tokens);
        };
        let (token, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = run(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            (Token::Word(rest[..length].into()), length)
        } else if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            let length = number(rest);
            (Token::Number(rest[..length].into()), length)
        } else if first == '"' {
            let Some(length) = rest[1..].find(['"', '\n']).filter(|end| rest.as_bytes()[1 + *end] == b'"') else {
                return Err(Error::new(at, "a quotation mark without its partner", "close it in the same line"));
            };
            (Token::Text(rest[1..=length].into()), length + 2)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else if first == '#' {
            let problem = "a part for PRISM's preprocessor, which is not supported";
            return Err(Error::new(at, problem, "the model that prismpp makes of it"));
        } else {
            return Err(Error::new(at, format!("`{first}`"), "it means nothing in the PRISM language"));
        };
        tokens.push((token, at));
        advance(&mut at, &rest[..length]);
        rest = &rest[length..];
    }
}

fn advance(at: &mut At, text: &str) {
    for c in text.chars() {
        if c == '\n' {
            *at = At { line: at.line.saturating_add(1), column: 1, source: at.source };
        } else {
            at.column = at.column.saturating_add(1);
        }
    }
}

fn run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !belongs(byte)).unwrap_or(text.len())
}

/// The length of the white space and comments at the beginning of a text, in bytes.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with("//") {
            return text.len() - rest.len();
        }
        rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
    }
}

/// The length of the number, in bytes: digits, a point that is not the first of two, an exponent.
fn number(text: &str) -> usize {
    let digit = |byte: u8| byte.is_ascii_digit();
    let mut length = run(text, digit);
    if text[length..].starts_with('.') && !text[length..].starts_with("..") {
        length += 1 + run(&text[length + 1..], digit);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let digits = run(&text[length + 1 + sign..], digit);
        if digits > 0 {
            length += 1 + sign + digits;
        }
    }
    length
}

#[cfg(test)]
mod tests;
