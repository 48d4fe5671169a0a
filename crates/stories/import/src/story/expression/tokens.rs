//! The words and signs of an expression.

use super::LARGEST;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(i64),
    Text(String),
    Variable(String),
    Word(String),
    Sign(&'static str),
}

/// Signs that mean something in some dialect, the longest first.
const SIGNS: [&str; 22] = [
    "===", "!==", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", ",", ":", "!",
    "?",
];

fn is_name(own: char) -> bool {
    own.is_alphanumeric() || own == '_'
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_ascii_digit() {
            number(rest)?
        } else if matches!(first, '"' | '\'') {
            quoted(rest, first)?
        } else if matches!(first, '$' | '_') && rest[1..].starts_with(is_name) {
            variable(rest)?
        } else if is_name(first) {
            word(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return Err(format!("`{first}` in an expression"));
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    let length = rest.find(|own: char| !own.is_ascii_digit()).unwrap_or(rest.len());
    if rest[length..].starts_with(|own: char| own == '.' || is_name(own)) {
        return Err("a number that is no whole one".into());
    }
    let number = rest[..length].parse().ok().filter(|number| *number <= LARGEST);
    Ok((Token::Number(number.ok_or_else(|| format!("a number above {LARGEST}"))?), length))
}

fn quoted(rest: &str, quote: char) -> Result<(Token, usize), String> {
    let end = rest[1..].find(quote).ok_or("a text that does not end")?;
    let text = &rest[1..=end];
    if text.contains(['\\', '{']) {
        return Err("a text with escapes or braces".into());
    }
    Ok((Token::Text(text.into()), end + 2))
}

fn variable(rest: &str) -> Result<(Token, usize), String> {
    let length = 1 + rest[1..].find(|own: char| !is_name(own)).unwrap_or(rest.len() - 1);
    if rest[length..].starts_with(['.', '[']) || rest[length..].starts_with("'s ") {
        return Err("a part of a variable".into());
    }
    Ok((Token::Variable(rest[..length].into()), length))
}

fn word(rest: &str) -> (Token, usize) {
    let length = rest.find(|own: char| !is_name(own)).unwrap_or(rest.len());
    (Token::Word(rest[..length].into()), length)
}
