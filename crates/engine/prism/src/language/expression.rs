//! Expressions, and their values in a state.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::powers::{NoFraction, logarithm, power};
use super::value::{Value, real};
use crate::error::{At, Error};

/// An expression with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The expression.
    pub kind: Kind,
    /// The position of its beginning.
    pub at: At,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A value.
    Constant(Value),
    /// A name that has not been looked up.
    Name(String),
    /// A label that has not been looked up.
    Label(String),
    /// A variable, by its number; whether it is a truth value and not a number.
    Variable(usize, bool),
    /// The negative of a number.
    Minus(Box<Expr>),
    /// True for false, and false for true.
    Not(Box<Expr>),
    /// All are true.
    And(Vec<Expr>),
    /// At least one is true.
    Or(Vec<Expr>),
    /// A sum; terms with the flag are subtracted.
    Sum(Vec<(bool, Expr)>),
    /// A product; factors with the flag are divisors.
    Product(Vec<(bool, Expr)>),
    /// A comparison.
    Compare(Comparison, Box<[Expr; 2]>),
    /// An implication.
    Implies(Box<[Expr; 2]>),
    /// The second if the first is true, otherwise the third.
    If(Box<[Expr; 3]>),
    /// A function of the language.
    Call(Function, Vec<Expr>),
}

/// The comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`, and `<=>` of truth values.
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// A function of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The smallest of its arguments.
    Min,
    /// The largest.
    Max,
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// Rounded to the nearest integer, halves up.
    Round,
    /// The first to the power of the second.
    Pow,
    /// The remainder of the division of the first by the second.
    Mod,
    /// The logarithm of the first to the base of the second.
    Log,
}

impl Function {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Pow => "pow",
            Self::Mod => "mod",
            Self::Log => "log",
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Min, Self::Max, Self::Floor, Self::Ceil, Self::Round, Self::Pow, Self::Mod, Self::Log];
        all.into_iter().find(|function| function.name() == name)
    }
}

impl Expr {
    /// A constant value.
    pub fn constant(value: Value, at: At) -> Self {
        Self { kind: Kind::Constant(value), at }
    }

