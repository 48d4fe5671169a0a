//! Expressions, by increasing strength of binding: `? :`, `=>`, `<=>`, `|`, `&`, `!`, `=` and `!=`, `<` and similar
//! ones, `+` and `-`, `*` and `/`, `^`, and the sign `-`.

use dashu_ratio::RBig;
use model_files::parse_number;

use super::expression::{Comparison, Expr, Function, Kind};
use super::parser::{DEEPEST, Parser};
use super::syntax::Name;
use super::token::Token;
use super::value::Value;
use crate::error::{At, Error, Source};

/// Reads an expression that stands alone.
pub fn parse_expression(text: &str, source: Source) -> Result<Expr, Error> {
    let mut parser = Parser::new(text, source)?;
    let expression = parser.expression()?;
    if *parser.peek() == Token::End { Ok(expression) } else { Err(parser.unexpected("the end of the expression")) }
}

impl Parser {
    /// An expression.
    pub fn expression(&mut self) -> Result<Expr, Error> {
        self.nested(|parser| {
            let at = parser.at();
            let condition = parser.implication()?;
            if !parser.accept("?") {
                return Ok(condition);
            }
            let yes = parser.expression()?;
            parser.need(":")?;
            let no = parser.expression()?;
            Ok(Expr { kind: Kind::If(Box::new([condition, yes, no])), at })
        })
    }

    /// From right to left: `a => b => c` is `a => (b => c)`.
    fn implication(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        let left = self.equivalence()?;
        if !self.accept("=>") {
            return Ok(left);
        }
        let right = self.nested(Self::implication)?;
        Ok(Expr { kind: Kind::Implies(Box::new([left, right])), at })
    }

    fn equivalence(&mut self) -> Result<Expr, Error> {
        self.compared(&[("<=>", Comparison::Equal)], Self::disjunction)
    }

    fn chain(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> Result<Expr, Error>,
        combine: fn(Vec<Expr>) -> Kind,
    ) -> Result<Expr, Error> {
        let at = self.at();
        let first = operand(self)?;
        if !self.is(sign) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept(sign) {
            all.push(operand(self)?);
        }
        Ok(Expr { kind: combine(all), at })
    }

    fn disjunction(&mut self) -> Result<Expr, Error> {
        self.chain("|", Self::conjunction, Kind::Or)
    }

    fn conjunction(&mut self) -> Result<Expr, Error> {
        self.chain("&", Self::negation, Kind::And)
    }

    fn negation(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if !self.accept("!") {
            return self.equality();
        }
        let inner = self.nested(Self::negation)?;
        Ok(Expr { kind: Kind::Not(Box::new(inner)), at })
    }

    /// Operands that are compared from left to right: `a = b = c` is `(a = b) = c`.
    fn compared(
        &mut self,
        signs: &[(&str, Comparison)],
        operand: fn(&mut Self) -> Result<Expr, Error>,
    ) -> Result<Expr, Error> {
        let at = self.at();
        let mut left = operand(self)?;
        let mut count = 0;
        while let Some((_, comparison)) = signs.iter().find(|(sign, _)| self.is(sign)) {
            count += 1;
            if count > DEEPEST {
                return Err(Error::new(self.at(), "a chain of comparisons that is too long", "parentheses, or `&`"));
            }
            self.next();
            let right = operand(self)?;
            left = Expr { kind: Kind::Compare(*comparison, Box::new([left, right])), at };
        }
        Ok(left)
    }

    fn equality(&mut self) -> Result<Expr, Error> {
        self.compared(&[("=", Comparison::Equal), ("!=", Comparison::Unequal)], Self::relation)
    }

    fn relation(&mut self) -> Result<Expr, Error> {
        const SIGNS: [(&str, Comparison); 4] =
            [("<", Comparison::Less), ("<=", Comparison::AtMost), (">", Comparison::More), (">=", Comparison::AtLeast)];
        self.compared(&SIGNS, Self::sum)
    }

    fn marked(
        &mut self,
        signs: [&str; 2],
        operand: fn(&mut Self) -> Result<Expr, Error>,
        combine: fn(Vec<(bool, Expr)>) -> Kind,
    ) -> Result<Expr, Error> {
        let at = self.at();
        let first = operand(self)?;
        let mut all = vec![(false, first)];
        while signs.iter().any(|sign| self.is(sign)) {
            let mark = self.is(signs[1]);
            self.next();
            all.push((mark, operand(self)?));
        }
        if all.len() == 1 { Ok(all.remove(0).1) } else { Ok(Expr { kind: combine(all), at }) }
    }

    fn sum(&mut self) -> Result<Expr, Error> {
        self.marked(["+", "-"], Self::product, Kind::Sum)
    }

    fn product(&mut self) -> Result<Expr, Error> {
        self.marked(["*", "/"], Self::power, Kind::Product)
    }

    /// From right to left, and after the sign: `-2 ^ 2 ^ 3` is `(-2) ^ (2 ^ 3)`, as in PRISM.
    fn power(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        let base = self.signed()?;
        if !self.accept("^") {
            return Ok(base);
        }
        let exponent = self.nested(Self::power)?;
        Ok(Expr { kind: Kind::Call(Function::Pow, vec![base, exponent]), at })
    }

    fn signed(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if !self.accept("-") {
            return self.primary();
        }
        let inner = self.nested(Self::signed)?;
        Ok(Expr { kind: Kind::Minus(Box::new(inner)), at })
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if self.accept("(") {
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(inner);
        }
        // A negation inside of a comparison or a sum: `x = !y`.
        if self.is("!") {
            return self.negation();
        }
        let kind = match self.peek().clone() {
            Token::Number(text) => {
                self.next();
                Kind::Constant(number(&text, at)?)
            }
            Token::Text(text) => {
                self.next();
                Kind::Label(text)
            }
            Token::Word(word) if word == "true" || word == "false" => {
                self.next();
                Kind::Constant(Value::Bool(word == "true"))
            }
            Token::Word(word) if word == "func" => {
                self.next();
                self.need("(")?;
                let name = self.name()?;
                self.need(",")?;
                self.call(&name)?
            }
            Token::Word(_) => {
                let name = self.name()?;
                if self.accept("(") { self.call(&name)? } else { Kind::Name(name.text) }
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        Ok(Expr { kind, at })
    }

    fn call(&mut self, name: &Name) -> Result<Kind, Error> {
        let Some(function) = Function::named(&name.text) else {
            let remedy = "min, max, floor, ceil, round, pow, mod and log are";
            return Err(Error::new(name.at, format!("`{}` is no function of the language", name.text), remedy));
        };
        let mut arguments = vec![self.expression()?];
        while self.accept(",") {
            arguments.push(self.expression()?);
        }
        self.need(")")?;
        Ok(Kind::Call(function, arguments))
    }
}

/// The exact value of a number: an integer, or a decimal.
fn number(text: &str, at: At) -> Result<Value, Error> {
    if let Ok(value) = text.parse::<i64>() {
        return Ok(Value::Int(value));
    }
    let value: Result<RBig, String> = parse_number(text.as_bytes());
    value.map(Value::Real).map_err(|problem| Error::new(at, problem, "a number such as 7 or 0.25"))
}
