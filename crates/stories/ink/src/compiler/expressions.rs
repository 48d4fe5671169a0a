//! Expressions, with the ranks that ink gives its operators.

use super::parser::{Parsed, Parser};
use super::syntax::{Divert, DivertKind, Expression, Node};
use crate::source::SourceError;

/// Operators, how strongly they bind, their names in compiled stories, and whether they are words.
const OPERATORS: [(&str, u8, &str, bool); 21] = [
    ("&&", 1, "&&", false),
    ("||", 1, "||", false),
    ("and", 1, "&&", true),
    ("or", 1, "||", true),
    ("==", 2, "==", false),
    (">=", 2, ">=", false),
    ("<=", 2, "<=", false),
    ("<", 2, "<", false),
    (">", 2, ">", false),
    ("!=", 2, "!=", false),
    ("?", 3, "?", false),
    ("has", 3, "?", true),
    ("!?", 3, "!?", false),
    ("hasnt", 3, "!?", true),
    ("^", 3, "L^", false),
    ("+", 4, "+", false),
    ("-", 5, "-", false),
    ("*", 6, "*", false),
    ("/", 7, "/", false),
    ("%", 8, "%", false),
    ("mod", 8, "%", true),
];
/// Words that name nothing.
const RESERVED: [&str; 10] = ["true", "false", "not", "return", "else", "VAR", "CONST", "temp", "LIST", "function"];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.expression_above(0)
    }

    /// An expression that must stand here.
    pub(super) fn expect_expression(&mut self, what: &str) -> Result<Expression, SourceError> {
        match self.expression()? {
            Some(expression) => Ok(expression),
            None => self.error(format!("{what} needs an expression where {} stands", self.here())),
        }
    }

    /// An expression of operators that bind more strongly than this.
    fn expression_above(&mut self, rank: u8) -> Parsed<Expression> {
        self.nested(|own| {
            own.attempt(|own| {
                own.blanks();
                let Some(mut left) = own.unary()? else { return Ok(None) };
                own.blanks();
                while let Some((operator, own_rank)) = own.operator(rank) {
                    own.blanks();
                    let Some(right) = own.expression_above(own_rank)? else {
                        return own.error(format!("{operator} needs a right side where {} stands", own.here()));
                    };
                    left = Expression::Binary(operator, Box::new(left), Box::new(right));
                }
                own.blanks();
                Ok(Some(left))
            })
        })
    }

    fn operator(&mut self, rank: u8) -> Option<(&'static str, u8)> {
        let begin = self.at;
        for (sign, own_rank, name, is_word) in OPERATORS {
            if self.skip(sign) && (!is_word || self.blanks()) {
                if own_rank > rank {
                    return Some((name, own_rank));
                }
                self.at = begin;
                return None;
            }
            self.at = begin;
        }
        None
    }

    fn unary(&mut self) -> Parsed<Expression> {
        self.nested(|own| own.attempt(Self::unary_here))
    }

    fn unary_here(&mut self) -> Parsed<Expression> {
        if let Some(place) = self.place_value()? {
            return Ok(Some(place));
        }
        let prefix = if self.skip("-") {
            Some("_")
        } else if self.skip("!") || self.word("not") {
            Some("!")
        } else {
            None
        };
        self.blanks();
        let mut inner = self.operand()?;
        if inner.is_none() && prefix.is_some() {
            inner = self.unary()?;
        }
        let Some(mut inner) = inner else { return Ok(None) };
        if let Some(prefix) = prefix {
            inner = with_prefix(prefix, inner);
        }
        self.blanks();
        let up = self.skip("++");
        if up || self.skip("--") {
            let Expression::Name { path, position } = inner else {
                return self.error("++ and -- need a variable before them");
            };
            inner = Expression::Step { name: path.join("."), by: None, up, position };
        }
        Ok(Some(inner))
    }

    fn operand(&mut self) -> Parsed<Expression> {
        if let Some(list) = self.attempt(Self::list)? {
            return Ok(Some(list));
        }
        if let Some(inner) = self.attempt(Self::in_brackets)? {
            return Ok(Some(inner));
        }
        if let Some(call) = self.attempt(Self::call)? {
            return Ok(Some(call));
        }
        if let Some(name) = self.attempt(|own| Ok(own.variable()))? {
            return Ok(Some(name));
        }
        self.attempt(Self::literal)
    }

    /// `-> place`, as a value.
    fn place_value(&mut self) -> Parsed<Expression> {
        self.attempt(|own| {
            own.blanks();
            if own.is_at("->->") || !own.skip("->") {
                return Ok(None);
            }
            Ok(own.target(DivertKind::Plain)?.map(Expression::Place))
        })
    }

    /// A place with arguments.
    pub(super) fn target(&mut self, kind: DivertKind) -> Parsed<Divert> {
        self.attempt(|own| {
            own.blanks();
            let position = own.position();
            let Some(target) = own.path() else { return Ok(None) };
            own.blanks();
            let arguments = own.arguments()?.unwrap_or_default();
            own.blanks();
            Ok(Some(Divert { kind, target, arguments, position }))
        })
    }

    /// Names with dots between them.
    fn path(&mut self) -> Option<Vec<String>> {
        let mut path = vec![self.name()?];
        loop {
            let begin = self.at;
            if !self.skip_spaced(".") {
                return Some(path);
            }
            let Some(name) = self.name() else {
                self.at = begin;
                return Some(path);
            };
            path.push(name);
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        if !self.skip("(") {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        while let Some(argument) = self.expression()? {
            arguments.push(argument);
            if !self.skip_spaced(",") {
                break;
            }
        }
        self.blanks();
        self.expect(")", "a call")?;
        Ok(Some(arguments))
    }

    fn call(&mut self) -> Parsed<Expression> {
        let position = self.position();
        let Some(name) = self.name() else { return Ok(None) };
        self.blanks();
        Ok(self.arguments()?.map(|arguments| Expression::Call { name, arguments, position }))
    }

    fn in_brackets(&mut self) -> Parsed<Expression> {
        if !self.skip("(") {
            return Ok(None);
        }
        let inner = self.expression()?;
        if inner.is_some() {
            self.blanks();
            self.expect(")", "an expression in brackets")?;
        }
        Ok(inner)
    }

    fn list(&mut self) -> Parsed<Expression> {
        let position = self.position();
        if !self.skip("(") {
            return Ok(None);
        }
        let mut items = Vec::new();
        self.blanks();
        while let Some(name) = self.name() {
            items.push(if self.skip(".") {
                format!("{name}.{}", self.expect_name("an item of a list")?)
            } else {
                name
            });
            if !self.skip_spaced(",") {
                break;
            }
        }
        self.blanks();
        Ok(self.skip(")").then_some(Expression::List { items, position }))
    }

    fn variable(&mut self) -> Option<Expression> {
        let position = self.position();
        self.path().filter(|path| !RESERVED.contains(&&path[0][..])).map(|path| Expression::Name { path, position })
    }

    fn literal(&mut self) -> Parsed<Expression> {
        if self.word("true") {
            return Ok(Some(Expression::Truth(true)));
        }
        if self.word("false") {
            return Ok(Some(Expression::Truth(false)));
        }
        if self.peek() == Some('"') {
            return self.quoted();
        }
        self.number()
    }

    pub(super) fn number(&mut self) -> Parsed<Expression> {
        let begin = self.at;
        let mut text = String::new();
        if self.skip("-") {
            text.push('-');
            self.blanks();
        }
        let digits = |own: &mut Self, text: &mut String| {
            let before = text.len();
            while let Some(digit) = own.peek().filter(char::is_ascii_digit) {
                text.push(digit);
                own.at += 1;
            }
            text.len() > before
        };
        if !digits(self, &mut text) {
            self.at = begin;
            return Ok(None);
        }
        let whole = self.at;
        if self.skip(".") {
            text.push('.');
            if digits(self, &mut text) {
                return Ok(text.parse().ok().map(Expression::Real));
            }
            text.pop();
            self.at = whole;
        }
        match text.parse::<i32>() {
            Ok(number) => Ok(Some(Expression::Whole(number.into()))),
            Err(_) => self.error(format!("{text} is beyond 32 bits")),
        }
    }

    fn quoted(&mut self) -> Parsed<Expression> {
        self.skip("\"");
        let before = self.in_quotes;
        self.in_quotes = true;
        let nodes = self.text_and_logic()?.unwrap_or_default();
        self.in_quotes = before;
        self.expect("\"", "a text in quotes")?;
        if nodes.iter().any(|node| matches!(node, Node::Divert(_) | Node::TunnelEnd(_))) {
            return self.error("a text in quotes cannot contain a divert");
        }
        Ok(Some(Expression::Text(nodes)))
    }
}

/// A sign of a number changes the number.
fn with_prefix(prefix: &'static str, inner: Expression) -> Expression {
    match (prefix, inner) {
        ("_", Expression::Whole(number)) => Expression::Whole(-number),
        ("_", Expression::Real(number)) => Expression::Real(-number),
        ("!", Expression::Whole(number)) => Expression::Truth(number == 0),
        ("!", Expression::Real(number)) => Expression::Truth(number == 0.0),
        ("!", Expression::Truth(truth)) => Expression::Truth(!truth),
        (prefix, inner) => Expression::Unary(prefix, Box::new(inner)),
    }
}
