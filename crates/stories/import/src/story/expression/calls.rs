//! Functions and macros within expressions.

use super::parser::{Parser, shown};
use super::special::{HISTORY, PRESENT, is_positive, visits_of};
use super::tokens::Token;
use super::{Dialect, Expression, Operation};

/// The most sides of a die.
const MOST_SIDES: u64 = 1000;
/// The most values in a random choice.
const MOST_VALUES: usize = 100;

impl Parser {
    /// Reads a call after the function's name and its parenthesis.
    pub(super) fn call(&mut self, name: &str) -> Result<Expression, String> {
        let name = match self.dialect {
            Dialect::Harlowe => name.to_ascii_lowercase().replace(['-', '_'], ""),
            _ => name.strip_prefix("Math.").unwrap_or(name).into(),
        };
        if let Some(rounding) = Rounding::of(&name) {
            return self.rounded(rounding);
        }
        let begin = self.next;
        let arguments = self.arguments()?;
        let is_spread = matches!(self.tokens.get(begin), Some(Token::Sign("...")));
        let wrong = || format!("`{}` in an expression", shown(&name));
        if is_spread && name != "either" {
            return Err(wrong());
        }
        let chained = |how: Operation, all: &[Expression]| {
            all.iter().cloned().reduce(|one, other| Expression::operation(how, one, other)).ok_or_else(wrong)
        };
        match (self.dialect, name.as_str(), &arguments[..]) {
            (_, "random", [Expression::Number(one), Expression::Number(other)]) => random(*one, *other),
            (_, "random", [Expression::Number(most)]) => random(0, *most),
            (Dialect::Harlowe, "either", [own]) if !is_spread => Ok(own.clone()),
            (Dialect::Harlowe | Dialect::SugarCube, "either", all) if (1..=MOST_VALUES).contains(&all.len()) => {
                Ok(Expression::Either(arguments))
            }
            (_, "min", all) => chained(Operation::Least, all),
            (_, "max", all) => chained(Operation::Most, all),
            (_, "abs", [own]) => {
                let other = Expression::operation(Operation::Minus, Expression::Number(0), own.clone());
                Ok(Expression::operation(Operation::Most, own.clone(), other))
            }
            (Dialect::SugarCube, "passage", []) => Ok(Expression::Variable(PRESENT.into())),
            (Dialect::SugarCube, "visited", []) => Ok(Expression::Variable(visits_of(""))),
            (Dialect::SugarCube, "visited", [Expression::Text(own)]) => Ok(Expression::Variable(visits_of(own))),
            (Dialect::SugarCube, "hasVisited", [Expression::Text(own)])
            | (Dialect::Harlowe, "visited", [Expression::Text(own)]) => Ok(is_positive(visits_of(own))),
            (Dialect::Harlowe, "cond", all) => conditional(all).ok_or_else(wrong),
            (Dialect::Harlowe, "a" | "array", _) => Ok(Expression::List(arguments)),
            (Dialect::Harlowe, "dm" | "datamap", all) => map_of(all).ok_or_else(wrong),
            (Dialect::Harlowe, "history", []) => Ok(Expression::Text(HISTORY.into())),
            _ => Err(wrong()),
        }
    }

    /// Reads the arguments up to the closing parenthesis.
    pub(super) fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        let mut arguments = Vec::new();
        while !self.sign(&[")"]) {
            if !arguments.is_empty() && !self.sign(&[","]) {
                return Err(self.unexpected());
            }
            // Harlowe allows a comma at the end.
            if !arguments.is_empty() && self.sign(&[")"]) {
                break;
            }
            self.sign(&["..."]);
            arguments.push(self.whole()?);
        }
        Ok(arguments)
    }

    /// `a / b` rounded, or a number that needs no rounding; `Math.random() * 6` rounded down.
    fn rounded(&mut self, rounding: Rounding) -> Result<Expression, String> {
        let begin = self.next;
        let is_random = self.word(&["Math.random"]) && self.sign(&["("]) && self.sign(&[")"]) && self.sign(&["*"]);
        if is_random && rounding == Rounding::Down {
            return match self.arguments_of_one()? {
                Expression::Number(sides @ 1..) => random(0, sides - 1),
                _ => Err("`Math.random` in an expression".into()),
            };
        }
        self.next = begin;
        let left = self.unary()?;
        if !self.sign(&["/"]) {
            self.next = begin;
            return self.arguments_of_one();
        }
        let Expression::Number(by @ 1..) = self.unary()? else { return Err("a division".into()) };
        if !self.sign(&[")"]) {
            return Err("a division".into());
        }
        let number = Expression::Number;
        Ok(match rounding {
            Rounding::Down => Expression::operation(Operation::Down, left, number(by)),
            Rounding::Up => Expression::operation(Operation::Up, left, number(by)),
            Rounding::Nearest => {
                let twice = Expression::operation(Operation::Times, number(2), left);
                let more = Expression::operation(Operation::Plus, twice, number(by));
                Expression::operation(Operation::Down, more, number(2 * by))
            }
        })
    }

    /// The only argument.
    fn arguments_of_one(&mut self) -> Result<Expression, String> {
        match &self.arguments()?[..] {
            [own] => Ok(own.clone()),
            _ => Err(self.unexpected()),
        }
    }

    /// The result of calling a method of a value.
    pub(super) fn method(&mut self, own: Expression, name: &str) -> Result<Expression, String> {
        self.sign(&["("]);
        let arguments = self.arguments()?;
        match (name, &arguments[..]) {
            ("includes", [item]) => Ok(Expression::Contains(Box::new(own), Box::new(item.clone()))),
            ("includesAny" | "includesAll", [_, ..]) => {
                let has = |item: &Expression| Expression::Contains(Box::new(own.clone()), Box::new(item.clone()));
                let all = arguments.iter().map(has);
                let joined =
                    if name == "includesAny" { all.reduce(Expression::or) } else { all.reduce(Expression::and) };
                joined.ok_or_else(|| format!("`.{}()`", shown(name)))
            }
            ("random", []) => Ok(Expression::Either(match own {
                Expression::List(all) => all,
                own => vec![own],
            })),
            ("clamp", [least, most]) => {
                let own = Expression::operation(Operation::Most, own, least.clone());
                Ok(Expression::operation(Operation::Least, own, most.clone()))
            }
            _ => Err(format!("`.{}()`", shown(name))),
        }
    }
}

fn random(one: i64, other: i64) -> Result<Expression, String> {
    // No die has more sides.
    if one.abs_diff(other) < MOST_SIDES {
        Ok(Expression::Random(one.min(other), one.max(other)))
    } else {
        Err("so large a `random`".into())
    }
}

/// `condition, value, condition, value, other value`
fn conditional(all: &[Expression]) -> Option<Expression> {
    let (last, pairs) = all.split_last().filter(|(_, pairs)| pairs.len() % 2 == 0)?;
    Some(pairs.chunks(2).rev().fold(last.clone(), |other, pair| {
        Expression::Choose(Box::new(pair[0].clone()), Box::new(pair[1].clone()), Box::new(other))
    }))
}

fn map_of(all: &[Expression]) -> Option<Expression> {
    let entry = |pair: &[Expression]| match pair {
        [Expression::Text(key), value] => Some((key.clone(), value.clone())),
        _ => None,
    };
    all.chunks(2).map(entry).collect::<Option<Vec<_>>>().map(Expression::Map)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
    Nearest,
}

impl Rounding {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "floor" => Self::Down,
            "ceil" => Self::Up,
            "round" => Self::Nearest,
            _ => return None,
        })
    }
}
