//! Numbers and conditions of stories: those of Harlowe, `SugarCube` and ink, as far as they are plain.

use gamebook::Comparison;

use super::DEEPEST;

/// The longest expression, in bytes.
const LONGEST: usize = 2_000;
/// The largest number that is read.
const LARGEST: i64 = 9_999;

/// Whose words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Harlowe,
    SugarCube,
    Ink,
}

/// A number or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    Text(String),
    Variable(String),
    Operation(Operation, Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    /// A number from the first to the last, each as likely.
    Random(i64, i64),
    /// One of these, each as likely.
    Either(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Plus,
    Minus,
    Times,
}

impl Expression {
    pub(crate) fn operation(operation: Operation, left: Self, right: Self) -> Self {
        Self::Operation(operation, Box::new(left), Box::new(right))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Visits it and everything that it is made of.
    pub(crate) fn visit<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        match self {
            Self::Operation(_, left, right)
            | Self::Compare(_, left, right)
            | Self::And(left, right)
            | Self::Or(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Not(inner) => inner.visit(visit),
            Self::Either(all) => all.iter().for_each(|own| own.visit(visit)),
            Self::Number(_) | Self::Text(_) | Self::Variable(_) | Self::Random(..) => {}
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i64),
    Text(String),
    Variable(String),
    Word(String),
    Sign(&'static str),
}

/// Reads an expression whole; `it` is the variable that is being set.
pub(crate) fn expression(text: &str, dialect: Dialect, it: Option<&str>) -> Result<Expression, String> {
    if text.len() > LONGEST {
        return Err(format!("an expression of {} bytes", text.len()));
    }
    let mut parser = Parser { tokens: tokens(text, dialect)?, next: 0, depth: 0, it };
    let found = parser.either()?;
    if parser.next < parser.tokens.len() { Err("an expression that is not plain".into()) } else { Ok(found) }
}

fn tokens(text: &str, dialect: Dialect) -> Result<Vec<Token>, String> {
    const SIGNS: [&str; 22] = [
        "===", "!==", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", ",", ":",
        "!", "?",
    ];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |own: char| own.is_alphanumeric() || own == '_';
        let word_length = |text: &str| text.find(|own: char| !is_name(own)).unwrap_or(text.len());
        let length = if first.is_ascii_digit() {
            let length = rest.find(|own: char| !own.is_ascii_digit()).unwrap_or(rest.len());
            if rest[length..].starts_with(|own: char| own == '.' || is_name(own)) {
                return Err("a number that is no whole one".into());
            }
            let number = rest[..length].parse().ok().filter(|number| *number <= LARGEST);
            tokens.push(Token::Number(number.ok_or_else(|| format!("a number above {LARGEST}"))?));
            length
        } else if matches!(first, '"' | '\'') {
            let end = rest[1..].find(first).ok_or("a text that does not end")?;
            if rest[1..=end].contains('\\') {
                return Err("a text with escapes".into());
            }
            tokens.push(Token::Text(rest[1..=end].into()));
            end + 2
        } else if dialect != Dialect::Ink && matches!(first, '$' | '_') && rest[1..].starts_with(is_name) {
            let length = 1 + word_length(&rest[1..]);
            if rest[length..].starts_with(['.', '[']) || rest[length..].starts_with("'s ") {
                return Err("a part of a variable".into());
            }
            tokens.push(Token::Variable(rest[..length].into()));
            length
        } else if is_name(first) {
            // Ink asks for places within places: `cave.lamp`.
            let is_own = |own: char| is_name(own) || dialect == Dialect::Ink && own == '.';
            let length = rest.find(|own: char| !is_own(own)).unwrap_or(rest.len());
            let word = &rest[..length];
            let is_variable = dialect == Dialect::Ink
                && !matches!(word, "and" | "or" | "not" | "true" | "false" | "RANDOM" | "mod")
                && !rest[length..].trim_start().starts_with('(');
            tokens.push(if is_variable { Token::Variable(word.into()) } else { Token::Word(word.into()) });
            length
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            sign.len()
        } else {
            return Err(format!("`{first}` in an expression"));
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser<'t> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    it: Option<&'t str>,
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

    fn either(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("an expression nested more than {DEEPEST} deep"));
        }
        let mut left = self.both()?;
        while self.word(&["or"]) || self.sign(&["||"]) {
            left = Expression::Or(Box::new(left), Box::new(self.both()?));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn both(&mut self) -> Result<Expression, String> {
        let mut left = self.not()?;
        while self.word(&["and"]) || self.sign(&["&&"]) {
            left = left.and(self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, String> {
        let mut times = 0;
        while self.word(&["not"]) || self.sign(&["!"]) {
            times += 1;
        }
        let own = self.comparison()?;
        Ok(if times % 2 == 1 { own.negated() } else { own })
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        let comparison = if self.word(&["is"]) {
            if self.word(&["not"]) { Comparison::NotEqual } else { Comparison::Equal }
        } else if self.word(&["eq"]) || self.sign(&["==", "==="]) {
            Comparison::Equal
        } else if self.word(&["isnot", "neq"]) || self.sign(&["!=", "!=="]) {
            Comparison::NotEqual
        } else if self.word(&["lt"]) || self.sign(&["<"]) {
            Comparison::Less
        } else if self.word(&["lte"]) || self.sign(&["<="]) {
            Comparison::AtMost
        } else if self.word(&["gt"]) || self.sign(&[">"]) {
            Comparison::More
        } else if self.word(&["gte"]) || self.sign(&[">="]) {
            Comparison::AtLeast
        } else {
            return Ok(left);
        };
        Ok(Expression::Compare(comparison, Box::new(left), Box::new(self.sum()?)))
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
        let mut left = self.atom()?;
        while self.sign(&["*"]) {
            left = Expression::operation(Operation::Times, left, self.atom()?);
        }
        if self.sign(&["/", "%"]) || self.word(&["mod"]) { Err("a division".into()) } else { Ok(left) }
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.sign(&["-"]) {
            return match self.atom()? {
                Expression::Number(number) => Ok(Expression::Number(-number)),
                own => Ok(Expression::operation(Operation::Minus, Expression::Number(0), own)),
            };
        }
        if self.sign(&["("]) {
            // A macro of Harlowe.
            if let (Some(Token::Word(name)), Some(Token::Sign(":"))) =
                (self.tokens.get(self.next).cloned(), self.tokens.get(self.next + 1))
            {
                self.next += 2;
                return self.call(&name);
            }
            let inner = self.either()?;
            return if self.sign(&[")"]) { Ok(inner) } else { Err("a parenthesis that is not closed".into()) };
        }
        let token = self.tokens.get(self.next).cloned().ok_or("an expression that ends too early")?;
        self.next += 1;
        match token {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(text)),
            Token::Variable(name) => Ok(Expression::Variable(name)),
            Token::Word(word) => match (word.as_str(), self.it) {
                ("true", _) => Ok(Expression::Number(1)),
                ("false", _) => Ok(Expression::Number(0)),
                ("it", Some(it)) => Ok(Expression::Variable(it.into())),
                _ if self.sign(&["("]) => self.call(&word),
                _ => Err(format!("`{}` in an expression", word.chars().take(30).collect::<String>())),
            },
            Token::Sign(sign) => Err(format!("`{sign}` in an expression")),
        }
    }

    /// What follows the name of a function and its parenthesis.
    fn call(&mut self, name: &str) -> Result<Expression, String> {
        let mut arguments = Vec::new();
        while !self.sign(&[")"]) {
            if !arguments.is_empty() && !self.sign(&[","]) {
                return Err(format!("what `{name}` is given"));
            }
            arguments.push(self.either()?);
        }
        match (name, &arguments[..]) {
            ("random" | "RANDOM", [Expression::Number(one), Expression::Number(other)]) => {
                let (least, most) = (*one.min(other), *one.max(other));
                // No die has more sides.
                if most - least < 1000 {
                    Ok(Expression::Random(least, most))
                } else {
                    Err("so large a `random`".into())
                }
            }
            ("random", [Expression::Number(most @ 0..1000)]) => Ok(Expression::Random(0, *most)),
            ("either", all) if (1..=100).contains(&all.len()) => Ok(Expression::Either(arguments)),
            _ => Err(format!("`{}` in an expression", name.chars().take(30).collect::<String>())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_meaning_in_all_dialects() {
        let harlowe =
            expression("$gold >= 3 and not ($key is true) or it + 1 is (random: 1, 6)", Dialect::Harlowe, Some("$x"));
        let sugar = expression("$gold gte 3 && !($key === true) || $x + 1 == random(1, 6)", Dialect::SugarCube, None);
        assert!(harlowe.is_ok());
        assert_eq!(harlowe, sugar);
        let either = expression("either('a', \"b\")", Dialect::SugarCube, None);
        assert_eq!(either, Ok(Expression::Either(vec![Expression::Text("a".into()), Expression::Text("b".into())])));
        let ink = expression("not key && x + 2 * RANDOM(1, 3) > -1", Dialect::Ink, None);
        assert_eq!(
            ink,
            expression("not $key and $x + 2 * random(1, 3) gt -1", Dialect::SugarCube, None).map(|own| unsigned(&own))
        );
    }

    /// The same with the names of ink.
    fn unsigned(own: &Expression) -> Expression {
        let inner = |own: &Expression| Box::new(unsigned(own));
        match own {
            Expression::Variable(name) => Expression::Variable(name.trim_start_matches('$').into()),
            Expression::Operation(what, left, right) => Expression::Operation(*what, inner(left), inner(right)),
            Expression::Compare(what, left, right) => Expression::Compare(*what, inner(left), inner(right)),
            Expression::And(left, right) => Expression::And(inner(left), inner(right)),
            Expression::Not(own) => Expression::Not(inner(own)),
            own => own.clone(),
        }
    }

    #[test]
    fn what_is_not_plain_is_said() {
        for text in [
            "$a's 1st",
            "$a[0]",
            "visited()",
            "1.5",
            "'x",
            "2 / 3",
            "(a: 1)",
            "",
            "1 2",
            "$a +",
            "99999",
            "random(1, 5000)",
        ] {
            assert!(expression(text, Dialect::Harlowe, None).is_err(), "{text}");
        }
        assert!(expression(&"(".repeat(900), Dialect::Harlowe, None).is_err());
        assert!(expression(&"1 + ".repeat(900), Dialect::Harlowe, None).is_err());
    }
}
