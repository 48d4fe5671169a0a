//! Conditions and numbers in quotes: `"has seal and gold >= 3 * r"`.

use std::ops::Range;

use super::kdl::shown_name;
use super::problem::did_you_mean;
use crate::book::{Condition, DISCIPLINES, Kind, Number};
use crate::terms::{Comparison, Operator};

/// What a name may stand for.
pub(crate) trait Names {
    /// The item of this name.
    fn item(&self, name: &str) -> Option<usize>;
    /// The weapon of this name.
    fn weapon(&self, _name: &str) -> Option<usize> {
        None
    }
    /// The flag of this name.
    fn flag(&self, name: &str) -> Option<usize>;
    /// The counter of this name.
    fn counter(&self, name: &str) -> Option<usize>;
    /// The name bound in this section.
    fn local(&self, name: &str) -> Option<usize>;
    /// Everything that a misspelt name could have been.
    fn known(&self) -> Vec<String>;
    /// Whether all names are those of a system of rules of its own.
    fn is_system(&self) -> bool {
        false
    }
    /// The number of this name in a system of rules of its own.
    fn number(&self, _name: &str) -> Option<Number> {
        None
    }
    /// What is to be said of a name that means something, but not here.
    fn elsewhere(&self, _name: &str) -> Option<(String, String)> {
        None
    }
    /// Whether the number of this name is a yes or no.
    fn is_flag(&self, _name: &str) -> bool {
        false
    }
    /// The ranks, the lowest first.
    fn ranks(&self) -> &[String] {
        &[]
    }
    /// The readings of this name, and which has this value.
    fn reading(&self, _name: &str) -> Option<(usize, Vec<String>)> {
        None
    }
}

/// What is wrong with an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// A name that is not declared.
    pub unknown: bool,
    pub at: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

/// The deepest nesting of parentheses, and the longest text, that is read.
const DEEPEST: usize = 64;

const LONGEST: usize = 4096;

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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Number(i32),
    Sign(&'static str),
}

