//! Macros of `SugarCube`: `<<set>>`, `<<if>>` and what follows it, `<<link>>`, `<<goto>>`.

use super::markup::{LONGEST, Markup, in_quotes, target_of};
use crate::story::{DEEPEST, Dialect, Expression, Operation, Step, every_step, expression};

const SUGAR_CUBE: Dialect = Dialect::SugarCube;

/// What a passage says.
pub(super) fn steps(text: &str, first_line: usize) -> Vec<Step> {
    let mut markup = Markup::new(text, first_line);
    let mut steps = Vec::new();
    while let Some(end) = within(&mut markup, 0, &[], &mut steps) {
        steps.push(markup.todo(format!("<<{end}>> without its beginning")));
    }
    steps
}

/// Reads to one of these macros (with its arguments), which is passed, or to the end of the passage.
fn within(markup: &mut Markup<'_>, depth: usize, ends: &[&str], steps: &mut Vec<Step>) -> Option<String> {
    while let Some(own) = markup.rest().chars().next() {
        if markup.rest().starts_with("<<") {
            markup.settle(steps);
            let before = markup.at;
            let Some((name, arguments)) = macro_at(markup) else {
                markup.at = before;
                markup.read(2);
                continue;
            };
            if ends.contains(&name)
                || (ends.is_empty() && matches!(name, "else" | "elseif" | "/if" | "/link" | "/button"))
            {
                return Some(format!("{name} {arguments}"));
            }
            act(markup, name, arguments, depth, steps);
            continue;
        }
        if markup.rest().starts_with("[[") {
            markup.settle(steps);
            if let Some(link) = markup.link(SUGAR_CUBE) {
                steps.push(link);
                continue;
            }
        }
        if !markup.comment() {
            markup.read(own.len_utf8());
        }
    }
    markup.settle(steps);
    None
}

/// The name and the arguments of the macro that begins here; passes it.
fn macro_at<'t>(markup: &mut Markup<'t>) -> Option<(&'t str, &'t str)> {
    markup.at += 2;
    let rest = markup.rest();
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let mut quote = None;
    for (at, own) in rest.char_indices() {
        match (quote, own) {
            (Some(open), own) if own == open => quote = None,
            (None, '"' | '\'') => quote = Some(own),
            (None, '>') if rest[at..].starts_with(">>") => {
                let inner = rest[..at].trim();
                let end = inner.find(char::is_whitespace).unwrap_or(inner.len());
                markup.at += at + 2;
                return Some((&inner[..end], inner[end..].trim()));
            }
            _ => {}
        }
    }
    None
}

fn act(markup: &mut Markup<'_>, name: &str, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    if depth >= DEEPEST {
        steps.push(markup.todo(format!("macros nested more than {DEEPEST} deep")));
        markup.at = markup.text.len();
        return;
    }
    match name {
        "set" => steps.append(&mut sets(arguments, markup.line())),
        "unset" => match expression(arguments, SUGAR_CUBE, None) {
            Ok(Expression::Variable(name)) => steps.push(Step::Set(name, Expression::Number(0))),
            _ => steps.push(markup.todo(format!("<<unset {arguments}>>"))),
        },
        "if" => conditions(markup, arguments, depth, steps),
        "goto" => match link_of(markup, arguments) {
            Some((_, target)) => steps.push(target),
            None => steps.push(markup.todo(format!("<<goto {arguments}>>"))),
        },
        "link" | "button" => {
            let link = link_of(markup, arguments);
            let (line, end) = (markup.line(), ["/link", "/button"]);
            let mut body = Vec::new();
            within(markup, depth + 1, &end, &mut body);
            let goes = |own: &Step| matches!(own, Step::Goto { .. });
            match link {
                // One that leads nowhere of itself must do so by what is in it.
                Some((label, target)) if leads(&body) || goes(&target) && !label.is_empty() => {
                    if !leads(&body) {
                        body.push(target);
                    }
                    steps.push(Step::Link { label, body });
                }
                _ => steps.push(Step::Todo { line, what: format!("<<{name} {arguments}>>") }),
            }
        }
        // They change how something looks, or show a number.
        "print" | "=" | "-" | "nobr" | "/nobr" | "silently" | "/silently" => {}
        name => steps.push(markup.todo(format!("<<{name} {arguments}>>"))),
    }
}

