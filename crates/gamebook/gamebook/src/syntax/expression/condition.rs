//! Conditions: comparisons and possessions, joined by `and`, `or` and `not`.

use super::names::Wrong;
use super::parser::{Parser, Token};
use crate::book::{Condition, DISCIPLINES, Number};
use crate::syntax::kdl::shown_name;
use crate::syntax::problem::did_you_mean;
use crate::terms::Comparison;

impl Parser<'_> {
    pub(super) fn either(&mut self) -> Result<Condition, Wrong> {
        let mut left = self.both()?;
        while self.word("or") {
            left = Condition::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Condition, Wrong> {
        let mut left = self.not()?;
        while self.word("and") {
            left = Condition::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Condition, Wrong> {
        if self.word("not") {
            self.deeper()?;
            let inner = self.not()?;
            self.depth -= 1;
            return Ok(Condition::Not(Box::new(inner)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Condition, Wrong> {
        if matches!(self.tokens.get(self.next), Some((Token::Sign("("), _))) && !self.parenthesis_is_a_number() {
            self.next += 1;
            self.deeper()?;
            let condition = self.either()?;
            self.depth -= 1;
            return if self.sign(")") {
                Ok(condition)
            } else {
                self.wrong("a `)` is missing", "close the parenthesis")
            };
        }
        let word = self.peek_word().map(str::to_string);
        if self.names.is_system()
            && let Some(condition) = self.system_atom(word.as_deref())
        {
            return condition;
        }
        match word.as_deref() {
            Some("always") => {
                self.next += 1;
                Ok(Condition::Constant(true))
            }
            Some("never") => {
                self.next += 1;
                Ok(Condition::Constant(false))
            }
            Some("wounded") => {
                self.next += 1;
                Ok(Condition::Wounded)
            }
            Some("has") => {
                self.next += 1;
                let item = self.name("an item", |names, name| names.item(name))?;
                Ok(Condition::Compare(Comparison::AtLeast, Number::Item(item), Number::Constant(1)))
            }
            Some("skilled") if self.names.flag("skilled").is_none() => {
                self.next += 1;
                self.name("a weapon", |names, name| names.weapon(name)).map(Condition::Skilled)
            }
            Some("discipline") => {
                self.next += 1;
                self.discipline()
            }
            Some("reading")
                if self.names.flag("reading").is_none()
                    && matches!(self.tokens.get(self.next + 1), Some((Token::Word(_), _))) =>
            {
                self.next += 1;
                self.reading()
            }
            Some("rank") => self.rank(),
            Some(word) => {
                if let Some(flag) = self.names.flag(word) {
                    self.next += 1;
                    return Ok(Condition::Flag(flag));
                }
                self.comparison()
            }
            None => self.comparison(),
        }
    }

    /// `rank NAME`: the rank is at least this.
    fn rank(&mut self) -> Result<Condition, Wrong> {
        self.next += 1;
        let ranks = self.names.ranks();
        let place = self.peek_word().and_then(|word| ranks.iter().position(|rank| rank == word));
        let Some(place) = place else {
            return self.wrong("this is not a rank", format!("the ranks are {}", ranks.join(", ")));
        };
        self.next += 1;
        let skills = Number::Constant(i32::try_from(place + 1).unwrap_or(i32::MAX));
        Ok(Condition::Compare(Comparison::AtLeast, Number::Disciplines, skills))
    }

    /// Parses the name of a discipline.
    fn discipline(&mut self) -> Result<Condition, Wrong> {
        let at = self.here();
        let Some(name) = self.peek_word().map(str::to_string) else {
            return self.wrong("the name of a discipline is missing", "write `discipline healing`");
        };
        self.next += 1;
        let names = DISCIPLINES.map(|(_, name)| name);
        name.parse().map(Condition::Discipline).map_err(|_: String| Wrong {
            unknown: false,
            at,
            message: format!("there is no discipline `{}`", shown_name(&name)),
            help: did_you_mean(&name, names).or_else(|| Some(format!("there are {}", names.join(", ")))),
        })
    }

    /// Conditions that only systems of rules have, or write differently.
    fn system_atom(&mut self, word: Option<&str>) -> Option<Result<Condition, Wrong>> {
        let there = |number| Condition::Compare(Comparison::AtLeast, number, Number::Constant(1));
        match word? {
            "always" | "never" => None,
            "has" => {
                self.next += 1;
                Some(self.name("something that he can have", |names, name| names.number(name)).map(there))
            }
            "reading" => {
                self.next += 1;
                Some(self.reading())
            }
            "rank" if self.names.number("rank").is_none() && !self.names.ranks().is_empty() => Some(self.rank()),
            word if self.names.is_flag(word) => {
                let number = self.names.number(word)?;
                self.next += 1;
                Some(Ok(there(number)))
            }
            _ => Some(self.comparison()),
        }
    }

    /// `reading NAME VALUE`, after its first word.
    fn reading(&mut self) -> Result<Condition, Wrong> {
        let (reading, values) = self.name("a reading", |names, name| names.reading(name))?;
        let value = match self.tokens.get(self.next) {
            Some((Token::Word(word), _)) => word.clone(),
            Some((Token::Number(number), _)) => number.to_string(),
            _ => String::new(),
        };
        let Some(place) = values.iter().position(|own| *own == value) else {
            return self.wrong("it is not read so", format!("it is read as one of {}", values.join(", ")));
        };
        self.next += 1;
        Ok(Condition::Reading(reading, place))
    }

    /// Whether the parenthesis here is followed by an operator and therefore encloses a number.
    fn parenthesis_is_a_number(&self) -> bool {
        let mut depth = 0;
        for (place, (token, _)) in self.tokens.iter().enumerate().skip(self.next) {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return matches!(
                    self.tokens.get(place + 1),
                    Some((Token::Sign("=" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/"), _))
                );
            }
        }
        false
    }

    pub(super) fn comparison(&mut self) -> Result<Condition, Wrong> {
        let begin = self.here();
        let left = self.sum()?;
        let comparison = match self.tokens.get(self.next) {
            Some((Token::Sign("="), _)) => Comparison::Equal,
            Some((Token::Sign("!="), _)) => Comparison::NotEqual,
            Some((Token::Sign("<"), _)) => Comparison::Less,
            Some((Token::Sign("<="), _)) => Comparison::AtMost,
            Some((Token::Sign(">"), _)) => Comparison::More,
            Some((Token::Sign(">="), _)) => Comparison::AtLeast,
            _ => {
                let wrong = self.wrong(
                    "this is a number where a condition should be",
                    "compare it (`gold >= 3`), or write `has` before an item",
                );
                return wrong.map_err(|wrong| Wrong { at: begin, ..wrong });
            }
        };
        self.next += 1;
        Ok(Condition::Compare(comparison, left, self.sum()?))
    }
}
