//! The words and signs of an expression.

use super::{Dialect, LARGEST};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(i64),
    Text(String),
    Variable(String),
    Word(String),
    Sign(&'static str),
    /// `.name` behind a variable, where a parenthesis follows; and `'s length`.
    Method(String),
}

/// The operators and signs of all dialects, the longest first.
const SIGNS: [&str; 34] = [
    "===", "!==", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "...", "<", ">", "=",
    "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ",", ":", ";", "!",
];

fn is_name(own: char) -> bool {
    own.is_alphanumeric() || own == '_'
}

pub(super) fn tokens(text: &str, dialect: Dialect) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_ascii_digit() {
            number(rest, dialect)?
        } else if matches!(first, '"' | '\'') {
            quoted(rest, first)?
        } else if matches!(first, '$' | '_') && rest[1..].starts_with(is_name) {
            variable(rest, dialect)?
        } else if is_name(first) {
            word(rest, dialect)?
        } else if first == '?' {
            (Token::Sign("?"), 1)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return Err(format!("`{first}` in an expression"));
        };
        tokens.push(token);
        rest = &rest[length..];
        if let Some(method) = method(rest) {
            rest = &rest[method.len() + 1..];
            tokens.push(Token::Method(method.into()));
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// The name in `.name(`.
fn method(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('.')?;
    let end = name.find(|own: char| !is_name(own))?;
    (end > 0 && name[end..].starts_with('(')).then(|| &name[..end])
}

fn number(rest: &str, dialect: Dialect) -> Result<(Token, usize), String> {
    let length = rest.find(|own: char| !own.is_ascii_digit()).unwrap_or(rest.len());
    // `1st` is a position in Harlowe.
    if dialect == Dialect::Harlowe && ["st", "nd", "rd", "th"].iter().any(|own| rest[length..].starts_with(own)) {
        return Err("a place in a list".into());
    }
    if rest[length..].starts_with(|own: char| own == '.' || is_name(own)) {
        return Err("a number that is no whole one".into());
    }
    let number = rest[..length].parse().ok().filter(|number| *number <= LARGEST);
    Ok((Token::Number(number.ok_or_else(|| format!("a number above {LARGEST}"))?), length))
}

/// The end of a text in quotes, by its first quote; signs behind a `\` do not end it.
pub(crate) fn end_of_text(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, own) in rest.char_indices().skip(1) {
        match own {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            own if own == quote => return Some(at),
            _ => {}
        }
    }
    None
}

fn quoted(rest: &str, quote: char) -> Result<(Token, usize), String> {
    let end = end_of_text(rest, quote).ok_or("a text that does not end")?;
    let mut text = String::new();
    let mut inner = rest[1..end].chars();
    while let Some(own) = inner.next() {
        match own {
            '\\' => match inner.next() {
                Some(own) if !own.is_alphanumeric() => text.push(own),
                _ => return Err("a text with escapes".into()),
            },
            own => text.push(own),
        }
    }
    if has_markup(&text) { Err("a text with markup".into()) } else { Ok((Token::Text(text), end + 1)) }
}

/// Whether a text has markup, so that showing it does more than print it.
pub(crate) fn has_markup(text: &str) -> bool {
    let is_macro = |own: &str| {
        let end = own.find(|own: char| !(own.is_ascii_alphanumeric() || matches!(own, '-' | '_'))).unwrap_or(0);
        end > 0 && own[end..].starts_with(':')
    };
    ["[[", "<<", "data-passage", "[img[", "{embed", "{reveal"].iter().any(|own| text.contains(own))
        || text.split('(').skip(1).any(is_macro)
}

/// A variable with the parts that follow it by name: `$a.b`, `$a["b"]`, `$a[0]`, `$a's b`.
fn variable(rest: &str, dialect: Dialect) -> Result<(Token, usize), String> {
    let mut length = 1 + rest[1..].find(|own: char| !is_name(own)).unwrap_or(rest.len() - 1);
    let mut name = rest[..length].to_string();
    loop {
        let more = &rest[length..];
        let Some((part, taken)) = (if dialect == Dialect::Harlowe { part_in_harlowe(more)? } else { part(more)? })
        else {
            return Ok((Token::Variable(name), length));
        };
        name.push('.');
        name.push_str(&part);
        length += taken;
    }
}

fn part(more: &str) -> Result<Option<(String, usize)>, String> {
    if let Some(name) = more.strip_prefix('.') {
        let end = name.find(|own: char| !is_name(own)).unwrap_or(name.len());
        return match &name[end..] {
            _ if end == 0 => Err("a part of a variable".into()),
            after if after.starts_with('(') => Ok(None),
            _ => Ok(Some((name[..end].into(), end + 1))),
        };
    }
    let Some(inner) = more.strip_prefix('[') else { return Ok(None) };
    let wrong = || "a part of a variable".to_string();
    let end = inner.find(']').ok_or_else(wrong)?;
    let key = inner[..end].trim();
    let is_number = !key.is_empty() && key.bytes().all(|own| own.is_ascii_digit());
    let text = ['"', '\''].iter().find_map(|quote| key.strip_prefix(*quote)?.strip_suffix(*quote));
    match text.filter(|own| !own.is_empty() && own.chars().all(is_name)) {
        Some(text) => Ok(Some((text.into(), end + 2))),
        None if is_number => Ok(Some((key.into(), end + 2))),
        None => Err(wrong()),
    }
}

fn part_in_harlowe(more: &str) -> Result<Option<(String, usize)>, String> {
    let Some(inner) = more.strip_prefix("'s ") else { return Ok(None) };
    let own = inner.trim_start();
    let space = inner.len() - own.len();
    let wrong = || "a part of a variable".to_string();
    let (part, taken) = if own.starts_with(['"', '\'']) {
        let end = end_of_text(own, own.chars().next().unwrap_or('"')).ok_or_else(wrong)?;
        (own[1..end].to_string(), end + 1)
    } else {
        let end = own.find(|own: char| !is_name(own)).unwrap_or(own.len());
        let place = ["st", "nd", "rd", "th"].iter().find_map(|end_of| own[..end].strip_suffix(end_of));
        match place.and_then(|own| own.parse::<usize>().ok()) {
            Some(place @ 1..) => ((place - 1).to_string(), end),
            _ => (own[..end].to_string(), end),
        }
    };
    if part.is_empty() || !part.chars().all(|own| is_name(own) || own == ' ') || part.ends_with("last") {
        return Err(wrong());
    }
    Ok(Some((part, 3 + space + taken)))
}

fn word(rest: &str, dialect: Dialect) -> Result<(Token, usize), String> {
    let is_part = |own: char| is_name(own) || dialect != Dialect::Harlowe && own == '.';
    let length = rest.find(|own: char| !is_part(own)).unwrap_or(rest.len());
    let word = &rest[..length];
    if word.ends_with('.') {
        return Err(format!("`{word}` in an expression"));
    }
    let is_reserved =
        matches!(word, "true" | "false" | "undefined" | "null" | "new" | "typeof" | "in" | "random.fraction");
    let is_variable = dialect == Dialect::Chapbook
        && !is_reserved
        && !["random.", "passage.", "browser.", "engine.", "story.", "Math."].iter().any(|own| word.starts_with(own))
        && !rest[length..].starts_with('(');
    Ok((if is_variable { Token::Variable(word.into()) } else { Token::Word(word.into()) }, length))
}