/// Whether steps lead somewhere, if only under conditions.
fn leads(steps: &[Step]) -> bool {
    let mut found = false;
    every_step(steps, &mut |own| found |= matches!(own, Step::Goto { .. }));
    found
}

/// The label and the target of a link's arguments: `"label" "passage"`, `"passage"` or `[[label|passage]]`.
fn link_of(markup: &mut Markup<'_>, arguments: &str) -> Option<(String, Step)> {
    let line = markup.line();
    if arguments.starts_with("[[") {
        let mut inner = Markup::new(arguments, line);
        return match inner.link(SUGAR_CUBE)? {
            Step::Link { label, mut body } => Some((label, body.pop()?)),
            _ => None,
        };
    }
    let (label, rest) = in_quotes(arguments)?;
    let target = in_quotes(rest).map_or(label, |(target, _)| target);
    Some((label.into(), target_of(target, SUGAR_CUBE, line)))
}

fn conditions(markup: &mut Markup<'_>, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    let line = markup.line();
    let mut branches = Vec::new();
    let mut otherwise = Vec::new();
    let mut wrong = None;
    let mut next = Some(format!("if {arguments}"));
    while let Some(own) = next.take() {
        let (name, told) = own.split_once(' ').unwrap_or((&own, ""));
        let mut body = Vec::new();
        let is_else = name == "else";
        next = within(markup, depth + 1, &["elseif", "else", "/if"], &mut body);
        if is_else {
            otherwise = body;
        } else {
            match expression(told, SUGAR_CUBE, None) {
                Ok(test) => branches.push((test, body)),
                Err(what) => wrong = wrong.or(Some(format!("{what}: <<{name} {told}>>"))),
            }
        }
        if next.as_ref().is_none_or(|own| own.starts_with("/if")) {
            if next.is_none() {
                wrong = wrong.or(Some("<<if>> without <</if>>".into()));
            }
            break;
        }
    }
    match wrong {
        Some(what) => steps.push(Step::Todo { line, what }),
        None => steps.push(Step::If(branches, otherwise)),
    }
}

/// `$x to 3, $y += 1`
pub(super) fn sets(arguments: &str, line: usize) -> Vec<Step> {
    let parts = arguments.split([';', '\n']).flat_map(split_sets);
    let set = |part: String| {
        set(&part).unwrap_or_else(|what| Step::Todo { line, what: format!("{what}<<set {}>>", part.trim()) })
    };
    parts.filter(|own| !own.trim().is_empty()).map(set).collect()
}

/// Parts between commas before variables.
fn split_sets(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split(',') {
        let begins = part.trim_start().starts_with('$') && (part.contains(" to ") || part.contains('='));
        match found.last_mut() {
            Some(last) if !begins => {
                last.push(',');
                last.push_str(part);
            }
            _ => found.push(part.into()),
        }
    }
    found
}

fn set(part: &str) -> Result<Step, String> {
    for (sign, operation) in [("+=", Operation::Plus), ("-=", Operation::Minus), ("*=", Operation::Times)] {
        if let Some((name, value)) = part.split_once(sign) {
            let Ok(Expression::Variable(name)) = expression(name, SUGAR_CUBE, None) else { return Err(String::new()) };
            let value = expression(value, SUGAR_CUBE, None).map_err(|what| what + ": ")?;
            let now = Expression::Variable(name.clone());
            return Ok(Step::Set(name, Expression::operation(operation, now, value)));
        }
    }
    let (name, value) = part.split_once(" to ").or_else(|| part.split_once('=')).ok_or_else(String::new)?;
    let Ok(Expression::Variable(name)) = expression(name, SUGAR_CUBE, None) else { return Err(String::new()) };
    let value = expression(value, SUGAR_CUBE, None).map_err(|what| what + ": ")?;
    Ok(Step::Set(name, value))
}
