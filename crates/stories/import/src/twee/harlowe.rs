//! Macros of Harlowe: `(set:)`, `(if:)` and what follows it, links and `(go-to:)`.

use super::markup::{LONGEST, Markup, in_quotes, target_of};
use crate::story::{DEEPEST, Dialect, Expression, Step, expression, leaves};

const HARLOWE: Dialect = Dialect::Harlowe;
/// The longest name of a hook, in bytes.
const LONGEST_NAME: usize = 100;

/// What a passage says.
pub(super) fn steps(text: &str, first_line: usize) -> Vec<Step> {
    let mut markup = Markup::new(HARLOWE, text, first_line);
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
                let is_link = markup.rest().starts_with("[[") && !markup.rest().starts_with("[[[");
                markup.settle(steps);
                if let Some(link) = is_link.then(|| markup.link()).flatten() {
                    steps.push(link);
                    continue;
                }
                // A hook without a macro shows what is in it.
                let is_hidden = is_hidden_before(&markup.text[..markup.at]);
                markup.at += 1;
                deeper(markup, depth, steps);
                if is_hidden || is_hidden_after(markup.rest()) {
                    steps.push(markup.todo("a hidden hook"));
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
            _ if markup.passed() => {}
            own => match markup.other_link() {
                Some(step) => {
                    markup.settle(steps);
                    steps.push(step);
                }
                None if markup.rest().starts_with(own) => markup.read(own.len_utf8()),
                None => {}
            },
        }
    }
    markup.settle(steps);
}

/// Whether the hook that follows is hidden: `|name)`.
fn is_hidden_before(text: &str) -> bool {
    let text = &text[text.floor_char_boundary(text.len().saturating_sub(LONGEST_NAME))..];
    let name = text.strip_suffix(')').and_then(|own| own.rsplit_once('|'));
    name.is_some_and(|(_, name)| is_name(name))
}

/// Whether the hook before is hidden: `(name|`.
fn is_hidden_after(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(LONGEST_NAME)];
    text.strip_prefix('(').and_then(|own| own.split_once('|')).is_some_and(|(name, _)| is_name(name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|own| own.is_alphanumeric() || matches!(own, '_' | '-'))
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
    // Three begin a hook with a link in it.
    let rest = &rest[space..];
    if !rest.starts_with('[') || rest.starts_with("[[") && !rest.starts_with("[[[") {
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
                let line = markup.line();
                let step = set(part, line).unwrap_or_else(|what| Step::Todo { line, what });
                // In a hook it would be another one than outside.
                let is_of_hook = depth > 0 && matches!(&step, Step::Set(_, name, _) if name.starts_with('_'));
                let what = format!("a temporary variable in a hook: (set: {})", part.trim());
                steps.push(if is_of_hook { Step::Todo { line, what } } else { step });
            }
        }
        "if" | "unless" => conditions(markup, name, arguments, depth, steps),
        "goto" => steps.push(match in_quotes(arguments).filter(|own| own.1.trim().is_empty()) {
            Some((target, _)) => target_of(target, HARLOWE, markup.line()),
            None => markup.todo(format!("(go-to: {arguments})")),
        }),
        "linkgoto" => {
            let target = in_quotes(arguments).and_then(|(label, rest)| match rest.trim().strip_prefix(',') {
                None => rest.trim().is_empty().then_some((label, label)),
                Some(target) => in_quotes(target).filter(|own| own.1.trim().is_empty()).map(|own| (label, own.0)),
            });
            match target {
                Some((label, target)) => {
                    let body = vec![target_of(target, HARLOWE, markup.line())];
                    steps.push(Step::Link { label: label.into(), body });
                }
                None => steps.push(markup.todo(format!("(link-goto: {arguments})"))),
            }
        }
        "link" | "linkreplace" => {
            let label = in_quotes(arguments).filter(|own| own.1.trim().is_empty()).map(|own| own.0.to_string());
            let body = hook(markup, depth);
            match (label, body) {
                (Some(label), Some(body)) if leaves(&body) => steps.push(Step::Link { label, body }),
                _ => steps.push(markup.todo(format!("(link: {arguments})"))),
            }
        }
        "print" if is_shown(arguments) => {}
        "css" if !["display", "visibility", "opacity"].iter().any(|own| arguments.contains(own)) => {}
        // They only change how something looks.
        "textstyle" | "textcolour" | "textcolor" | "colour" | "color" | "align" | "font" | "transition" | "t8n"
        | "background" | "bg" | "box" | "hook" | "nobr" => {}
        name => steps.push(markup.todo(format!("({name}: {arguments})"))),
    }
}

/// Whether something is only shown: a number, or words without markup.
fn is_shown(arguments: &str) -> bool {
    match in_quotes(arguments) {
        Some((words, rest)) => rest.trim().is_empty() && !words.contains(['[', '(', '<']),
        None => expression(arguments, HARLOWE, None).is_ok(),
    }
}

/// `(if:)` or `(unless:)`, and what follows it.
fn conditions(markup: &mut Markup<'_>, name: &str, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    let line = markup.line();
    let mut branches = Vec::new();
    let mut otherwise = Vec::new();
    let mut next = Some((name.to_string(), arguments));
    while let Some((name, arguments)) = next.take() {
        if name == "else" {
            match hook(markup, depth) {
                Some(body) => otherwise = body,
                None => steps.push(markup.todo("(else:) without a hook")),
            }
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
    steps.push(Step::If(line, branches, otherwise));
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
fn set(part: &str, line: usize) -> Result<Step, String> {
    let wrong = || format!("(set: {})", part.trim());
    let (name, value) = part.split_once(" to ").ok_or_else(wrong)?;
    let Ok(Expression::Variable(name)) = expression(name, HARLOWE, None) else { return Err(wrong()) };
    let value = expression(value, HARLOWE, Some(&name)).map_err(|what| format!("{what}: {}", wrong()))?;
    Ok(Step::Set(line, name, value))
}
