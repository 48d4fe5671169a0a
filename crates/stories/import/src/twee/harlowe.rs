//! Macros of Harlowe: `(set:)`, `(if:)` and what follows it, links and `(go-to:)`.

use super::markup::{LONGEST, MOST_UNCLOSED, Markup};
use crate::story::{DEEPEST, Dialect, Expression, Step, assignments, expression, has_markup, put};

mod links;

const HARLOWE: Dialect = Dialect::Harlowe;
/// The longest name of a hook, in bytes.
const LONGEST_NAME: usize = 100;

/// The steps of a passage.
pub(super) fn steps(markup: &mut Markup<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    within(markup, 0, &mut steps);
    steps
}

/// Reads to the end of a hook, or of the passage.
fn within(markup: &mut Markup<'_>, depth: usize, steps: &mut Vec<Step>) {
    while let Some(own) = markup.rest().chars().next() {
        match own {
            ']' if depth > 0 => {
                markup.flush(steps);
                markup.at += 1;
                return;
            }
            '[' => {
                let is_link = markup.rest().starts_with("[[") && !markup.rest().starts_with("[[[");
                markup.flush(steps);
                if let Some(link) = is_link.then(|| markup.link()).flatten() {
                    steps.push(link);
                    continue;
                }
                // A hook without a macro shows its content.
                let is_hidden = is_hidden_before(&markup.text[..markup.at]);
                open(markup, depth, steps);
                if is_hidden || is_hidden_after(markup.rest()) {
                    steps.push(markup.todo("a hidden hook"));
                }
            }
            '(' => {
                let line = markup.line();
                if let Some((name, arguments)) = macro_at(markup) {
                    markup.flush(steps);
                    act(markup, &name, arguments, (line, depth), steps);
                } else {
                    if is_macro_name(markup.rest()) && markup.unclosed <= MOST_UNCLOSED {
                        steps.push(markup.todo("a macro that does not end, or is too long"));
                    }
                    markup.read(1);
                }
            }
            '$' | '_' => attached_to_variable(markup, depth, steps),
            _ if markup.passed() => {}
            _ => markup.other_link_or_sign(steps),
        }
    }
    markup.flush(steps);
}

/// A variable in the text: it is shown, or decides whether the hook after it is shown.
fn attached_to_variable(markup: &mut Markup<'_>, depth: usize, steps: &mut Vec<Step>) {
    let rest = markup.rest();
    let is_name = |own: char| own.is_alphanumeric() || own == '_';
    let length = 1 + rest[1..].find(|own| !is_name(own)).unwrap_or(rest.len() - 1);
    let follows = rest[length..].trim_start_matches([' ', '\t', '\n']);
    let has_hook = follows.starts_with('[') && (!follows.starts_with("[[") || follows.starts_with("[[["));
    let is_before = markup.text[..markup.at].ends_with(is_name);
    if length == 1 || !has_hook || is_before {
        markup.read(length);
        return;
    }
    markup.flush(steps);
    let line = markup.line();
    let test = Expression::Variable(rest[..length].into());
    markup.at += length;
    let body = attached(markup, depth).unwrap_or_default();
    steps.push(Step::If(line, vec![(test, body)], Vec::new()));
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

/// Reads the hook that begins here, with `[`. A hook that begins with `[=` extends to the end of the enclosing text.
fn open(markup: &mut Markup<'_>, depth: usize, steps: &mut Vec<Step>) {
    markup.at += 1;
    let equals = markup.rest().len() - markup.rest().trim_start_matches('=').len();
    markup.at += equals;
    if depth >= DEEPEST {
        steps.push(markup.todo(format!("hooks nested more than {DEEPEST} deep")));
        markup.at = markup.text.len();
        return;
    }
    if equals == 0 {
        within(markup, depth + 1, steps);
        return;
    }
    // A closing bracket ends the enclosing hook, too.
    within(markup, depth, steps);
    if depth > 0 && markup.text[..markup.at].ends_with(']') {
        markup.at -= 1;
    }
}

/// The name (in lower case, without `-` and `_`) and the arguments of the macro that begins here, which is skipped.
fn macro_at<'t>(markup: &mut Markup<'t>) -> Option<(String, &'t str)> {
    let inner = markup.rest().strip_prefix('(')?;
    let inner = &inner[..inner.floor_char_boundary(LONGEST)];
    let end = inner.find(|own: char| !(own.is_ascii_alphanumeric() || matches!(own, '-' | '_')))?;
    if end == 0 || !inner[end..].starts_with(':') {
        return None;
    }
    if markup.unclosed > MOST_UNCLOSED {
        return None;
    }
    let name = inner[..end].to_ascii_lowercase().replace(['-', '_'], "");
    let mut depth = 1;
    let mut quote = None;
    let mut escaped = false;
    for (at, own) in inner[end..].char_indices() {
        match (quote, own) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), own) if own == open => quote = None,
            // An apostrophe within a word is no quote.
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
    markup.unclosed += 1;
    None
}

fn is_macro_name(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(LONGEST_NAME)];
    text[1..].split_once(':').is_some_and(|(name, _)| is_name(name))
}

/// Macros that only change the appearance of a text.
const LOOKS: [&str; 28] = [
    "textstyle",
    "textcolour",
    "textcolor",
    "colour",
    "color",
    "align",
    "font",
    "transition",
    "t8n",
    "transitiondepart",
    "t8ndepart",
    "transitionarrive",
    "t8narrive",
    "transitiontime",
    "t8ntime",
    "transitiondelay",
    "t8ndelay",
    "background",
    "bg",
    "box",
    "floatbox",
    "hook",
    "nobr",
    "collapse",
    "border",
    "b4r",
    "textsize",
    "size",
];

