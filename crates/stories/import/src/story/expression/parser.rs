//! Parses expressions by the operator precedence of each dialect.

use gamebook::Comparison;

use super::special::{HISTORY, is_in_history, visits_of};
use super::tokens::{Token, tokens};
use super::{Dialect, Expression, LONGEST, Operation};
use crate::story::DEEPEST;

/// Reads a whole expression.
pub(crate) fn expression(text: &str, dialect: Dialect) -> Result<Expression, String> {
    let mut parser = parser(text, dialect)?;
    let found = parser.whole()?;
    if parser.is_at_end() { Ok(found) } else { Err(parser.unexpected()) }
}

pub(super) fn parser(text: &str, dialect: Dialect) -> Result<Parser, String> {
    if text.len() > LONGEST {
        return Err(format!("an expression of {} bytes", text.len()));
    }
    Ok(Parser { tokens: tokens(text, dialect)?, next: 0, depth: 0, dialect, it: None, compared: None })
}

pub(super) fn shown(word: &str) -> String {
    word.chars().take(30).collect()
}

pub(super) struct Parser {
    pub(super) tokens: Vec<Token>,
    pub(super) next: usize,
    depth: usize,
    pub(super) dialect: Dialect,
    /// The variable that is being set.
    pub(super) it: Option<String>,
    /// The expression read last, if it is a comparison without parentheses.
    compared: Option<Expression>,
}

/// The dice of Chapbook; those of 100 and 1000 sides are left out.
const CHAPBOOK_DICE: [i64; 9] = [4, 5, 6, 8, 10, 12, 20, 25, 50];

