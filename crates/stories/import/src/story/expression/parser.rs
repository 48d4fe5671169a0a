//! Expressions by the ranks that each dialect gives its operators.

use gamebook::Comparison;

use super::tokens::{Token, tokens};
use super::{Dialect, Expression, LONGEST, Operation};
use crate::story::DEEPEST;

/// Reads an expression whole; `it` is the variable that is being set.
pub(crate) fn expression(text: &str, dialect: Dialect, it: Option<&str>) -> Result<Expression, String> {
    if text.len() > LONGEST {
        return Err(format!("an expression of {} bytes", text.len()));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, next: 0, depth: 0, dialect, it, was_compared: false };
    let found = parser.whole()?;
    match parser.tokens.get(parser.next) {
        None => Ok(found),
        Some(Token::Word(word)) => Err(format!("`{}` in an expression", shown(word))),
        Some(Token::Sign(sign)) => Err(format!("`{sign}` in an expression")),
        Some(_) => Err("an expression that is not plain".into()),
    }
}

fn shown(word: &str) -> String {
    word.chars().take(30).collect()
}

struct Parser<'t> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    dialect: Dialect,
    it: Option<&'t str>,
    /// Whether what was read last is a comparison without parentheses around it.
    was_compared: bool,
}

/// A part of what `and` and `or` join in Harlowe.
#[derive(PartialEq)]
enum Part {
    /// A comparison without parentheses.
    Compared,
    /// A value of which it is not said what it is compared with.
    Bare,
    Other,
}

