//! Expressions with brackets around every operator, by ink's precedences.

use super::tokens::tokens;

/// Expressions with more operators are not bracketed, because each may add a level of nesting.
const MOST_OPERATORS: usize = 100;

/// Logic or a condition with brackets: an assignment, a return value or a condition. `None` if it cannot be parsed
/// here.
pub(super) fn bracketed_expression(expression: &str) -> Option<String> {
    let tokens = tokens(expression);
    let begin = match tokens.first()? {
        &"return" => 1,
        _ => assigned(&tokens).map_or(0, |sign| sign + 1),
    };
    let mut reader = Reader { tokens: &tokens, next: begin, operators: 0 };
    let value = reader.binary(0)?;
    if reader.next < tokens.len() {
        return None;
    }
    let bracketed = [&tokens[..begin], &[&value]].concat();
    Some(format!(" {} ", bracketed.join(" ")))
}

/// The index of the assignment sign.
fn assigned(tokens: &[&str]) -> Option<usize> {
    tokens.iter().position(|token| matches!(*token, "=" | "+=" | "-="))
}

/// The precedence of a binary operator in ink: a higher one binds more tightly.
fn rank(operator: &str) -> Option<u8> {
    Some(match operator {
        "and" | "&&" | "or" | "||" => 1,
        "==" | "!=" | "<" | ">" | "<=" | ">=" => 2,
        "?" | "has" | "!?" | "hasnt" | "^" => 3,
        "+" => 4,
        "-" => 5,
        "*" => 6,
        "/" => 7,
        "%" | "mod" => 8,
        _ => return None,
    })
}

/// The tokens of an expression, read from left to right.
struct Reader<'t> {
    tokens: &'t [&'t str],
    next: usize,
    operators: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.next).copied()
    }

    fn take(&mut self) -> Option<&'t str> {
        self.next += 1;
        self.tokens.get(self.next - 1).copied()
    }

    /// An operand, and all operators after it that bind more tightly than this.
    fn binary(&mut self, least: u8) -> Option<String> {
        let mut left = self.unary()?;
        while let Some((operator, rank)) = self.peek().and_then(|operator| Some((operator, rank(operator)?)))
            && rank > least
        {
            self.next += 1;
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return None;
            }
            let right = self.binary(rank)?;
            left = format!("({left} {operator} {right})");
        }
        Some(left)
    }

    /// An operand with its prefixes, which bind more tightly than any operator.
    fn unary(&mut self) -> Option<String> {
        match self.peek()? {
            sign @ ("-" | "!" | "not") => {
                self.next += 1;
                let operand = self.operand()?;
                Some(if sign == "not" { format!("not {operand}") } else { format!("{sign}{operand}") })
            }
            _ => self.operand(),
        }
    }

    fn operand(&mut self) -> Option<String> {
        let first = self.take()?;
        if first == "(" {
            return self.listed();
        }
        if first == "->" {
            return Some(format!("-> {}", self.take().filter(|name| is_word(name))?));
        }
        if !is_word(first) && !first.starts_with('"') || rank(first).is_some() || first == "not" {
            return None;
        }
        if self.peek() == Some("(") {
            self.next += 1;
            return Some(format!("{first}{}", self.listed()?));
        }
        Some(first.to_owned())
    }

    /// The content of brackets, with commas, up to the closing one.
    fn listed(&mut self) -> Option<String> {
        let mut parts = Vec::new();
        if self.peek() == Some(")") {
            self.next += 1;
            return Some("()".to_owned());
        }
        loop {
            parts.push(self.binary(0)?);
            match self.take()? {
                "," => {}
                ")" => return Some(format!("({})", parts.join(", "))),
                _ => return None,
            }
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_')
}