impl Parser {
    pub(super) fn sign(&mut self, signs: &[&str]) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(own)) if signs.contains(own));
        self.next += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, words: &[&str]) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(own)) if words.contains(&own.as_str()));
        self.next += usize::from(found);
        found
    }

    /// Reads a sequence of words.
    fn words(&mut self, words: &[&str]) -> bool {
        let begin = self.next;
        let found = words.iter().all(|own| self.word(&[own]));
        if !found {
            self.next = begin;
        }
        found
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn variable(&mut self) -> Option<String> {
        let Some(Token::Variable(name)) = self.peek() else { return None };
        let name = name.clone();
        self.next += 1;
        Some(name)
    }

    /// An error at the next token.
    pub(super) fn unexpected(&self) -> String {
        match self.peek() {
            None => "an expression that ends too early".into(),
            Some(Token::Word(word) | Token::Method(word)) => format!("`{}` in an expression", shown(word)),
            Some(Token::Sign(sign)) => format!("`{sign}` in an expression"),
            Some(_) => "an expression that is not plain".into(),
        }
    }

    pub(super) fn whole(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("an expression nested more than {DEEPEST} deep"));
        }
        let mut found = match self.dialect {
            Dialect::SugarCube | Dialect::Chapbook => self.either(),
            Dialect::Harlowe => self.joined_in_harlowe(),
        }?;
        if self.dialect != Dialect::Harlowe && self.sign(&["?"]) {
            let one = self.whole()?;
            if !self.sign(&[":"]) {
                return Err(self.unexpected());
            }
            found = Expression::Choose(Box::new(found), Box::new(one), Box::new(self.whole()?));
        }
        self.depth -= 1;
        Ok(found)
    }

    fn either(&mut self) -> Result<Expression, String> {
        let mut left = self.both()?;
        while self.word(&["or"]) || self.sign(&["||"]) {
            left = left.or(self.both()?);
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Expression, String> {
        let mut left = self.compared()?;
        while self.word(&["and"]) || self.sign(&["&&"]) {
            left = left.and(self.compared()?);
        }
        Ok(left)
    }

    /// `and` and `or` have the same precedence in Harlowe, from left to right. `$x is 1 or 2` means `$x is 1 or $x is 2`, and
    /// `$x > 1 and < 5` compares `$x` twice; other elided operands are refused.
    fn joined_in_harlowe(&mut self) -> Result<Expression, String> {
        let mut left = self.part_in_harlowe()?;
        let mut compared = self.compared.take();
        let mut only_comparisons = compared.is_some();
        let mut any_comparison = only_comparisons;
        let mut first = None;
        loop {
            let is_and = if self.word(&["and"]) {
                true
            } else if self.word(&["or"]) {
                false
            } else {
                self.compared = None;
                return Ok(left);
            };
            let is_one_kind = first.is_none_or(|own: bool| own == is_and);
            first.get_or_insert(is_and);
            let begin = self.next;
            let mut right = match compared.as_ref().and_then(left_of).cloned() {
                Some(own) if self.is_comparison_next() => self.compared_with(own)?,
                _ => self.part_in_harlowe()?,
            };
            let own = self.compared.take();
            let is_bare = own.is_none() && self.is_bare(begin);
            if any_comparison && is_bare {
                let plain = compared.as_ref().filter(|_| only_comparisons && is_one_kind);
                right = plain.and_then(|own| elided(own, right)).ok_or("a comparison whose operand is left out")?;
            } else {
                only_comparisons &= own.is_some();
                any_comparison |= own.is_some();
                compared = own;
            }
            left = if is_and { left.and(right) } else { left.or(right) };
        }
    }

    /// Whether the operand that began there is a lone value, so that it is not clear what it is compared with.
    fn is_bare(&self, begin: usize) -> bool {
        match self.tokens.get(begin) {
            Some(Token::Word(own)) => own != "not",
            Some(Token::Sign(own)) => *own != "(",
            _ => true,
        }
    }

    fn is_comparison_next(&self) -> bool {
        match self.peek() {
            Some(Token::Word(own)) => matches!(own.as_str(), "is" | "contains" | "does"),
            Some(Token::Sign(own)) => matches!(*own, "<" | "<=" | ">" | ">="),
            _ => false,
        }
    }

    fn part_in_harlowe(&mut self) -> Result<Expression, String> {
        let has_not = matches!(self.peek(), Some(Token::Word(own)) if own == "not");
        let own = self.compared()?;
        if has_not && self.compared.is_some() {
            return Err("`not` before a comparison without parentheses".into());
        }
        Ok(own)
    }

    /// Comparisons. JavaScript has two levels of precedence for them; in Harlowe they cannot be chained.
    fn compared(&mut self) -> Result<Expression, String> {
        let mut left = self.ordered()?;
        self.compared = None;
        if self.dialect == Dialect::Harlowe {
            return if self.is_comparison_next() { self.compared_with(left) } else { Ok(left) };
        }
        loop {
            left = if self.word(&["is"]) || self.sign(&["==="]) {
                left.same_as(self.ordered()?)
            } else if self.word(&["isnot"]) || self.sign(&["!=="]) {
                Expression::Same(false, Box::new(left), Box::new(self.ordered()?))
            } else if self.word(&["eq"]) || self.sign(&["=="]) {
                Expression::compare(Comparison::Equal, left, self.ordered()?)
            } else if self.word(&["neq"]) || self.sign(&["!="]) {
                Expression::compare(Comparison::NotEqual, left, self.ordered()?)
            } else {
                return Ok(left);
            };
        }
    }

    /// A comparison of Harlowe, from its operator on.
    fn compared_with(&mut self, left: Expression) -> Result<Expression, String> {
        let found = if self.words(&["is", "not", "in"]) {
            contains(self.sum()?, left)?.negated()
        } else if self.words(&["is", "in"]) {
            contains(self.sum()?, left)?
        } else if self.words(&["is", "not"]) {
            Expression::Same(false, Box::new(left), Box::new(self.sum()?))
        } else if self.word(&["is"]) {
            left.same_as(self.sum()?)
        } else if self.words(&["does", "not", "contain"]) {
            contains(left, self.sum()?)?.negated()
        } else if self.word(&["contains"]) {
            contains(left, self.sum()?)?
        } else if let Some(how) = self.order() {
            Expression::compare(how, left, self.sum()?)
        } else {
            return Err(self.unexpected());
        };
        self.compared = Some(found.clone());
        Ok(found)
    }

    fn ordered(&mut self) -> Result<Expression, String> {
        let mut left = self.sum()?;
        if self.dialect != Dialect::Harlowe {
            while let Some(comparison) = self.order() {
                left = Expression::compare(comparison, left, self.sum()?);
            }
        }
        Ok(left)
    }

    fn order(&mut self) -> Option<Comparison> {
        let words = self.dialect == Dialect::SugarCube;
        let signs = [
            ("<", "lt", Comparison::Less),
            ("<=", "lte", Comparison::AtMost),
            (">", "gt", Comparison::More),
            (">=", "gte", Comparison::AtLeast),
        ];
        signs.into_iter().find(|(sign, word, _)| self.sign(&[sign]) || words && self.word(&[word])).map(|own| own.2)
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
        let mut left = self.unary()?;
        while self.sign(&["*"]) {
            left = Expression::operation(Operation::Times, left, self.unary()?);
        }
        if self.sign(&["/", "%"]) || self.word(&["mod"]) { Err("a division".into()) } else { Ok(left) }
    }

    /// `not` binds as tightly as a minus; in Harlowe it applies to a whole comparison, which must stand in parentheses here.
    pub(super) fn unary(&mut self) -> Result<Expression, String> {
        if self.dialect == Dialect::SugarCube
            && matches!(self.peek(), Some(Token::Word(own)) if own == "def" || own == "ndef")
        {
            let is_set = self.word(&["def"]);
            self.next += usize::from(!is_set);
            let own = Expression::IsSet(self.variable().ok_or_else(|| self.unexpected())?);
            return Ok(if is_set { own } else { own.negated() });
        }
        let (mut nots, mut minus) = (0, 0);
        loop {
            if self.word(&["not"]) || self.dialect != Dialect::Harlowe && self.sign(&["!"]) {
                nots += 1;
            } else if self.sign(&["-"]) {
                minus += 1;
            } else {
                break;
            }
            if nots > 0 && minus > 0 {
                return Err("`not` beside a minus".into());
            }
        }
        let mut own = self.atom()?;
        while let Some(Token::Method(name)) = self.peek().cloned() {
            self.next += 1;
            own = self.method(own, &name)?;
        }
        if minus > 1 {
            return Err("two signs before a number".into());
        }
        Ok(match own {
            Expression::Number(number) if minus == 1 => Expression::Number(-number),
            own if minus == 1 => Expression::operation(Operation::Minus, Expression::Number(0), own),
            own if nots == 0 => own,
            own if nots % 2 == 1 => own.negated(),
            own => own.negated().negated(),
        })
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.sign(&["("]) {
            // A macro of Harlowe.
            if let (Dialect::Harlowe, Some(Token::Word(name)), Some(Token::Sign(":"))) =
                (self.dialect, self.peek().cloned(), self.tokens.get(self.next + 1))
            {
                self.next += 2;
                return self.call(&name);
            }
            let inner = self.whole()?;
            return if self.sign(&[")"]) { Ok(inner) } else { Err("a parenthesis that is not closed".into()) };
        }
        if self.dialect != Dialect::Harlowe && self.sign(&["["]) {
            return self.list();
        }
        if self.dialect != Dialect::Harlowe && self.sign(&["{"]) {
            return self.map();
        }
        let unexpected = self.unexpected();
        let token = self.peek().cloned().ok_or_else(|| unexpected.clone())?;
        self.next += 1;
        match token {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(text) => Ok(Expression::Text(text)),
            Token::Variable(name) => Ok(match (name.rsplit_once('.'), self.dialect) {
                (Some((own, "length")), _) | (Some((own, "size")), Dialect::SugarCube) => {
                    Expression::Length(Box::new(Expression::Variable(own.into())))
                }
                _ => Expression::Variable(name),
            }),
            Token::Word(word) => self.named(&word).ok_or(unexpected)?,
            Token::Sign(_) | Token::Method(_) => Err(unexpected),
        }
    }

    /// The expression that a word stands for.
    fn named(&mut self, word: &str) -> Option<Result<Expression, String>> {
        Some(Ok(match (word, self.dialect) {
            ("true", _) => Expression::Boolean(true),
            ("false", _) => Expression::Boolean(false),
            ("it", Dialect::Harlowe) => Expression::Variable(self.it.clone()?),
            ("visits" | "visit", Dialect::Harlowe) | ("passage.visits", Dialect::Chapbook) => {
                Expression::Variable(visits_of(""))
            }
            ("random.coinFlip", Dialect::Chapbook) => Expression::Random(0, 1).same_as(Expression::Number(1)),
            (word, Dialect::Chapbook) if word.starts_with("random.d") => {
                let sides: i64 = word["random.d".len()..].parse().ok().filter(|sides| CHAPBOOK_DICE.contains(sides))?;
                // Chapbook rounds a fraction of `sides - 1`: the lowest and the highest number come half as often.
                Expression::Either((2..2 * sides).map(|half| Expression::Number(half / 2 + half % 2)).collect())
            }
            (word, Dialect::SugarCube | Dialect::Chapbook) if self.sign(&["("]) => return Some(self.call(word)),
            _ => return None,
        }))
    }

    /// Reads the values up to the closing bracket.
    fn list(&mut self) -> Result<Expression, String> {
        let mut all = Vec::new();
        while !self.sign(&["]"]) {
            all.push(self.whole()?);
            if !self.sign(&[","]) && !matches!(self.peek(), Some(Token::Sign("]"))) {
                return Err(self.unexpected());
            }
        }
        Ok(Expression::List(all))
    }

    /// Reads the names and values up to the closing brace.
    fn map(&mut self) -> Result<Expression, String> {
        let mut all = Vec::new();
        while !self.sign(&["}"]) {
            let key = match self.peek() {
                Some(Token::Word(key) | Token::Text(key) | Token::Variable(key)) => key.clone(),
                _ => return Err(self.unexpected()),
            };
            self.next += 1;
            if !self.sign(&[":"]) {
                return Err(self.unexpected());
            }
            all.push((key, self.whole()?));
            if !self.sign(&[","]) && !matches!(self.peek(), Some(Token::Sign("}"))) {
                return Err(self.unexpected());
            }
        }
        Ok(Expression::Map(all))
    }
}

fn contains(list: Expression, item: Expression) -> Result<Expression, String> {
    match (&list, &item) {
        (Expression::Text(own), Expression::Text(passage)) if own == HISTORY => Ok(is_in_history(passage)),
        (Expression::Text(_), _) => Err("what a text contains".into()),
        _ => Ok(Expression::Contains(Box::new(list), Box::new(item))),
    }
}

/// The left side of a comparison.
fn left_of(compared: &Expression) -> Option<&Expression> {
    match compared {
        Expression::Compare(_, left, _) | Expression::Same(true, left, _) | Expression::Contains(left, _) => Some(left),
        _ => None,
    }
}

/// The same comparison with another right operand.
fn elided(compared: &Expression, right: Expression) -> Option<Expression> {
    let mut is_rolled = false;
    compared.visit(&mut |own| is_rolled |= matches!(own, Expression::Random(..) | Expression::Either(_)));
    if is_rolled {
        return None;
    }
    let part = Box::new(right);
    let whole = match compared {
        Expression::Compare(how, left, _) => Expression::Compare(*how, left.clone(), part.clone()),
        Expression::Same(true, left, _) => Expression::Same(true, left.clone(), part.clone()),
        Expression::Contains(list, _) => Expression::Contains(list.clone(), part.clone()),
        _ => return None,
    };
    Some(match *part {
        Expression::Boolean(_) => *part,
        Expression::Variable(_) => Expression::Elided(Box::new(whole), part),
        _ => whole,
    })
}

#[cfg(test)]
mod tests;
