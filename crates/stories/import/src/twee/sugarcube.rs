//! Macros of `SugarCube`.

use super::markup::{LONGEST, MOST_UNCLOSED, Markup, held};
use crate::story::{DEEPEST, Dialect, Expression, Step, assignments, expression, has_markup};
use arguments::Argument;

mod arguments;
mod flow;
mod goto;
mod links;

use flow::{Part, conditions, repetition, switch};
pub(super) use goto::{goto_last, without_words};
use links::link;

const SUGAR_CUBE: Dialect = Dialect::SugarCube;

/// The steps of a passage.
pub(super) fn steps(markup: &mut Markup<'_>, depth: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some((end, _)) = within(markup, depth, &[], &mut steps) {
        steps.push(markup.todo(format!("<<{end}>> without its beginning")));
    }
    steps
}

/// Macros that end or divide others.
const PARTS: [&str; 14] = [
    "else",
    "elseif",
    "/if",
    "/link",
    "/button",
    "/linkreplace",
    "/linkappend",
    "/linkprepend",
    "case",
    "default",
    "/switch",
    "/for",
    "/silently",
    "/silent",
];

/// The older names of closing macros, each with its present name.
const OLD_ENDS: [(&str, &str); 10] = [
    ("endif", "/if"),
    ("endlink", "/link"),
    ("endbutton", "/button"),
    ("endlinkreplace", "/linkreplace"),
    ("endlinkappend", "/linkappend"),
    ("endlinkprepend", "/linkprepend"),
    ("endswitch", "/switch"),
    ("endfor", "/for"),
    ("endsilently", "/silently"),
    ("endnobr", "/nobr"),
];

/// A macro as the story writes it.
fn shown(name: &str, arguments: &str) -> String {
    if arguments.is_empty() { format!("<<{name}>>") } else { format!("<<{name} {arguments}>>") }
}

/// Reads up to one of these macros, which is skipped, or to the end of the passage. Returns its name and its arguments.
fn within(markup: &mut Markup<'_>, depth: usize, ends: &[&str], steps: &mut Vec<Step>) -> Option<(String, String)> {
    while !markup.rest().is_empty() {
        if markup.rest().starts_with("<<") {
            markup.flush(steps);
            let before = markup.at;
            let Some((name, arguments)) = macro_at(markup) else {
                markup.at = before;
                if markup.unclosed == MOST_UNCLOSED || markup.rest().len() > LONGEST && markup.unclosed < MOST_UNCLOSED
                {
                    steps.push(markup.todo("a macro that does not end, or is too long"));
                }
                markup.read(2);
                continue;
            };
            if ends.contains(&name) || ends.is_empty() && PARTS.contains(&name) {
                return Some((name.into(), arguments.into()));
            }
            act(markup, name, arguments, depth, steps);
            continue;
        }
        markup.link_or_text(steps);
    }
    markup.flush(steps);
    None
}

/// The name and the arguments of the macro that begins here, which is skipped.
fn macro_at<'t>(markup: &mut Markup<'t>) -> Option<(&'t str, &'t str)> {
    markup.at += 2;
    let rest = markup.rest();
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let is_name = |own: char| own.is_ascii_alphanumeric() || matches!(own, '_' | '-');
    let begins = rest.trim_start_matches('/').starts_with(|own: char| own.is_ascii_alphabetic());
    if !begins && !rest.starts_with(['=', '-']) || markup.unclosed > MOST_UNCLOSED {
        return None;
    }
    let mut quote = None;
    let mut escaped = false;
    for (at, own) in rest.char_indices() {
        match (quote, own) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), own) if own == open => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(own),
            (None, '>') if rest[at..].starts_with(">>") => {
                let inner = rest[..at].trim_end();
                let slash = usize::from(inner.starts_with('/'));
                let end = inner[slash..].find(|own| !is_name(own)).map_or(inner.len(), |end| slash + end);
                let end = if inner.starts_with(['=', '-']) { 1 } else { end };
                markup.at += at + 2;
                // Closing macros have an older form, too.
                let name = OLD_ENDS.iter().find(|(old, _)| *old == &inner[..end]).map_or(&inner[..end], |own| own.1);
                return Some((name, inner[end..].trim()));
            }
            _ => {}
        }
    }
    markup.unclosed += 1;
    None
}