    /// Its value when it is a constant.
    pub fn as_constant(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn wrong(&self, problem: impl Into<String>, remedy: &str) -> Error {
        Error::new(self.at, problem, remedy)
    }

    fn too_large(&self) -> Error {
        self.wrong("a number that is too large", "whole numbers have 63 bits")
    }

    /// Its value. `state` has the value of every variable, 1 and 0 for true and false.
    ///
    /// # Errors
    /// Where it is undefined: numbers in place of truth values, division by zero, numbers that are too large, names
    /// that have not been looked up.
    pub fn value(&self, state: &[i64]) -> Result<Value, Error> {
        Ok(match &self.kind {
            Kind::Constant(value) => value.clone(),
            Kind::Variable(place, true) => Value::Bool(state[*place] != 0),
            Kind::Variable(place, false) => Value::Int(state[*place]),
            Kind::Name(name) => return Err(self.wrong(format!("`{name}` has no value here"), "a constant")),
            Kind::Label(name) => return Err(self.wrong(format!("a label, \"{name}\""), "labels stand in goals only")),
            Kind::Minus(inner) => match inner.value(state)? {
                Value::Int(value) => Value::Int(value.checked_neg().ok_or_else(|| self.too_large())?),
                Value::Real(value) => Value::Real(-value),
                Value::Bool(_) => return Err(inner.no_number()),
            },
            Kind::Not(inner) => Value::Bool(!inner.truth(state)?),
            Kind::And(all) => {
                for one in all {
                    if !one.truth(state)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Value::Bool(true)
            }
            Kind::Or(all) => {
                for one in all {
                    if one.truth(state)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Value::Bool(false)
            }
            Kind::Implies(pair) => Value::Bool(!pair[0].truth(state)? || pair[1].truth(state)?),
            Kind::If(three) => three[if three[0].truth(state)? { 1 } else { 2 }].value(state)?,
            Kind::Compare(comparison, pair) => Value::Bool(self.compare(*comparison, pair, state)?),
            Kind::Sum(terms) => {
                let mut sum = Value::Int(0);
                for (minus, term) in terms {
                    sum = self.add(&sum, *minus, term, state)?;
                }
                sum
            }
            Kind::Product(factors) => {
                let mut product = Value::Int(1);
                for (divides, factor) in factors {
                    product = self.times(&product, *divides, factor, state)?;
                }
                product
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, state)?,
        })
    }

    /// Whether it is true.
    ///
    /// # Errors
    /// As [`value`](Self::value); when it is a number.
    pub fn truth(&self, state: &[i64]) -> Result<bool, Error> {
        match self.value(state)? {
            Value::Bool(value) => Ok(value),
            number => Err(self.wrong(format!("the number {number}"), "true or false belongs here")),
        }
    }

    /// Its value as an integer.
    ///
    /// # Errors
    /// As [`value`](Self::value); when it is anything else.
    pub fn int(&self, state: &[i64]) -> Result<i64, Error> {
        let value = self.value(state)?;
        match &value {
            Value::Int(value) => Ok(*value),
            // `4 / 2` is an integer, too.
            Value::Real(number) if number.denominator().is_one() => {
                i64::try_from(number.numerator()).map_err(|_| self.too_large())
            }
            Value::Real(number) => {
                Err(self.wrong(format!("{number}"), "a whole number belongs here: floor(...) or ceil(...) makes one"))
            }
            Value::Bool(value) => Err(self.wrong(format!("{value}"), "a whole number belongs here")),
        }
    }

    /// Its value as a number.
    ///
    /// # Errors
    /// As [`value`](Self::value); when it is true or false.
    pub fn number(&self, state: &[i64]) -> Result<RBig, Error> {
        self.value(state)?.number().ok_or_else(|| self.no_number())
    }

    fn no_number(&self) -> Error {
        self.wrong("true or false", "a number belongs here")
    }

    fn compare(&self, comparison: Comparison, pair: &[Self; 2], state: &[i64]) -> Result<bool, Error> {
        let (one, other) = (pair[0].value(state)?, pair[1].value(state)?);
        let order = match (&one, &other) {
            (Value::Bool(one), Value::Bool(other)) => {
                return match comparison {
                    Comparison::Equal => Ok(one == other),
                    Comparison::Unequal => Ok(one != other),
                    _ => Err(self.no_number()),
                };
            }
            _ => {
                one.compare(&other).ok_or_else(|| self.wrong("a number compared with true or false", "two numbers"))?
            }
        };
        Ok(match comparison {
            Comparison::Equal => order == Ordering::Equal,
            Comparison::Unequal => order != Ordering::Equal,
            Comparison::Less => order == Ordering::Less,
            Comparison::AtMost => order != Ordering::Greater,
            Comparison::More => order == Ordering::Greater,
            Comparison::AtLeast => order != Ordering::Less,
        })
    }

    fn add(&self, sum: &Value, minus: bool, term: &Self, state: &[i64]) -> Result<Value, Error> {
        let term_value = term.value(state)?;
        if let (Value::Int(sum), Value::Int(value)) = (sum, &term_value) {
            let sum = if minus { sum.checked_sub(*value) } else { sum.checked_add(*value) };
            return sum.map(Value::Int).ok_or_else(|| self.too_large());
        }
        let (sum, value) = (sum.number(), term_value.number());
        let (Some(sum), Some(value)) = (sum, value) else { return Err(term.no_number()) };
        real(if minus { sum - value } else { sum + value }).ok_or_else(|| self.too_large())
    }

    fn times(&self, product: &Value, divides: bool, factor: &Self, state: &[i64]) -> Result<Value, Error> {
        let value = factor.value(state)?;
        if let (Value::Int(product), Value::Int(value), false) = (product, &value, divides) {
            return product.checked_mul(*value).map(Value::Int).ok_or_else(|| self.too_large());
        }
        let (Some(product), Some(value)) = (product.number(), value.number()) else { return Err(factor.no_number()) };
        if divides && value.is_zero() {
            return Err(factor.wrong("a division by zero", "a divisor that is never 0"));
        }
        real(if divides { product / value } else { product * value }).ok_or_else(|| self.too_large())
    }

    fn call(&self, function: Function, arguments: &[Self], state: &[i64]) -> Result<Value, Error> {
        let one = || {
            let [argument] = arguments else { return Err(self.wrong("a function of one number", "one argument")) };
            argument.number(state)
        };
        let two = || {
            let [first, second] = arguments else {
                return Err(self.wrong("a function of two numbers", "two arguments"));
            };
            Ok((first, second))
        };
        match function {
            Function::Min | Function::Max => {
                let mut best: Option<Value> = None;
                for argument in arguments {
                    let value = argument.value(state)?;
                    let order = best.as_ref().map(|best| value.compare(best));
                    let better = if function == Function::Min { Ordering::Less } else { Ordering::Greater };
                    match order {
                        None if value.number().is_none() => return Err(argument.no_number()),
                        Some(None) => return Err(argument.no_number()),
                        Some(Some(order)) if order != better => {}
                        _ => best = Some(value),
                    }
                }
                best.ok_or_else(|| self.wrong("a function of numbers", "at least one argument"))
            }
            Function::Floor => Value::floor(&one()?).ok_or_else(|| self.too_large()),
            Function::Ceil => Value::ceil(&one()?).ok_or_else(|| self.too_large()),
            Function::Round => {
                let half = RBig::from_parts(IBig::from(1), 2u8.into());
                Value::floor(&(one()? + half)).ok_or_else(|| self.too_large())
            }
            Function::Mod => {
                let (first, second) = two()?;
                let (value, divisor) = (first.int(state)?, second.int(state)?);
                if divisor <= 0 {
                    return Err(second.wrong(format!("a remainder of division by {divisor}"), "a positive divisor"));
                }
                Ok(Value::Int(value.rem_euclid(divisor)))
            }
            Function::Pow => {
                let (base, exponent) = two()?;
                self.exact(power(&base.number(state)?, &exponent.number(state)?))
            }
            Function::Log => {
                let (number, base) = two()?;
                self.exact(logarithm(&number.number(state)?, &base.number(state)?))
            }
        }
    }

    /// The value of a power or a logarithm.
    fn exact(&self, found: Result<RBig, NoFraction>) -> Result<Value, Error> {
        match found {
            Ok(number) if number.denominator().is_one() => {
                Ok(i64::try_from(number.numerator()).map_or(Value::Real(number), Value::Int))
            }
            Ok(number) => Ok(Value::Real(number)),
            Err(NoFraction::TooLarge) => Err(self.too_large()),
            Err(NoFraction::Undefined(problem, remedy)) => Err(self.wrong(problem, remedy)),
            Err(NoFraction::Irrational) => Err(self.wrong(
                "an irrational number, which is not exact",
                "powers and logarithms that are fractions, such as pow(1/4, 1/2), or a decimal",
            )),
        }
    }
}
