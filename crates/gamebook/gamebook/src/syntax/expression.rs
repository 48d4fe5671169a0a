//! Conditions and numbers in quotes: `"has seal and gold >= 3 * r"`.

mod condition;
mod names;
mod number;
mod parser;

use crate::book::{Condition, Number};
use parser::Parser;

pub(crate) use names::{Names, Wrong};

/// Reads a condition.
pub(crate) fn condition(text: &str, names: &dyn Names) -> Result<Condition, Wrong> {
    let mut parser = Parser::new(text, names)?;
    let condition = parser.either()?;
    parser.end()?;
    Ok(condition)
}

/// Reads a number.
pub(crate) fn number(text: &str, names: &dyn Names) -> Result<Number, Wrong> {
    let mut parser = Parser::new(text, names)?;
    let number = parser.sum()?;
    parser.end()?;
    Ok(number)
}

#[cfg(test)]
mod tests;