struct Parser<'a> {
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
    depth: usize,
    length: usize,
    /// Whether `/` can stand here.
    divides: bool,
    names: &'a dyn Names,
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
            // `enemy.stamina`: a name of somebody.
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
    fn new(text: &str, names: &'a dyn Names) -> Result<Self, Wrong> {
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

    fn here(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.length..self.length, |(_, at)| at.clone())
    }

    fn wrong<T>(&self, message: impl Into<String>, help: impl Into<String>) -> Result<T, Wrong> {
        Err(Wrong { unknown: false, at: self.here(), message: message.into(), help: Some(help.into()) })
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.next), Some((Token::Sign(other), _)) if *other == sign);
        self.next += usize::from(found);
        found
    }

    fn peek_word(&self) -> Option<&str> {
        match self.tokens.get(self.next) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn end(&self) -> Result<(), Wrong> {
        if self.next == self.tokens.len() {
            return Ok(());
        }
        self.wrong("the expression goes on where it should end", "join parts by `and`, `or` or an operator")
    }

    fn deeper(&mut self) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong("nested too deeply", format!("{DEEPEST} levels are read"));
        }
        Ok(())
    }

    fn either(&mut self) -> Result<Condition, Wrong> {
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
            Some("reading")
                if self.names.flag("reading").is_none()
                    && matches!(self.tokens.get(self.next + 1), Some((Token::Word(_), _))) =>
            {
                self.next += 1;
                self.reading()
            }
            Some("rank") => {
                self.next += 1;
                let ranks = self.names.ranks();
                let place = self.peek_word().and_then(|word| ranks.iter().position(|rank| *rank == word));
                let Some(place) = place else {
                    return self.wrong("this is no rank", format!("the ranks are {}", ranks.join(", ")));
                };
                self.next += 1;
                let disciplines = Number::Constant(i32::try_from(place + 1).unwrap_or(i32::MAX));
                Ok(Condition::Compare(Comparison::AtLeast, Number::Disciplines, disciplines))
            }
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

    /// What only a system of rules of its own says, and what it says in its own way.
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

    /// Whether the parenthesis here is followed by an operator: then it holds a number.
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

    fn comparison(&mut self) -> Result<Condition, Wrong> {
        let left = self.sum()?;
        let comparison = match self.tokens.get(self.next) {
            Some((Token::Sign("="), _)) => Comparison::Equal,
            Some((Token::Sign("!="), _)) => Comparison::NotEqual,
            Some((Token::Sign("<"), _)) => Comparison::Less,
            Some((Token::Sign("<="), _)) => Comparison::AtMost,
            Some((Token::Sign(">"), _)) => Comparison::More,
            Some((Token::Sign(">="), _)) => Comparison::AtLeast,
            _ => {
                return self.wrong(
                    "this is a number where a condition should be",
                    "compare it (`gold >= 3`), or write `has` before an item",
                );
            }
        };
        self.next += 1;
        Ok(Condition::Compare(comparison, left, self.sum()?))
    }

    fn sum(&mut self) -> Result<Number, Wrong> {
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

    /// An operation, done at once on constants.
    fn operation(&self, operator: Operator, left: Number, right: Number) -> Result<Number, Wrong> {
        let (Number::Constant(a), Number::Constant(b)) = (&left, &right) else {
            return Ok(Number::Operation(operator, Box::new(left), Box::new(right)));
        };
        match operator.checked(*a, *b) {
            Some(number) => Ok(Number::Constant(number)),
            None => self.wrong("this number is too large", format!("numbers up to {} are worked with", i32::MAX)),
        }
    }

    fn closed(&mut self, inner: Number) -> Result<Number, Wrong> {
        if self.sign(")") { Ok(inner) } else { self.wrong("a `)` is missing", "close the parenthesis") }
    }

    fn named_number(&mut self) -> Result<Number, Wrong> {
        let word = self.peek_word().unwrap_or_default().to_string();
        if let "down" | "up" = word.as_str()
            && matches!(self.tokens.get(self.next + 1), Some((Token::Sign("("), _)))
        {
            self.next += 1;
            return self.quotient(if word == "down" { Operator::Down } else { Operator::Up });
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
            if !self.sign(",") {
                return self.wrong(format!("`{word}` needs two numbers"), format!("write `{word}(a, b)`"));
            }
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

    fn name<T>(&mut self, what: &str, find: impl Fn(&dyn Names, &str) -> Option<T>) -> Result<T, Wrong> {
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Few;
    impl Names for Few {
        fn item(&self, name: &str) -> Option<usize> {
            ["meal", "seal"].iter().position(|item| *item == name)
        }
        fn flag(&self, name: &str) -> Option<usize> {
            (name == "password").then_some(0)
        }
        fn counter(&self, name: &str) -> Option<usize> {
            (name == "table-limit").then_some(0)
        }
        fn local(&self, name: &str) -> Option<usize> {
            (name == "r").then_some(0)
        }
        fn known(&self) -> Vec<String> {
            ["meal", "seal", "password", "table-limit", "r"].map(String::from).into()
        }
    }

    fn has(item: usize) -> Condition {
        Condition::Compare(Comparison::AtLeast, Number::Item(item), Number::Constant(1))
    }

    #[test]
    fn and_binds_more_tightly_than_or() {
        assert_eq!(
            condition("has meal or has seal and not password", &Few),
            Ok(Condition::Or(
                Box::new(has(0)),
                Box::new(Condition::And(Box::new(has(1)), Box::new(Condition::Not(Box::new(Condition::Flag(0))))))
            ))
        );
        assert_eq!(condition("(has meal)", &Few), Ok(has(0)));
        assert!(condition("(has meal or has seal) and gold > 3", &Few).is_ok());
        assert!(condition("(gold + 1) * 2 >= 3 and ((gold)) = (2)", &Few).is_ok());
    }

    #[test]
    fn numbers() {
        assert_eq!(number("3 * (2 + 1) - 1", &Few), Ok(Number::Constant(8)));
        assert_eq!(number("-4", &Few), Ok(Number::Constant(-4)));
        assert!(number("min(7 * r, table-limit - gold)", &Few).is_ok());
    }

    #[test]
    fn errors_say_where() {
        let wrong = |text: &str| condition(text, &Few).unwrap_err();
        let (deep, denied) = ("(".repeat(3000), "not ".repeat(900));
        assert_eq!(wrong("has maels").help.as_deref(), Some("did you mean `meal`?"));
        assert_eq!(wrong("has maels").at, 4..9);
        assert_eq!(wrong("gold").message, "this is a number where a condition should be");
        assert_eq!(wrong("gold >= ").at, 8..8);
        assert_eq!(wrong("has meal has seal").at, 9..12);
        assert_eq!(wrong("gold-1 > 2").help.as_deref(), Some("declare it, or write spaces around a minus sign"));
        assert_eq!(wrong("gold > 99999999999999999999").message, "this number is too large");
        assert_eq!(wrong("gold ; 1").at, 5..6);
        assert_eq!(wrong(deep.as_str()).message, "nested too deeply");
        assert_eq!(wrong(denied.as_str()).message, "nested too deeply");
    }
}
