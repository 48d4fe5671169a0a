//! Numbers: sums, products and quotients of names and constants.

use super::names::Wrong;
use super::parser::{Parser, Token};
use crate::book::{Kind, Number};
use crate::terms::Operator;

impl Parser<'_> {
    pub(super) fn sum(&mut self) -> Result<Number, Wrong> {
        let mut left = self.product()?;
        loop {
            let operator = if self.sign("+") {
                Operator::Plus
            } else if self.sign("-") {
                Operator::Minus
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.operation(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Result<Number, Wrong> {
        let mut left = self.factor()?;
        while self.sign("*") {
            let right = self.factor()?;
            left = self.operation(Operator::Times, left, right)?;
        }
        if matches!(self.tokens.get(self.next), Some((Token::Sign("/"), _))) && !self.divides {
            return self.wrong("how is this rounded?", "write `down(a / b)` or `up(a / b)`");
        }
        Ok(left)
    }

    /// `down(a / b)` or `up(a / b)`, after the name.
    fn quotient(&mut self, operator: Operator) -> Result<Number, Wrong> {
        const HELP: &str = "write `down(a / b)` or `up(a / b)`";
        self.deeper()?;
        if !self.sign("(") {
            return self.wrong("two numbers are divided here", HELP);
        }
        let around = std::mem::replace(&mut self.divides, true);
        let left = self.product()?;
        if !self.sign("/") {
            return self.wrong("two numbers are divided here", format!("{HELP}, with parentheses around sums"));
        }
        let right = self.product()?;
        self.divides = around;
        self.depth -= 1;
        if right == Number::Constant(0) {
            return self.wrong("nothing can be divided by 0", "divide by another number");
        }
        let quotient = self.operation(operator, left, right)?;
        self.closed(quotient)
    }

    fn factor(&mut self) -> Result<Number, Wrong> {
        if self.sign("-") {
            self.deeper()?;
            let inner = self.factor()?;
            self.depth -= 1;
            return self.operation(Operator::Minus, Number::Constant(0), inner);
        }
        if self.sign("(") {
            self.deeper()?;
            let around = std::mem::replace(&mut self.divides, false);
            let inner = self.sum()?;
            self.divides = around;
            self.depth -= 1;
            return self.closed(inner);
        }
        match self.tokens.get(self.next) {
            Some((Token::Number(number), _)) => {
                let number = *number;
                self.next += 1;
                Ok(Number::Constant(number))
            }
            Some((Token::Word(_), _)) => self.named_number(),
            _ => self.wrong("a number is missing here", "write a number, a name, or an expression in parentheses"),
        }
    }

    /// `if(condition, a, b)`
    fn one_of_two(&mut self) -> Result<Number, Wrong> {
        const HELP: &str = "write `if(condition, a, b)`";
        self.next += 2;
        self.deeper()?;
        let around = std::mem::replace(&mut self.divides, false);
        let condition = self.either()?;
        self.comma("a condition and two numbers stand in `if`", HELP)?;
        let yes = self.sum()?;
        self.comma("a condition and two numbers stand in `if`", HELP)?;
        let no = self.sum()?;
        self.divides = around;
        self.depth -= 1;
        self.closed(Number::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// The comma between two parts.
    fn comma(&mut self, message: &str, help: &str) -> Result<(), Wrong> {
        if self.sign(",") { Ok(()) } else { self.wrong(message, help) }
    }

    /// `NAME(row, column)`
    fn table(&mut self, name: &str, table: usize) -> Result<Number, Wrong> {
        self.next += 2;
        self.deeper()?;
        let around = std::mem::replace(&mut self.divides, false);
        let row = self.sum()?;
        self.comma("a row and a column are looked up", &format!("write `{name}(row, column)`"))?;
        let column = self.sum()?;
        self.divides = around;
        self.depth -= 1;
        self.closed(Number::Table(table, Box::new(row), Box::new(column)))
    }

    /// An operation, evaluated at once if both operands are constants.
    pub(super) fn operation(&self, operator: Operator, left: Number, right: Number) -> Result<Number, Wrong> {
        let (Number::Constant(a), Number::Constant(b)) = (&left, &right) else {
            return Ok(Number::Operation(operator, Box::new(left), Box::new(right)));
        };
        match operator.checked(*a, *b) {
            Some(number) => Ok(Number::Constant(number)),
            None => self.wrong("this number is too large", format!("numbers up to {} are worked with", i32::MAX)),
        }
    }

    pub(super) fn closed(&mut self, inner: Number) -> Result<Number, Wrong> {
        if self.sign(")") { Ok(inner) } else { self.wrong("a `)` is missing", "close the parenthesis") }
    }

    pub(super) fn named_number(&mut self) -> Result<Number, Wrong> {
        let word = self.peek_word().unwrap_or_default().to_string();
        if let "down" | "up" = word.as_str()
            && matches!(self.tokens.get(self.next + 1), Some((Token::Sign("("), _)))
        {
            self.next += 1;
            return self.quotient(if word == "down" { Operator::Down } else { Operator::Up });
        }
        let opens = matches!(self.tokens.get(self.next + 1), Some((Token::Sign("("), _)));
        if self.names.is_system() && opens && word == "if" {
            return self.one_of_two();
        }
        if let Some(table) = self.names.table(&word).filter(|_| opens) {
            return self.table(&word, table);
        }
        let plain = match word.as_str() {
            _ if self.names.is_system() => None,
            "gold" => Some(Number::Gold),
            "endurance" => Some(Number::Endurance),
            "max-endurance" => Some(Number::MaxEndurance),
            "combat-skill" => Some(Number::CombatSkill),
            "disciplines" => Some(Number::Disciplines),
            "weapons" => Some(Number::OfKind(Kind::Weapon)),
            "backpack-items" => Some(Number::OfKind(Kind::Backpack)),
            "backpack-room" => Some(Number::BackpackRoom),
            "rounds" => Some(Number::Rounds),
            _ => None,
        };
        if let Some(number) = plain {
            self.next += 1;
            return Ok(number);
        }
        if let "min" | "max" = word.as_str() {
            self.next += 1;
            self.deeper()?;
            if !self.sign("(") {
                return self.wrong(format!("`{word}` needs two numbers"), format!("write `{word}(a, b)`"));
            }
            let left = self.sum()?;
            self.comma(&format!("`{word}` needs two numbers"), &format!("write `{word}(a, b)`"))?;
            let right = self.sum()?;
            self.depth -= 1;
            let operator = if word == "min" { Operator::Min } else { Operator::Max };
            let number = self.operation(operator, left, right)?;
            return self.closed(number);
        }
        self.name("a number", |names, name| {
            names
                .number(name)
                .or_else(|| names.local(name).map(Number::Local))
                .or_else(|| names.counter(name).map(Number::Counter))
                .or_else(|| names.item(name).map(Number::Item))
        })
    }
}
