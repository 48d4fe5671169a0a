//! Macros of Harlowe: `(set:)`, `(if:)` and what follows it, links and `(go-to:)`.

use super::markup::{LONGEST, Markup, in_quotes, target_of};
use crate::story::{DEEPEST, Dialect, Expression, Step, expression};

const HARLOWE: Dialect = Dialect::Harlowe;

/// What a passage says.
pub(super) fn steps(text: &str, first_line: usize) -> Vec<Step> {
    let mut markup = Markup::new(text, first_line);
    let mut steps = Vec::new();
    within(&mut markup, 0, &mut steps);
    steps
}

/// Reads to the end of a hook, or of the passage.
fn within(markup: &mut Markup<'_>, depth: usize, steps: &mut Vec<Step>) {
    while let Some(own) = markup.rest().chars().next() {
        match own {
            ']' if depth > 0 => {
                markup.settle(steps);
                markup.at += 1;
                return;
            }
            '[' => {
                let is_link = markup.rest().starts_with("[[");
                markup.settle(steps);
                if let Some(link) = is_link.then(|| markup.link(HARLOWE)).flatten() {
                    steps.push(link);
                } else {
                    // A hook without a macro shows what is in it.
                    markup.at += 1;
                    deeper(markup, depth, steps);
                }
            }
            '(' => {
                if let Some((name, arguments)) = macro_at(markup) {
                    markup.settle(steps);
                    act(markup, &name, arguments, depth, steps);
                } else {
                    markup.read(1);
                }
            }
            _ if markup.comment() => {}
            own => markup.read(own.len_utf8()),
        }
    }
    markup.settle(steps);
}

/// What stands in a hook that was opened.
fn deeper(markup: &mut Markup<'_>, depth: usize, steps: &mut Vec<Step>) {
    if depth >= DEEPEST {
        steps.push(markup.todo(format!("hooks nested more than {DEEPEST} deep")));
        markup.at = markup.text.len();
        return;
    }
    within(markup, depth + 1, steps);
}

/// The name (in lower case, without `-` and `_`) and the arguments of the macro that begins here; passes it.
fn macro_at<'t>(markup: &mut Markup<'t>) -> Option<(String, &'t str)> {
    let inner = markup.rest().strip_prefix('(')?;
    let inner = &inner[..inner.floor_char_boundary(LONGEST)];
    let end = inner.find(|own: char| !(own.is_ascii_alphanumeric() || matches!(own, '-' | '_')))?;
    if end == 0 || !inner[end..].starts_with(':') {
        return None;
    }
    let name = inner[..end].to_ascii_lowercase().replace(['-', '_'], "");
    let mut depth = 1;
    let mut quote = None;
    for (at, own) in inner[end..].char_indices() {
        match (quote, own) {
            (Some(open), own) if own == open => quote = None,
            // An apostrophe within a word is none.
            (None, '"' | '\'') if !inner[..end + at].ends_with(char::is_alphanumeric) => quote = Some(own),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            markup.at += 1 + end + at + 1;
            return Some((name, inner[end + 1..end + at].trim()));
        }
    }
    None
}

/// The hook that follows, if one does.
fn hook(markup: &mut Markup<'_>, depth: usize) -> Option<Vec<Step>> {
    let rest = markup.rest();
    let space = rest.len() - rest.trim_start().len();
    if !rest[space..].starts_with('[') || rest[space..].starts_with("[[") {
        return None;
    }
    markup.at += space + 1;
    let mut steps = Vec::new();
    deeper(markup, depth, &mut steps);
    Some(steps)
}

fn act(markup: &mut Markup<'_>, name: &str, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    match name {
        "set" => {
            for part in parts(arguments) {
                let step = set(part).unwrap_or_else(|what| markup.todo(what));
                steps.push(step);
            }
        }
        "if" | "unless" => conditions(markup, name, arguments, depth, steps),
        "goto" => match in_quotes(arguments) {
            Some((target, _)) => steps.push(target_of(target, HARLOWE, markup.line())),
            None => steps.push(markup.todo(format!("(go-to: {arguments})"))),
        },
        "linkgoto" => match in_quotes(arguments) {
            Some((label, rest)) => {
                let target =
                    rest.trim_start().strip_prefix(',').and_then(in_quotes).map_or(label, |(target, _)| target);
                let body = vec![target_of(target, HARLOWE, markup.line())];
                steps.push(Step::Link { label: label.into(), body });
            }
            None => steps.push(markup.todo(format!("(link-goto: {arguments})"))),
        },
        "link" | "linkreplace" => {
            let label = in_quotes(arguments).map(|(label, _)| label.to_string());
            let body = hook(markup, depth);
            match (label, body) {
                (Some(label), Some(body)) if body.iter().any(|own| matches!(own, Step::Goto { .. })) => {
                    steps.push(Step::Link { label, body });
                }
                _ => steps.push(markup.todo(format!("(link: {arguments})"))),
            }
        }
        // They only change how something looks, or show a number.
        "print" | "textstyle" | "textcolour" | "textcolor" | "colour" | "color" | "align" | "font" | "css"
        | "transition" | "t8n" | "background" | "bg" | "box" | "hook" | "nobr" => {}
        name => steps.push(markup.todo(format!("({name}: {arguments})"))),
    }
}

/// `(if:)` or `(unless:)`, and what follows it.
fn conditions(markup: &mut Markup<'_>, name: &str, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    let mut branches = Vec::new();
    let mut otherwise = Vec::new();
    let mut next = Some((name.to_string(), arguments));
    while let Some((name, arguments)) = next.take() {
        if name == "else" {
            otherwise = hook(markup, depth).unwrap_or_default();
            break;
        }
        let test = expression(arguments, HARLOWE, None);
        let body = hook(markup, depth);
        let (Ok(test), Some(body)) = (&test, body) else {
            let what = test.err().unwrap_or_else(|| "a condition without a hook".into());
            steps.push(markup.todo(format!("{what}: ({name}: {arguments})")));
            return;
        };
        let test = if name == "unless" { test.clone().negated() } else { test.clone() };
        branches.push((test, body));
        // Only white space may stand between.
        let before = markup.at;
        let rest = markup.rest();
        markup.at += rest.len() - rest.trim_start().len();
        next = macro_at(markup).filter(|(name, _)| matches!(name.as_str(), "elseif" | "else"));
        if next.is_none() {
            markup.at = before;
        }
    }
    steps.push(Step::If(branches, otherwise));
}

/// The parts between commas outside of parentheses and quotes.
fn parts(arguments: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut begin) = (0, None, 0);
    let mut found = Vec::new();
    for (at, own) in arguments.char_indices() {
        match (quote, own) {
            (Some(open), own) if own == open => quote = None,
            (None, '"' | '\'') => quote = Some(own),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                found.push(&arguments[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&arguments[begin..]);
    found
}

/// `$x to 3`
fn set(part: &str) -> Result<Step, String> {
    let wrong = || format!("(set: {})", part.trim());
    let (name, value) = part.split_once(" to ").or_else(|| part.split_once('=')).ok_or_else(wrong)?;
    let Ok(Expression::Variable(name)) = expression(name, HARLOWE, None) else { return Err(wrong()) };
    let value = expression(value, HARLOWE, Some(&name)).map_err(|what| format!("{what}: {}", wrong()))?;
    Ok(Step::Set(name, value))
}
