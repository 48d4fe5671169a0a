//! The lines of an ink file: knots, and in them choices, gathers and what is said.

use super::content::{closing, open_after};
use super::knot::{Item, Knot, is_short};
use crate::story::{Dialect, Expression, Story, expression};
use crate::unreadable::Unreadable;

/// A file.
pub(super) struct File {
    pub(super) knots: Vec<Knot>,
}

/// The deepest nesting of choices that is read.
const DEEPEST: usize = 30;

/// What stands before the first knot is called so: no knot can be.
pub(super) const BEGINNING: &str = "the beginning";

/// Reads the lines of a file; variables and what is left out go to the story.
pub(super) fn lines(text: &str, story: &mut Story) -> Result<File, Unreadable> {
    let text = without_comments(text);
    let mut knots: Vec<Knot> =
        vec![Knot { name: BEGINNING.into(), line: 1, items: Vec::new(), into: None, is_function: false }];
    let mut block: Option<(usize, usize, String)> = None;
    for (line, own) in (1..).zip(text.lines()) {
        if !is_short(own) {
            return Err(Unreadable::wrong(format!("line {line} has {} bytes", own.len())));
        }
        let own = own.trim();
        if let Some((begun, depth, so_far)) = &mut block {
            so_far.push_str(own);
            so_far.push('\n');
            *depth = open_after(*depth, own);
            if *depth == 0 {
                push(&mut knots, whole_block(*begun, so_far.trim_end()));
                block = None;
            } else if !is_short(so_far) {
                return Err(Unreadable::wrong(format!("line {begun}: a block that does not end")));
            }
            continue;
        }
        if own.is_empty() || own.starts_with("TODO:") {
            continue;
        }
        if own.starts_with('=') {
            let next = header(own, line, &mut knots, story)?;
            knots.push(next);
            continue;
        }
        if declared(own, line, story) {
            continue;
        }
        if own.contains('\\') {
            push(&mut knots, Item::Todo { line, what: "a sign behind a `\\`".into() });
            continue;
        }
        let rest = match gather(own) {
            Some((gather, rest)) => {
                push(&mut knots, gather);
                rest
            }
            None => own,
        };
        if rest.starts_with('{') && closing(rest).is_none() {
            block = Some((line, open_after(0, rest), format!("{rest}\n")));
        } else if !rest.is_empty() {
            push(&mut knots, item(rest, line));
        }
    }
    if let Some((line, ..)) = block {
        return Err(Unreadable::wrong(format!("line {line}: a `{{` that is never closed")));
    }
    knots.retain(|knot| !knot.is_function && (!knot.items.is_empty() || knot.into.is_some()));
    Ok(File { knots })
}

/// A block in braces over several lines, if nothing stands behind it.
fn whole_block(line: usize, text: &str) -> Item {
    let end = closing(text).unwrap_or_default();
    if end + 1 == text.len() {
        Item::Block { line, text: text[1..end].into() }
    } else {
        Item::Todo { line, what: "something behind a block in braces".into() }
    }
}

/// The knot or stitch that a line begins.
fn header(own: &str, line: usize, knots: &mut [Knot], story: &mut Story) -> Result<Knot, Unreadable> {
    let is_knot = own.starts_with("==");
    let said = own.trim_matches('=').trim();
    let (is_function, said) = match said.strip_prefix("function ") {
        Some(said) => (true, said.trim()),
        None => (false, said),
    };
    let (name, parameters) =
        said.split_once('(').map_or((said, ""), |(name, rest)| (name.trim(), rest.trim_end_matches(')').trim()));
    if name.is_empty() || !name.chars().all(|own| own.is_alphanumeric() || own == '_') {
        let shown: String = own.chars().take(60).collect();
        return Err(Unreadable::wrong(format!(
            "line {line}: `{shown}` names no knot: a name is letters, digits and `_`"
        )));
    }
    if is_function {
        story.notes.push(format!("line {line}: the function `{name}` is left out"));
    } else if !parameters.is_empty() {
        story.todos.push((line, format!("the parameters of `{name}`")));
    }
    let knot = |name: String| Knot { name, line, items: Vec::new(), into: None, is_function };
    if is_knot {
        return Ok(knot(name.into()));
    }
    let outer = knots.iter_mut().rev().find(|knot| !knot.name.contains('.') && knot.name != BEGINNING);
    let Some(outer) = outer else {
        return Err(Unreadable::wrong(format!("line {line}: the stitch `{name}` stands in no knot")));
    };
    let stitch = Knot { is_function: outer.is_function, ..knot(format!("{}.{name}", outer.name)) };
    if outer.items.is_empty() && parameters.is_empty() {
        outer.into.get_or_insert_with(|| stitch.name.clone());
    }
    Ok(stitch)
}