impl Parser<'_> {
    fn sign(&mut self, signs: &[&str]) -> bool {
        let found = matches!(self.tokens.get(self.next), Some(Token::Sign(own)) if signs.contains(own));
        self.next += usize::from(found);
        found
    }

    fn word(&mut self, words: &[&str]) -> bool {
        let found = matches!(self.tokens.get(self.next), Some(Token::Word(own)) if words.contains(&own.as_str()));
        self.next += usize::from(found);
        found
    }

    fn whole(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("an expression nested more than {DEEPEST} deep"));
        }
        let found = match self.dialect {
            Dialect::SugarCube => self.either(),
            Dialect::Harlowe => self.joined_in_harlowe(),
        };
        self.depth -= 1;
        found
    }

    fn either(&mut self) -> Result<Expression, String> {
        let mut left = self.both()?;
        while self.word(&["or"]) || self.sign(&["||"]) {
            left = left.or(self.both()?);
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Expression, String> {
        let mut left = self.compared()?;
        while self.word(&["and"]) || self.sign(&["&&"]) {
            left = left.and(self.compared()?);
        }
        Ok(left)
    }

    /// Of Harlowe only what can be read in one way is taken: `$x is 1 or 2` means `$x is 1 or $x is 2` there, and what
    /// is meant where parts are left out, or `and` and `or` stand beside each other, depends on what variables hold.
    fn joined_in_harlowe(&mut self) -> Result<Expression, String> {
        let (mut left, first) = self.part_in_harlowe()?;
        let mut is_compared = first == Part::Compared;
        let mut all_and = None;
        loop {
            let is_and = if self.word(&["and"]) {
                true
            } else if self.word(&["or"]) {
                false
            } else {
                return Ok(left);
            };
            if all_and.is_some_and(|own: bool| own != is_and) {
                return Err("`and` beside `or` without parentheses".into());
            }
            all_and = Some(is_and);
            let (right, part) = self.part_in_harlowe()?;
            if is_compared && part == Part::Bare {
                let word = if is_and { "and" } else { "or" };
                return Err(format!("a comparison of which a part is left out (`is ... {word} ...`)"));
            }
            is_compared |= part == Part::Compared;
            left = if is_and { left.and(right) } else { left.or(right) };
        }
    }

    fn part_in_harlowe(&mut self) -> Result<(Expression, Part), String> {
        let begin = self.next;
        let has_not = matches!(self.tokens.get(begin), Some(Token::Word(own)) if own == "not");
        let is_closed = matches!(self.tokens.get(begin), Some(Token::Sign("(")));
        let own = self.compared()?;
        let compared = self.was_compared;
        if has_not && compared {
            return Err("`not` before a comparison without parentheses".into());
        }
        let part = match own {
            _ if compared => Part::Compared,
            _ if has_not || is_closed => Part::Other,
            _ => Part::Bare,
        };
        Ok((own, part))
    }

    /// Comparisons. Those of `SugarCube` have JavaScript's two ranks; Harlowe's do not follow each other.
    fn compared(&mut self) -> Result<Expression, String> {
        let mut left = self.ordered()?;
        let mut was_compared = false;
        while let Some(comparison) = self.comparison(self.dialect != Dialect::SugarCube) {
            left = Expression::compare(comparison, left, self.ordered()?);
            was_compared = true;
            if self.dialect == Dialect::Harlowe {
                break;
            }
        }
        self.was_compared = was_compared;
        Ok(left)
    }

    fn ordered(&mut self) -> Result<Expression, String> {
        let mut left = self.sum()?;
        if self.dialect == Dialect::SugarCube {
            while let Some(comparison) = self.order() {
                left = Expression::compare(comparison, left, self.sum()?);
            }
        }
        Ok(left)
    }

    fn comparison(&mut self, with_order: bool) -> Option<Comparison> {
        let equal = match self.dialect {
            Dialect::SugarCube => self.word(&["is", "eq"]) || self.sign(&["==", "==="]),
            Dialect::Harlowe => self.word(&["is"]),
        };
        if equal {
            let is_not = self.dialect == Dialect::Harlowe && self.word(&["not"]);
            return Some(if is_not { Comparison::NotEqual } else { Comparison::Equal });
        }
        let unequal = match self.dialect {
            Dialect::SugarCube => self.word(&["isnot", "neq"]) || self.sign(&["!=", "!=="]),
            Dialect::Harlowe => false,
        };
        if unequal { Some(Comparison::NotEqual) } else { with_order.then(|| self.order()).flatten() }
    }

    fn order(&mut self) -> Option<Comparison> {
        let words = self.dialect == Dialect::SugarCube;
        let signs = [
            ("<", "lt", Comparison::Less),
            ("<=", "lte", Comparison::AtMost),
            (">", "gt", Comparison::More),
            (">=", "gte", Comparison::AtLeast),
        ];
        signs.into_iter().find(|(sign, word, _)| self.sign(&[sign]) || words && self.word(&[word])).map(|own| own.2)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operation = if self.sign(&["+"]) {
                Operation::Plus
            } else if self.sign(&["-"]) {
                Operation::Minus
            } else {
                return Ok(left);
            };
            left = Expression::operation(operation, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.unary()?;
        while self.sign(&["*"]) {
            left = Expression::operation(Operation::Times, left, self.unary()?);
        }
        if self.sign(&["/", "%"]) || self.word(&["mod"]) { Err("a division".into()) } else { Ok(left) }
    }

    /// `not` binds as closely as a minus; in Harlowe it takes a whole comparison, which is not read without parentheses.
    fn unary(&mut self) -> Result<Expression, String> {
        let (mut nots, mut minus) = (0, 0);
        loop {
            if self.word(&["not"]) || self.dialect != Dialect::Harlowe && self.sign(&["!"]) {
                nots += 1;
            } else if self.sign(&["-"]) {
                minus += 1;
            } else {
                break;
            }
            if nots > 0 && minus > 0 {
                return Err("`not` beside a minus".into());
            }
        }
        let own = self.atom()?;
        if minus > 1 {
            return Err("two signs before a number".into());
        }
        Ok(match own {
            Expression::Number(number) if minus == 1 => Expression::Number(-number),
            own if minus == 1 => Expression::operation(Operation::Minus, Expression::Number(0), own),
            own if nots == 0 => own,
            own if nots % 2 == 1 => own.negated(),
            own => own.negated().negated(),
        })
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.sign(&["("]) {
            // A macro of Harlowe.
            if let (Dialect::Harlowe, Some(Token::Word(name)), Some(Token::Sign(":"))) =
                (self.dialect, self.tokens.get(self.next).cloned(), self.tokens.get(self.next + 1))
            {
                self.next += 2;
                return self.call(&name);
            }
            let inner = self.whole()?;
            return if self.sign(&[")"]) { Ok(inner) } else { Err("a parenthesis that is not closed".into()) };
        }
        let token = self.tokens.get(self.next).cloned().ok_or("an expression that ends too early")?;
        self.next += 1;
        match token {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(text)),
            Token::Variable(name) => Ok(Expression::Variable(name)),
            Token::Word(word) => match (word.as_str(), self.it) {
                ("true", _) => Ok(Expression::Boolean(true)),
                ("false", _) => Ok(Expression::Boolean(false)),
                ("it", Some(it)) if self.dialect == Dialect::Harlowe => Ok(Expression::Variable(it.into())),
                _ if self.dialect != Dialect::Harlowe && self.sign(&["("]) => self.call(&word),
                _ => Err(format!("`{}` in an expression", shown(&word))),
            },
            Token::Sign(sign) => Err(format!("`{sign}` in an expression")),
        }
    }

    /// What follows the name of a function and its parenthesis.
    fn call(&mut self, name: &str) -> Result<Expression, String> {
        const MOST: i64 = 1000;
        let mut arguments = Vec::new();
        while !self.sign(&[")"]) {
            if !arguments.is_empty() && !self.sign(&[","]) {
                return Err(format!("what `{}` is given", shown(name)));
            }
            arguments.push(self.whole()?);
        }
        let range = |one: i64, other: i64| {
            // No die has more sides.
            if one.abs_diff(other) < MOST.unsigned_abs() {
                Ok(Expression::Random(one.min(other), one.max(other)))
            } else {
                Err("so large a `random`".to_string())
            }
        };
        match (name, &arguments[..]) {
            ("random", [Expression::Number(one), Expression::Number(other)]) => range(*one, *other),
            ("random", [Expression::Number(most)]) => range(0, *most),
            ("either", all) if (1..=100).contains(&all.len()) => Ok(Expression::Either(arguments)),
            _ => Err(format!("`{}` in an expression", shown(name))),
        }
    }
}

#[cfg(test)]
mod tests;
