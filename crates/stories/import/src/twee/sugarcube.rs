//! Macros of `SugarCube`: `<<set>>`, `<<if>>` and what follows it, `<<link>>`, `<<goto>>`.

use super::markup::{LONGEST, Markup, in_quotes, target_of};
use super::setter::sets;
use crate::story::{DEEPEST, Dialect, Expression, Step, every_step, expression, leaves};

const SUGAR_CUBE: Dialect = Dialect::SugarCube;

/// What a passage says.
pub(super) fn steps(text: &str, first_line: usize) -> Vec<Step> {
    let mut markup = Markup::new(SUGAR_CUBE, text, first_line);
    let mut steps = Vec::new();
    while let Some(end) = within(&mut markup, 0, &[], &mut steps) {
        steps.push(markup.todo(format!("<<{end}>> without its beginning")));
    }
    if let Some(line) = goes_on(&steps) {
        steps.insert(0, Step::Todo { line, what: "what follows <<goto>> happens all the same".into() });
    }
    steps
}

/// The line of a `<<goto>>` after which something happens: it does so, though play leads elsewhere.
fn goes_on(steps: &[Step]) -> Option<usize> {
    let mut gone: Option<usize> = None;
    for step in steps {
        let (mut happens, mut goes) = (matches!(step, Step::Set(..) | Step::Unset(_) | Step::Todo { .. }), None);
        match step {
            Step::If(_, branches, otherwise) => {
                for body in branches.iter().map(|(_, body)| body).chain([otherwise]) {
                    if let Some(line) = goes_on(body) {
                        return Some(line);
                    }
                    happens |= !body.iter().all(|own| matches!(own, Step::Text(_) | Step::Link { .. }));
                    goes = goes.or_else(|| goto_in(body));
                }
            }
            Step::Goto { line, .. } => {
                happens = true;
                goes = Some(*line);
            }
            Step::Link { body, .. } => {
                if let Some(line) = goes_on(body) {
                    return Some(line);
                }
            }
            _ => {}
        }
        if happens && gone.is_some() {
            return gone;
        }
        gone = gone.or(goes);
    }
    None
}

/// The line of a `<<goto>>` among these steps, links left out.
fn goto_in(steps: &[Step]) -> Option<usize> {
    steps.iter().find_map(|step| match step {
        Step::Goto { line, .. } => Some(*line),
        Step::If(_, branches, otherwise) => {
            branches.iter().map(|(_, body)| body).chain([otherwise]).find_map(|body| goto_in(body))
        }
        _ => None,
    })
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
            if let Some(link) = markup.link() {
                steps.push(link);
                continue;
            }
        }
        if markup.passed() {
            continue;
        }
        let before = markup.at;
        if let Some(step) = markup.other_link() {
            markup.settle(steps);
            steps.push(step);
        } else if markup.at == before {
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
        // `<<=$x>>` without a space shows it, too.
        _ if name.starts_with(['=', '-']) && name.len() > 1 => {
            let shown = format!("{} {arguments}", &name[1..]);
            act(markup, &name[..1], shown.trim(), depth, steps);
        }
        "set" => steps.append(&mut sets(arguments, markup.line())),
        "unset" => match expression(arguments, SUGAR_CUBE, None) {
            Ok(Expression::Variable(name)) => steps.push(Step::Unset(name)),
            _ => steps.push(markup.todo(format!("<<unset {arguments}>>"))),
        },
        "if" => conditions(markup, arguments, depth, steps),
        "goto" => match link_of(markup, arguments) {
            Some((label, target)) => steps.push(target.unwrap_or_else(|| target_of(&label, SUGAR_CUBE, markup.line()))),
            None => steps.push(markup.todo(format!("<<goto {arguments}>>"))),
        },
        "link" | "button" => {
            let link = link_of(markup, arguments);
            let (line, end) = (markup.line(), ["/link", "/button"]);
            let mut body = Vec::new();
            within(markup, depth + 1, &end, &mut body);
            match link {
                Some((label, Some(target))) if !leads(&body) => {
                    body.push(target);
                    steps.push(Step::Link { label, body });
                }
                // One that leads nowhere of itself must do so by what is in it.
                Some((label, None)) if leaves(&body) => steps.push(Step::Link { label, body }),
                _ => steps.push(Step::Todo { line, what: format!("<<{name} {arguments}>>") }),
            }
        }
        "silently" | "silent" => {
            let line = markup.line();
            let mut body = Vec::new();
            within(markup, depth + 1, &["/silently", "/silent"], &mut body);
            body.retain(|own| !matches!(own, Step::Text(_)));
            let mut links = false;
            every_step(&body, &mut |own| links |= matches!(own, Step::Link { .. }));
            if links {
                steps.push(Step::Todo { line, what: format!("a link in <<{name}>>") });
            } else {
                steps.append(&mut body);
            }
        }
        "print" | "=" | "-" if is_shown(arguments) => {}
        // It changes how something looks.
        "nobr" | "/nobr" => {}
        name => steps.push(markup.todo(format!("<<{name} {arguments}>>"))),
    }
}

/// Whether steps lead somewhere, if only under conditions.
fn leads(steps: &[Step]) -> bool {
    let mut found = false;
    every_step(steps, &mut |own| found |= matches!(own, Step::Goto { .. }));
    found
}

/// Whether something is only shown: a number, or words without markup.
fn is_shown(arguments: &str) -> bool {
    match in_quotes(arguments) {
        Some((words, rest)) => rest.trim().is_empty() && !words.contains(['[', '<', '$']),
        None => expression(arguments, SUGAR_CUBE, None).is_ok(),
    }
}

/// The label and the target of a link's arguments: `"label" "passage"`, `"label"` or `[[label|passage]]`.
fn link_of(markup: &mut Markup<'_>, arguments: &str) -> Option<(String, Option<Step>)> {
    let line = markup.line();
    if arguments.starts_with("[[") {
        let mut inner = Markup::new(SUGAR_CUBE, arguments, line);
        return match (inner.link()?, inner.rest().trim().is_empty()) {
            // What it sets beside that is not read.
            (Step::Link { label, mut body }, true) if body.len() == 1 => Some((label, body.pop())),
            _ => None,
        };
    }
    let (label, rest) = in_quotes(arguments)?;
    if rest.trim().is_empty() {
        return Some((label.into(), None));
    }
    let (target, rest) = in_quotes(rest)?;
    rest.trim().is_empty().then(|| (label.into(), Some(target_of(target, SUGAR_CUBE, line))))
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
            if !told.trim().is_empty() {
                wrong = wrong.or_else(|| Some(format!("<<else {told}>>")));
            }
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
        None => steps.push(Step::If(line, branches, otherwise)),
    }
}
