//! The tokens of an expression, and moving through them.

use std::ops::Range;

use super::names::{Names, Wrong};
use crate::syntax::kdl::shown_name;
use crate::syntax::problem::did_you_mean;

/// The deepest nesting of parentheses, and the longest text.
const DEEPEST: usize = 64;

const LONGEST: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Number(i32),
    Sign(&'static str),
}

pub(super) struct Parser<'a> {
    pub(super) tokens: Vec<(Token, Range<usize>)>,
    pub(super) next: usize,
    pub(super) depth: usize,
    pub(super) length: usize,
    /// Whether `/` is allowed here.
    pub(super) divides: bool,
    pub(super) names: &'a dyn Names,
}

fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, Wrong> {
    const SIGNS: [&str; 14] = ["<=", ">=", "!=", "==", "=", "<", ">", "+", "-", "*", "/", "(", ")", ","];
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, length) = if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length].parse().ok().filter(|number| *number <= 1_000_000).ok_or_else(|| Wrong {
                unknown: false,
                at: at..at + length,
                message: "this number is too large".into(),
                help: Some("numbers up to 1000000 can be used".into()),
            })?;
            (Token::Number(number), length)
        } else if first.is_alphabetic() {
            let mut length = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
            while rest[..length].ends_with('-') {
                length -= 1;
            }
            // `enemy.stamina`: a stat of the enemy.
            if let Some(own) = rest[length..].strip_prefix('.')
                && own.starts_with(char::is_alphabetic)
            {
                let end = own.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(own.len());
                length += 1 + end;
                while rest[..length].ends_with('-') {
                    length -= 1;
                }
            }
            (Token::Word(rest[..length].to_string()), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(if *sign == "==" { "=" } else { sign }), sign.len())
        } else {
            return Err(Wrong {
                unknown: false,
                at: at..at + first.len_utf8(),
                message: format!("`{first}` means nothing here"),
                help: Some("use names, numbers, + - * / ( ) = != < <= > >= and the words and, or, not, has".into()),
            });
        };
        tokens.push((token, at..at + length));
        rest = &rest[length..];
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &str, names: &'a dyn Names) -> Result<Self, Wrong> {
        if text.len() > LONGEST {
            return Err(Wrong {
                unknown: false,
                at: 0..text.len(),
                message: format!("an expression of {} bytes", text.len()),
                help: Some(format!("up to {LONGEST} are read")),
            });
        }
        Ok(Self { tokens: tokens(text)?, next: 0, depth: 0, length: text.len(), divides: false, names })
    }

    pub(super) fn here(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.length..self.length, |(_, at)| at.clone())
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>, help: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { unknown: false, at: self.here(), message: message.into(), help: Some(help.into()) })
    }

    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.next), Some((Token::Sign(other), _)) if *other == sign);
        self.next += usize::from(found);
        found
    }

    pub(super) fn peek_word(&self) -> Option<&str> {
        match self.tokens.get(self.next) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.next += usize::from(found);
        found
    }

    pub(super) fn end(&self) -> Result<(), Wrong> {
        if self.next == self.tokens.len() {
            return Ok(());
        }
        self.wrong("the expression goes on where it should end", "join parts by `and`, `or` or an operator")
    }

    pub(super) fn deeper(&mut self) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong("nested too deeply", format!("{DEEPEST} levels are read"));
        }
        Ok(())
    }

    pub(super) fn name<T>(&mut self, what: &str, find: impl Fn(&dyn Names, &str) -> Option<T>) -> Result<T, Wrong> {
        let Some(word) = self.peek_word().map(str::to_string) else {
            return self.wrong(format!("the name of {what} is missing"), "write a declared name");
        };
        if let Some(found) = find(self.names, &word) {
            self.next += 1;
            return Ok(found);
        }
        if let Some((message, help)) = self.names.elsewhere(&word) {
            return self.wrong(message, help);
        }
        let known = self.names.known();
        let help = did_you_mean(&word, known.iter().map(String::as_str)).unwrap_or_else(|| {
            if word.contains('-') {
                "declare it, or write spaces around a minus sign".into()
            } else if self.names.is_system() {
                "declare it at the head of the file".into()
            } else {
                "declare it at the head of the book".into()
            }
        });
        let wrong = self.wrong(format!("`{}` is not the name of {what}", shown_name(&word)), help);
        wrong.map_err(|wrong| Wrong { unknown: true, ..wrong })
    }
}