fn push(knots: &mut [Knot], item: Item) {
    if let Some(knot) = knots.last_mut() {
        knot.items.push(item);
    }
}

/// Whether a line declares something: `VAR x = 3`. What is not understood is to do.
fn declared(own: &str, line: usize, story: &mut Story) -> bool {
    const UNREAD: [&str; 3] = ["INCLUDE ", "EXTERNAL ", "LIST "];
    if let Some(title) = own.strip_prefix("# title:") {
        story.title = title.trim().into();
        return true;
    }
    let shown: String = own.chars().take(60).collect();
    if UNREAD.iter().any(|word| own.starts_with(word)) {
        story.todos.push((line, shown));
        return true;
    }
    let Some(rest) = own.strip_prefix("VAR ").or_else(|| own.strip_prefix("CONST ")) else { return false };
    let set =
        rest.split_once('=').and_then(|(name, value)| Some((name.trim(), expression(value, Dialect::Ink, None).ok()?)));
    match set {
        Some((name, value @ (Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_)))) => {
            story.initial.insert(name.into(), value);
        }
        _ => story.todos.push((line, shown)),
    }
    true
}

/// A choice, a gather, or a line.
fn item(own: &str, line: usize) -> Item {
    let signs = |sign: char| {
        let mut rest = own;
        let mut depth = 0;
        while let Some(after) = rest.strip_prefix(sign)
            && depth < DEEPEST
            && !(sign == '-' && after.starts_with('>'))
        {
            (depth, rest) = (depth + 1, after.trim_start());
        }
        (depth, rest)
    };
    for (sign, once) in [('*', true), ('+', false)] {
        let (depth, rest) = signs(sign);
        if depth > 0 {
            let (label, text) = labelled(rest);
            return Item::Choice { line, depth, once, label, text: text.into() };
        }
    }
    Item::Line { line, text: own.into() }
}

/// The gather with which a line begins, and what follows it on the line.
fn gather(own: &str) -> Option<(Item, &str)> {
    let mut rest = own;
    let mut depth = 0;
    while let Some(after) = rest.strip_prefix('-').filter(|after| !after.starts_with('>') && depth < DEEPEST) {
        (depth, rest) = (depth + 1, after.trim_start());
    }
    if depth == 0 {
        return None;
    }
    let (label, rest) = labelled(rest);
    Some((Item::Gather { depth, label }, rest))
}

/// `(label)` and what follows.
fn labelled(text: &str) -> (Option<String>, &str) {
    let found = text.strip_prefix('(').and_then(|own| own.split_once(')'));
    match found.filter(|(label, _)| !label.is_empty() && label.chars().all(|own| own.is_alphanumeric() || own == '_')) {
        Some((label, rest)) => (Some(label.into()), rest.trim_start()),
        None => (None, text),
    }
}

/// The text without comments; lines stay where they are.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map_or(rest.len(), |end| end + 4)
        } else {
            out.push('/');
            rest = &rest[1..];
            continue;
        };
        out.extend(rest[..length].matches('\n'));
        rest = &rest[length..];
    }
    out + rest
}