fn is_look(name: &str, arguments: &str) -> bool {
    let hides = ["display", "visibility", "opacity"].iter().any(|own| arguments.contains(own));
    LOOKS.contains(&name)
        || matches!(name, "css" | "borderstyle" | "bordercolour" | "bordercolor" | "textrotate") && !hides
}

/// The hook, the link or the macro to which a macro before it is attached, if one is.
fn attached(markup: &mut Markup<'_>, depth: usize) -> Option<Vec<Step>> {
    let begin = markup.at;
    loop {
        let rest = markup.rest();
        markup.at += rest.len() - rest.trim_start().len();
        let rest = markup.rest();
        let mut steps = Vec::new();
        if rest.starts_with("[[") && !rest.starts_with("[[[") {
            if let Some(link) = markup.link() {
                return Some(vec![link]);
            }
        } else if rest.starts_with('[') {
            open(markup, depth, &mut steps);
            return Some(steps);
        } else if let Some(after) = rest.strip_prefix('+') {
            markup.at = markup.text.len() - after.len();
            continue;
        }
        let line = markup.line();
        match macro_at(markup) {
            Some((name, arguments)) if is_look(&name, arguments) => {}
            Some((name, arguments)) if name == "linkgoto" => {
                act(markup, &name, arguments, (line, depth), &mut steps);
                return Some(steps);
            }
            _ => {
                markup.at = begin;
                return None;
            }
        }
    }
}

fn act(markup: &mut Markup<'_>, name: &str, arguments: &str, (line, depth): (usize, usize), steps: &mut Vec<Step>) {
    let todo = || Step::Todo { line, what: format!("({name}: {arguments})") };
    match name {
        "set" | "put" => {
            let sets =
                if name == "set" { assignments(arguments, HARLOWE) } else { put(arguments).map(|own| vec![own]) };
            match sets {
                // A temporary variable that is set in a hook is local to the hook.
                Ok(sets) if depth > 0 && sets.iter().any(|(name, _)| name.starts_with('_')) => {
                    let what = format!("a temporary variable in a hook: ({name}: {arguments})");
                    steps.push(Step::Todo { line, what });
                }
                Ok(sets) => steps.extend(sets.into_iter().map(|(name, own)| Step::Set(line, name, own))),
                Err(what) => steps.push(Step::Todo { line, what: format!("{what}: ({name}: {arguments})") }),
            }
        }
        "if" | "unless" | "elseif" | "else" => conditions(markup, name, arguments, (line, depth), steps),
        "goto" => steps.push(match text_of(arguments) {
            Some(target) => super::markup::target_of(&target, HARLOWE, line),
            None => todo(),
        }),
        "display" => steps.push(match text_of(arguments) {
            Some(target) => Step::Include { line, target },
            None => super::markup::held(arguments, HARLOWE, line, true).unwrap_or_else(todo),
        }),
        "linkgoto" => steps.push(links::link_goto(arguments, line).unwrap_or_else(todo)),
        "link" | "linkreplace" | "linkreveal" | "linkappend" | "linkrepeat" | "linkrerun" | "linkrevealgoto" => {
            let body = attached(markup, depth);
            steps.extend(links::link(name, arguments, body, line).unwrap_or_else(|| vec![todo()]));
        }
        "print" | "text" | "str" | "string" if is_shown(arguments) => {}
        // A hook that is always shown counts as a condition that holds, for an (else:) after it.
        name if is_look(name, arguments) => {
            if let Some(body) = attached(markup, depth) {
                steps.push(Step::If(line, vec![(Expression::Boolean(true), body)], Vec::new()));
            }
        }
        name => {
            // A value by itself is shown.
            let whole = format!("({name}: {arguments})");
            if !is_shown(&whole) {
                steps.push(todo());
            }
        }
    }
}

/// The only argument, a text.
fn text_of(arguments: &str) -> Option<String> {
    match expression(arguments, HARLOWE) {
        Ok(Expression::Text(text)) => Some(text),
        _ => None,
    }
}

/// Whether showing an expression has no effect: it is a value, or words without markup.
fn is_shown(arguments: &str) -> bool {
    let words = arguments.trim();
    let is_text = words.len() > 1 && words.starts_with(['"', '\'']) && words.ends_with(&words[..1]);
    if is_text { !has_markup(words) && !words.contains(['[', '<', '(']) } else { expression(words, HARLOWE).is_ok() }
}

/// `(if:)`, `(unless:)`, `(else-if:)` or `(else:)`, with the hook or the link that it is attached to.
fn conditions(
    markup: &mut Markup<'_>,
    name: &str,
    arguments: &str,
    (line, depth): (usize, usize),
    steps: &mut Vec<Step>,
) {
    let test = if name == "else" { Ok(Expression::Boolean(true)) } else { expression(arguments, HARLOWE) };
    let body = attached(markup, depth);
    let (Ok(test), Some(body)) = (&test, body) else {
        let what = test.err().unwrap_or_else(|| "a condition without a hook".into());
        steps.push(Step::Todo { line, what: format!("{what}: ({name}: {arguments})") });
        return;
    };
    if matches!(name, "if" | "unless") {
        let test = if name == "unless" { test.clone().negated() } else { test.clone() };
        steps.push(Step::If(line, vec![(test, body)], Vec::new()));
        return;
    }
    // It continues the condition before it; only words may come between.
    match steps.iter_mut().rev().find(|own| !matches!(own, Step::Text(_))) {
        Some(Step::If(_, branches, otherwise)) if otherwise.is_empty() => {
            if name == "else" {
                *otherwise = body;
                // The condition has no further branches.
                otherwise.push(Step::Text(String::new()));
            } else {
                branches.push((test.clone(), body));
            }
        }
        _ => steps.push(Step::Todo { line, what: format!("what comes before ({name}: {arguments})") }),
    }
}
