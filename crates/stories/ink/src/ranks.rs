//! Operator precedences that differ between the compiler and ink: expressions that would be parsed differently get
//! brackets.
//!
//! In ink every arithmetic operator has a precedence of its own (`%` before `/` before `*` before `-` before `+`), and
//! `and` and `or` share one, from left to right. The compiler uses the precedences of C. Where that makes a difference
//! the expression is bracketed as ink parses it, before it is compiled; text that cannot be parsed as an expression is
//! refused, so that no other story is run silently.

mod brackets;
mod tokens;

use std::borrow::Cow;
use std::ops::Range;

use self::brackets::bracketed_expression;
use self::tokens::tokens;

/// Operators of which the first must not precede the second without brackets.
const PAIRS: [(&str, &str); 6] = [("or", "and"), ("*", "/"), ("*", "%"), ("/", "%"), ("+", "-"), ("-", "+")];

/// A line of ink in which the compiler's precedences agree with ink's; `lists` tells whether the operands of `+` and
/// `-` may be lists, for which their order matters.
///
/// # Errors
/// The first two operators that would be parsed differently and cannot be bracketed.
pub(crate) fn bracketed(line: &str, lists: bool) -> Result<Cow<'_, str>, (&'static str, &'static str)> {
    let mut result = Cow::Borrowed(line);
    let mut ranges = expressions(line);
    ranges.sort_by_key(|range| range.start);
    let mut before = line.len();
    // The last one first, so that the positions of the others stay valid.
    for range in ranges.into_iter().rev() {
        let pair = match in_expression(&line[range.clone()], lists) {
            Some(pair) => pair,
            None if ends_with_call(&line[range.clone()]) => ("an operator", "a call"),
            None => continue,
        };
        if range.end > before {
            return Err(pair);
        }
        let brackets = bracketed_expression(&line[range.clone()]).ok_or(pair)?;
        result.to_mut().replace_range(range.clone(), &brackets);
        before = range.start;
    }
    Ok(result)
}

/// Whether a condition ends with a call without arguments that is not all of it (`x > f()`): the compiler reads all of it
/// as the name of the function.
fn ends_with_call(expression: &str) -> bool {
    let tokens = tokens(expression);
    let is_name = |token: &str| token.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
    let begins = tokens.first().is_some_and(|token| is_name(token) && !matches!(*token, "return" | "temp" | "not"));
    begins
        && tokens.len() > 3
        && tokens.ends_with(&["(", ")"])
        && !tokens.iter().any(|token| matches!(*token, "=" | "+=" | "-="))
}

/// Possible expressions: logic after `~`, the beginning of a brace or a branch up to its colon, and whole braces.
fn expressions(line: &str) -> Vec<Range<usize>> {
    let code = line.split("//").next().unwrap_or(line);
    let begin = code.len() - code.trim_start().len();
    let mut found = Vec::new();
    if code[begin..].starts_with('~') {
        found.push(begin + 1..code.len());
    } else if let Some(branch) = code[begin..].strip_prefix('-').filter(|branch| !branch.starts_with('>')) {
        let condition = branch.split_once(':').map(|(condition, _)| condition);
        let condition = condition.filter(|condition| !condition.contains('{'));
        found.extend(condition.map(|condition| begin + 1..begin + 1 + condition.len()));
    }
    for (place, _) in code.match_indices('{') {
        let inner = &code[place + 1..];
        let end = end_of(inner);
        let text = inner[end..].starts_with(['{', '|']) || inner.starts_with(['~', '&', '$']);
        if !text {
            found.push(place + 1..place + 1 + end);
        }
    }
    found
}

/// The end of the beginning of a brace: another brace, a bar that is not `or`, or a colon.
fn end_of(inner: &str) -> usize {
    let mut from = 0;
    while let Some(end) = inner[from..].find(['{', '}', '|', ':']).map(|end| from + end) {
        if !inner[end..].starts_with("||") {
            return end;
        }
        from = end + 2;
    }
    inner.len()
}

fn in_expression(expression: &str, lists: bool) -> Option<(&'static str, &'static str)> {
    let mut seen: Vec<Vec<&'static str>> = vec![Vec::new()];
    let mut before_is_operand = false;
    for token in tokens(expression) {
        let operator = match token {
            "(" => {
                seen.push(Vec::new());
                before_is_operand = false;
                continue;
            }
            ")" => {
                if seen.len() > 1 {
                    seen.pop();
                }
                before_is_operand = true;
                continue;
            }
            // The two sides of a comparison or an assignment are bracketed separately, at least their arithmetic.
            "," | "=" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "+=" | "-=" | "return" => {
                seen.last_mut()?.retain(|known| *known == "or" && token != "," && token != "=");
                before_is_operand = false;
                continue;
            }
            "or" | "||" => "or",
            "and" | "&&" => "and",
            "*" => "*",
            "/" => "/",
            "%" | "mod" => "%",
            "+" if before_is_operand => "+",
            "-" if before_is_operand => "-",
            _ => {
                before_is_operand = !matches!(token, "not" | "!" | "+" | "-" | "?" | "!?" | "^");
                continue;
            }
        };
        before_is_operand = false;
        let here = seen.last_mut()?;
        let is_bad = |pair: &&(&str, &str)| {
            pair.1 == operator && here.contains(&pair.0) && (lists || pair.0 != "+" && pair.0 != "-")
        };
        if let Some(pair) = PAIRS.iter().find(is_bad) {
            return Some(*pair);
        }
        if matches!(operator, "or" | "and") {
            here.retain(|known| *known == "or");
        }
        here.push(operator);
    }
    None
}

#[cfg(test)]
mod tests;
