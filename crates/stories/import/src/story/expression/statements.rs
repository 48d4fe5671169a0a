//! Assignments: `$x to 3, $y += 1`.

use super::parser::{Parser, parser};
use super::tokens::Token;
use super::{Dialect, Expression, Operation};

/// The variables that statements set, in their order, each with its value.
pub(crate) fn assignments(text: &str, dialect: Dialect) -> Result<Vec<(String, Expression)>, String> {
    let mut parser = parser(text, dialect)?;
    let mut found = Vec::new();
    loop {
        while parser.sign(&[";"]) {}
        if parser.is_at_end() {
            return if found.is_empty() { Err("nothing is set".into()) } else { Ok(found) };
        }
        let (name, value) =
            if dialect == Dialect::Harlowe { in_harlowe(&mut parser) } else { in_javascript(&mut parser) }?;
        if dialect == Dialect::Harlowe && reads_any(&value, &found) {
            return Err("a value that the same macro sets".into());
        }
        found.push((name, value));
        if !parser.is_at_end() && !parser.sign(&[",", ";"]) {
            return Err(parser.unexpected());
        }
    }
}

/// Whether a value depends on an assignment before it: within one macro of Harlowe the order is not clear.
fn reads_any(value: &Expression, set: &[(String, Expression)]) -> bool {
    let mut found = false;
    value.visit(&mut |own| {
        found |= matches!(own, Expression::Variable(name) if set.iter().any(|(own, _)| own == name));
    });
    found
}

/// `3 into $x`, as Harlowe's `(put:)` has it.
pub(crate) fn put(text: &str) -> Result<(String, Expression), String> {
    let mut parser = parser(text, Dialect::Harlowe)?;
    let value = parser.whole()?;
    match (parser.word(&["into"]), parser.variable(), parser.is_at_end()) {
        (true, Some(name), true) => Ok((name, value)),
        _ => Err("what is put where".into()),
    }
}

fn in_harlowe(parser: &mut Parser) -> Result<(String, Expression), String> {
    let name = parser.variable().ok_or_else(|| parser.unexpected())?;
    if !parser.word(&["to"]) {
        return Err(parser.unexpected());
    }
    parser.it = Some(name.clone());
    let value = parser.whole()?;
    parser.it = None;
    Ok((name, value))
}

fn in_javascript(parser: &mut Parser) -> Result<(String, Expression), String> {
    let step = |name: String, sign: &str| {
        let how = if sign == "++" { Operation::Plus } else { Operation::Minus };
        let value = Expression::operation(how, Expression::Variable(name.clone()), Expression::Number(1));
        Ok((name, value))
    };
    for sign in ["++", "--"] {
        if parser.sign(&[sign]) {
            return step(parser.variable().ok_or_else(|| parser.unexpected())?, sign);
        }
    }
    let name = parser.variable().ok_or_else(|| parser.unexpected())?;
    if let Some(Token::Method(method)) = parser.peek().cloned() {
        parser.next += 1;
        return changed_list(parser, name, &method);
    }
    for sign in ["++", "--"] {
        if parser.sign(&[sign]) {
            return step(name, sign);
        }
    }
    if parser.word(&["to"]) || parser.sign(&["="]) {
        return Ok((name, parser.whole()?));
    }
    for (sign, how) in [("+=", Operation::Plus), ("-=", Operation::Minus), ("*=", Operation::Times)] {
        if parser.sign(&[sign]) {
            let value = parser.whole()?;
            return Ok((name.clone(), Expression::operation(how, Expression::Variable(name), value)));
        }
    }
    Err(parser.unexpected())
}

/// A list that a method changes.
fn changed_list(parser: &mut Parser, name: String, method: &str) -> Result<(String, Expression), String> {
    parser.sign(&["("]);
    let arguments = parser.arguments()?;
    let now = Expression::Variable(name.clone());
    let value = match (method, &arguments[..]) {
        ("push" | "unshift", _) => Expression::operation(Operation::Plus, now, Expression::List(arguments)),
        ("pushUnique", [item]) => {
            let more = Expression::operation(Operation::Plus, now.clone(), Expression::List(vec![item.clone()]));
            let has = Expression::Contains(Box::new(now.clone()), Box::new(item.clone()));
            Expression::Choose(Box::new(has), Box::new(now), Box::new(more))
        }
        ("delete" | "deleteAll", _) => Expression::operation(Operation::Minus, now, Expression::List(arguments)),
        _ => return Err(format!("`.{method}()`")),
    };
    Ok((name, value))
}
