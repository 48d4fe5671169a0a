//! A parser over tokens.

use super::expression::Expr;
use super::syntax::Name;
use super::token::{Token, tokens};
use crate::error::{At, Error, Source};

/// How deep expressions may be nested.
pub const DEEPEST: usize = 200;

const KEYWORDS: &[&str] = &[
    "bool",
    "clock",
    "const",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endrewards",
    "endsystem",
    "false",
    "formula",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "mdp",
    "module",
    "nondeterministic",
    "prob",
    "probabilistic",
    "rate",
    "rewards",
    "stochastic",
    "system",
    "true",
];

/// A position in the tokens of a text.
pub struct Parser {
    tokens: Vec<(Token, At)>,
    place: usize,
    depth: usize,
}

impl Parser {
    /// At the beginning of a text.
    pub fn new(text: &str, source: Source) -> Result<Self, Error> {
        Ok(Self { tokens: tokens(text, source)?, place: 0, depth: 0 })
    }

    /// The token this many positions ahead.
    pub fn ahead(&self, places: usize) -> Option<&Token> {
        self.tokens.get(self.place + places).map(|(token, _)| token)
    }

    /// The result of `inner`, one level deeper.
    pub fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<Expr, Error>) -> Result<Expr, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let problem = format!("an expression nested more than {DEEPEST} deep");
            return Err(Error::new(self.at(), problem, "formulas for its parts"));
        }
        let expression = inner(self)?;
        self.depth -= 1;
        Ok(expression)
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.place].0
    }

    /// Its position.
    pub fn at(&self) -> At {
        self.tokens[self.place].1
    }

    /// Takes it.
    pub fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if self.place + 1 < self.tokens.len() {
            self.place += 1;
        }
        token
    }

    /// The error for an unexpected token.
    pub fn unexpected(&self, expected: &str) -> Error {
        let found = match self.peek() {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the text ends".into(),
        };
        Error::new(self.at(), found, format!("expected {expected}"))
    }

    /// Whether the next is this sign.
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    /// Whether the next is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    /// Takes this sign if it is the next.
    pub fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.next();
        }
        is
    }

    /// Takes this word if it is the next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.next();
        }
        is
    }

    /// Takes this sign.
    pub fn need(&mut self, sign: &str) -> Result<(), Error> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// Takes this word.
    pub fn need_word(&mut self, word: &str) -> Result<(), Error> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Takes a name, which is no keyword.
    pub fn name(&mut self) -> Result<Name, Error> {
        let at = self.at();
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let text = word.clone();
                self.next();
                Ok(Name { text, at })
            }
            _ => Err(self.unexpected("a name")),
        }
    }
}
