//! Writes expressions as numbers and conditions of the book language.

use gamebook::Comparison;

use super::{Writer, set_mark};
use crate::line::Line;
use crate::story::{Expression, Operation};

impl Writer<'_> {
    /// A name for a roll.
    pub(super) fn roll(&mut self) -> String {
        self.rolls += 1;
        format!("roll-{}", self.rolls)
    }

    /// A number; its dice are rolled in lines before it.
    pub(super) fn number(&mut self, own: &Expression, body: &mut Vec<Line>) -> Result<String, String> {
        Ok(match own {
            Expression::Number(number @ ..0) => format!("(0 - {})", -number),
            Expression::Number(number) => number.to_string(),
            Expression::Boolean(own) => u8::from(*own).to_string(),
            Expression::Text(text) => self.names.text(text).to_string(),
            Expression::Variable(name) => self.names.name(name),
            Expression::Operation(operation, left, right) => {
                let (left, right) = (self.number(left, body)?, self.number(right, body)?);
                match operation {
                    Operation::Plus => format!("({left} + {right})"),
                    Operation::Minus => format!("({left} - {right})"),
                    Operation::Times => format!("({left} * {right})"),
                    Operation::Down => format!("down({left} / {right})"),
                    Operation::Up => format!("up({left} / {right})"),
                    Operation::Least => format!("min({left}, {right})"),
                    Operation::Most => format!("max({left}, {right})"),
                }
            }
            Expression::Random(least, most) => {
                let sides = most - least + 1;
                let roll = self.roll();
                body.push(Line::leaf(format!("roll d{sides} as={roll}")));
                match least - 1 {
                    less @ ..0 => format!("({roll} - {})", -less),
                    more => format!("({roll} + {more})"),
                }
            }
            Expression::Either(all) => {
                let roll = self.roll();
                body.push(Line::leaf(format!("roll d{} as={roll}", all.len())));
                let mut found = String::new();
                for (place, one) in all.iter().enumerate().rev() {
                    let number = place + 1;
                    let one = self.number(one, body)?;
                    found = if found.is_empty() { one } else { format!("if({roll} = {number}, {one}, {found})") };
                }
                found
            }
            Expression::Choose(test, one, other) => {
                let test = self.test(test, body)?;
                format!("if({test}, {}, {})", self.number(one, body)?, self.number(other, body)?)
            }
            own => format!("if({}, 1, 0)", self.test(own, body)?),
        })
    }

    pub(super) fn test(&mut self, own: &Expression, body: &mut Vec<Line>) -> Result<String, String> {
        Ok(match own {
            Expression::And(left, right) => format!("({}) and ({})", self.test(left, body)?, self.test(right, body)?),
            Expression::Or(left, right) => format!("({}) or ({})", self.test(left, body)?, self.test(right, body)?),
            Expression::Not(inner) => format!("not ({})", self.test(inner, body)?),
            Expression::Compare(comparison, left, right) if is_asked(left) || is_asked(right) => {
                self.compared_conditions(*comparison, left, right, body)?
            }
            Expression::Compare(comparison, left, right) => {
                let sign = comparison.sign();
                format!("{} {sign} {}", self.number(left, body)?, self.number(right, body)?)
            }
            Expression::Boolean(own) => {
                if *own {
                    "always".into()
                } else {
                    "never".into()
                }
            }
            Expression::Same(is_same, left, right) => {
                let how = if *is_same { Comparison::Equal } else { Comparison::NotEqual };
                self.test(&Expression::Compare(how, left.clone(), right.clone()), body)?
            }
            Expression::IsSet(name) => format!("{} != 0", self.names.name(&set_mark(name))),
            Expression::Elided(..) => return Err("a comparison whose operand is left out".into()),
            own => format!("{} != 0", self.number(own, body)?),
        })
    }

    /// A condition as an operand of a comparison: yes is 1, no is 0.
    fn compared_conditions(
        &mut self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        body: &mut Vec<Line>,
    ) -> Result<String, String> {
        let is_equal = match comparison {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => {
                let sign = comparison.sign();
                return Ok(format!("{} {sign} {}", self.number(left, body)?, self.number(right, body)?));
            }
        };
        let (asked, other) = if is_asked(left) { (left, right) } else { (right, left) };
        let asked = self.test(asked, body)?;
        let (yes, no) = if other.is_condition() {
            let other = self.test(other, body)?;
            (other.clone(), format!("not ({other})"))
        } else {
            let other = self.number(other, body)?;
            (format!("{other} = 1"), format!("{other} = 0"))
        };
        let alike = format!("(({asked}) and ({yes})) or ((not ({asked})) and ({no}))");
        Ok(if is_equal { alike } else { format!("not ({alike})") })
    }
}

/// Whether the expression is a condition, which the book language cannot use as a number.
fn is_asked(own: &Expression) -> bool {
    own.is_condition() && !matches!(own, Expression::Boolean(_))
}