fn act(markup: &mut Markup<'_>, name: &str, arguments: &str, depth: usize, steps: &mut Vec<Step>) {
    if depth >= DEEPEST {
        steps.push(markup.todo(format!("macros nested more than {DEEPEST} deep")));
        markup.at = markup.text.len();
        return;
    }
    match name {
        "set" | "run" => {
            let line = markup.line();
            match assignments(arguments, SUGAR_CUBE) {
                Ok(all) => steps.extend(all.into_iter().map(|(name, own)| Step::Set(line, name, own))),
                Err(what) => steps.push(Step::Todo { line, what: format!("{what}: <<{name} {arguments}>>") }),
            }
        }
        "unset" => {
            let names = arguments.split([' ', ',']).filter(|own| !own.is_empty());
            for own in names {
                steps.push(match expression(own, SUGAR_CUBE) {
                    Ok(Expression::Variable(name)) => Step::Unset(name),
                    _ => markup.todo(format!("<<unset {arguments}>>")),
                });
            }
        }
        "if" | "switch" | "for" | "link" | "button" | "linkreplace" | "linkappend" | "linkprepend" => {
            steps.extend(with_others(markup, name, arguments, depth));
        }
        "goto" => {
            let line = markup.line();
            steps.push(match arguments::arguments(arguments, line).as_deref() {
                Some([Argument::Text(target)]) => super::markup::target_of(target, SUGAR_CUBE, line),
                Some([Argument::Link(_, body)]) if matches!(body[..], [Step::Goto { .. }]) => body[0].clone(),
                _ => Step::Todo { line, what: format!("<<goto {arguments}>>") },
            });
        }
        "include" | "display" => {
            let line = markup.line();
            steps.push(match arguments::arguments(arguments, line).as_deref() {
                Some([Argument::Text(target), ..]) => Step::Include { line, target: target.trim().into() },
                Some([Argument::Word(word), ..]) => held(word, SUGAR_CUBE, line, true)
                    .unwrap_or_else(|| Step::Todo { line, what: format!("<<{name} {arguments}>>") }),
                _ => Step::Todo { line, what: format!("<<{name} {arguments}>>") },
            });
        }
        "silently" | "silent" => {
            let mut body = Vec::new();
            within(markup, depth + 1, &["/silently", "/silent"], &mut body);
            steps.extend(without_words(body));
        }
        "script" => {
            steps.push(markup.todo("<<script>>"));
            let length = markup.rest().find("<</script>>").map_or(markup.rest().len(), |at| at + "<</script>>".len());
            markup.at += length;
        }
        "print" | "=" | "-" if is_shown(arguments) => {}
        // They change appearance and sound only.
        "nobr" | "/nobr" | "audio" | "cacheaudio" | "createplaylist" | "createaudiogroup" | "/createplaylist"
        | "/createaudiogroup" | "track" | "masteraudio" | "playlist" | "removeaudiogroup" | "removeplaylist"
        | "waitforaudio" | "type" | "/type" => {}
        name => match markup.widgets.by_name.get(name) {
            Some(widget) => {
                let line = markup.line();
                match widget.called(arguments).filter(|body| markup.widgets.take(body.len())) {
                    Some(body) => {
                        let mut inner = Markup::new(SUGAR_CUBE, &body, widget.line, markup.widgets);
                        steps.append(&mut self::steps(&mut inner, depth + 1));
                    }
                    None => steps.push(Step::Todo { line, what: format!("the widget <<{name} {arguments}>>") }),
                }
            }
            None => steps.push(markup.todo(shown(name, arguments))),
        },
    }
}

/// Reads a macro that contains others, to its end.
fn with_others(markup: &mut Markup<'_>, name: &str, words: &str, depth: usize) -> Vec<Step> {
    let (line, place, end) = (markup.line(), markup.at, format!("/{name}"));
    let ends: &[&str] = match name {
        "if" => &["elseif", "else", &end],
        "switch" => &["case", "default", &end],
        _ => &[&end],
    };
    let mut parts = Vec::new();
    let mut next = (name.to_string(), words.to_string());
    loop {
        let mut body = Vec::new();
        let ended_by = within(markup, depth + 1, ends, &mut body);
        parts.push(Part { name: next.0, words: next.1, body });
        match ended_by {
            Some((own, _)) if own == end => break,
            Some(own) => next = own,
            None => return vec![Step::Todo { line, what: format!("<<{name}>> without <</{name}>>") }],
        }
    }
    match name {
        "if" => vec![conditions(parts, line)],
        "switch" => switch(parts, line, place),
        _ => {
            let body = parts.pop().map(|own| own.body).unwrap_or_default();
            if name == "for" { repetition(words, &body, line, markup.widgets) } else { link(name, words, body, line) }
        }
    }
}

/// Whether showing an expression has no effect: it is a value, or words without markup.
fn is_shown(arguments: &str) -> bool {
    let words = arguments.trim();
    let is_text = words.len() > 1 && words.starts_with(['"', '\'']) && words.ends_with(&words[..1]);
    if is_text { !has_markup(words) && !words.contains('<') } else { expression(words, SUGAR_CUBE).is_ok() }
}
