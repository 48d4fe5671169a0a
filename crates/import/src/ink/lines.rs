//! The lines of an ink file: knots, and in them choices, gathers and what is said.

use super::{Knot, is_short};
use crate::story::{Dialect, Expression, Step, Story, expression};
use crate::unreadable::Unreadable;

/// What stands in a knot.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A line that is said or done.
    Line {
        line: usize,
        text: String,
    },
    /// A block in braces over several lines, without its braces.
    Block {
        line: usize,
        text: String,
    },
    Choice {
        line: usize,
        depth: usize,
        once: bool,
        label: Option<String>,
        text: String,
    },
    Gather {
        depth: usize,
        label: Option<String>,
    },
}

impl Item {
    /// The name by which a divert can lead to it.
    pub(super) fn label(&self) -> Option<&str> {
        match self {
            Self::Choice { label, .. } | Self::Gather { label, .. } => label.as_deref(),
            _ => None,
        }
    }
}

/// A file.
pub(super) struct File {
    pub(super) knots: Vec<Knot>,
}

/// The deepest nesting of choices that is read.
const DEEPEST: usize = 30;

/// Reads the lines of a file; variables and what is left out go to the story.
pub(super) fn lines(text: &str, story: &mut Story) -> Result<File, Unreadable> {
    let text = without_comments(text);
    let mut knots: Vec<Knot> = vec![Knot { name: "start".into(), items: Vec::new(), into: None }];
    let mut outer = String::new();
    let mut block: Option<(usize, usize, String)> = None;
    for (line, own) in (1..).zip(text.lines()) {
        if !is_short(own) {
            return Err(Unreadable::wrong(format!("line {line} has {} bytes", own.len())));
        }
        let own = own.trim();
        if let Some((begun, depth, so_far)) = &mut block {
            *depth = (*depth + own.matches('{').count()).saturating_sub(own.matches('}').count());
            so_far.push_str(own);
            so_far.push('\n');
            if *depth == 0 {
                let (line, text) = (*begun, std::mem::take(so_far));
                block = None;
                let text = text.trim_end();
                let text = text.strip_suffix('}').unwrap_or(text).to_string();
                push(&mut knots, Item::Block { line, text });
            } else if !is_short(so_far) {
                return Err(Unreadable::wrong(format!("line {begun}: a block that does not end")));
            }
            continue;
        }
        if own.is_empty() || own.starts_with("TODO:") {
            continue;
        }
        if own.starts_with("==") {
            let name = own.trim_matches('=').trim();
            if name.starts_with("function ") || name.contains('(') {
                story.notes.push(format!("line {line}: `{}` is left out", name.chars().take(40).collect::<String>()));
            }
            outer = name_of(name);
            knots.push(Knot { name: outer.clone(), items: Vec::new(), into: None });
            continue;
        }
        if let Some(stitch) = own.strip_prefix('=') {
            let name = format!("{outer}.{}", name_of(stitch.trim()));
            if let Some(knot) =
                knots.iter_mut().rev().find(|knot| knot.name == outer).filter(|own| own.items.is_empty())
            {
                knot.into.get_or_insert_with(|| name.clone());
            }
            knots.push(Knot { name, items: Vec::new(), into: None });
            continue;
        }
        if let Some(word) = ["INCLUDE ", "EXTERNAL ", "LIST "].into_iter().find(|word| own.starts_with(word)) {
            story.notes.push(format!("line {line}: {word}is not understood"));
            continue;
        }
        if let Some(rest) = own.strip_prefix("VAR ").or_else(|| own.strip_prefix("CONST ")) {
            declared(rest, line, story);
            continue;
        }
        let unclosed = own.matches('{').count() > own.matches('}').count();
        if own.starts_with('{') && unclosed {
            let depth = own.matches('{').count() - own.matches('}').count();
            block = Some((line, depth, format!("{}\n", &own[1..])));
            continue;
        }
        if let Some(title) = own.strip_prefix("# title:") {
            story.title = title.trim().into();
            continue;
        }
        let rest = match gather(own) {
            Some((gather, rest)) => {
                push(&mut knots, gather);
                rest
            }
            None => own,
        };
        if !rest.is_empty() {
            push(&mut knots, item(rest, line));
        }
    }
    if let Some((line, ..)) = block {
        return Err(Unreadable::wrong(format!("line {line}: a `{{` that is never closed")));
    }
    knots.retain(|knot| !knot.items.is_empty() || knot.into.is_some());
    let mut seen = std::collections::BTreeSet::new();
    for knot in &knots {
        if !seen.insert(&knot.name) {
            return Err(Unreadable::wrong(format!("`{}` stands in it twice", knot.name)));
        }
    }
    Ok(File { knots })
}

fn push(knots: &mut [Knot], item: Item) {
    if let Some(knot) = knots.last_mut() {
        knot.items.push(item);
    }
}

/// The name of a knot, without its parameters.
fn name_of(text: &str) -> String {
    let text = text.strip_prefix("function ").unwrap_or(text).trim();
    text.chars().take_while(|own| own.is_alphanumeric() || *own == '_').take(200).collect()
}

/// `x = 3`
fn declared(text: &str, line: usize, story: &mut Story) {
    let set = text.split_once('=').and_then(|(name, value)| {
        let value = expression(value, Dialect::Ink, None).ok()?;
        matches!(value, Expression::Number(_) | Expression::Text(_)).then(|| (name.trim().to_string(), value))
    });
    match set {
        Some((name, value)) => {
            story.initial.insert(name, value);
        }
        None => story
            .notes
            .push(format!("line {line}: `VAR {}` is not understood", text.chars().take(60).collect::<String>())),
    }
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

/// What a line that begins with `~` does.
pub(super) fn done(text: &str, line: usize) -> Step {
    let todo = |why: String| Step::Todo { line, what: format!("{why}~ {text}") };
    let own = text.strip_prefix("temp ").unwrap_or(text).trim();
    for (sign, operation) in [("+", crate::story::Operation::Plus), ("-", crate::story::Operation::Minus)] {
        let (name, by) = if let Some(name) = own.strip_suffix(&format!("{sign}{sign}")) {
            (name, "1")
        } else if let Some((name, by)) = own.split_once(&format!("{sign}=")) {
            (name, by)
        } else {
            continue;
        };
        let (Ok(Expression::Variable(name)), Ok(by)) =
            (expression(name, Dialect::Ink, None), expression(by, Dialect::Ink, None))
        else {
            return todo(String::new());
        };
        let now = Expression::Variable(name.clone());
        return Step::Set(name, Expression::operation(operation, now, by));
    }
    let Some((name, value)) = own.split_once('=') else { return todo(String::new()) };
    let Ok(Expression::Variable(name)) = expression(name, Dialect::Ink, None) else { return todo(String::new()) };
    match expression(value, Dialect::Ink, None) {
        Ok(value) => Step::Set(name, value),
        Err(what) => todo(what + ": "),
    }
}
