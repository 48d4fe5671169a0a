//! What a line of ink says and does: words, conditions in braces, diverts, tags.

use super::Targets;
use super::lines::done;
use crate::story::{DEEPEST, Dialect, Step, expression};

/// Where things stand and lead.
pub(super) struct Here<'t> {
    pub(super) targets: &'t Targets,
    /// The knot or stitch.
    pub(super) within: &'t str,
    pub(super) line: usize,
}

/// What a line says and does; and whether it has a tag that says that the end is won.
pub(super) fn content(text: &str, here: &Here<'_>, depth: usize) -> (Vec<Step>, bool) {
    let (text, wins) = untagged(text);
    let mut steps = Vec::new();
    if let Some(rest) = text.strip_prefix('~') {
        return (vec![done(rest.trim(), here.line)], wins);
    }
    let mut rest = text;
    let mut words = String::new();
    while let Some(at) = rest.find(['{', '-', '<']) {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(target) = rest.strip_prefix("->") {
            settle(&mut words, &mut steps);
            steps.push(divert(target, here));
            return (steps, wins);
        }
        if rest.starts_with("<-") {
            steps.push(Step::Todo { line: here.line, what: format!("a thread: {rest}") });
            return (steps, wins);
        }
        if rest.starts_with('{') {
            let Some(end) = closing(rest) else {
                steps.push(Step::Todo { line: here.line, what: "a `{` that is not closed".into() });
                return (steps, wins);
            };
            settle(&mut words, &mut steps);
            inline(&rest[1..end], here, depth, &mut steps);
            rest = &rest[end + 1..];
            continue;
        }
        // Glue and single signs.
        let length = if rest.starts_with("<>") { 2 } else { 1 };
        if length == 1 {
            words.push_str(&rest[..1]);
        }
        rest = &rest[length..];
    }
    words.push_str(rest);
    words.push('\n');
    settle(&mut words, &mut steps);
    (steps, wins)
}

fn settle(words: &mut String, steps: &mut Vec<Step>) {
    if !words.trim().is_empty() {
        steps.push(Step::Text(std::mem::take(words)));
    }
}

/// A text without its tags, and whether one says that the end is won.
pub(super) fn untagged(text: &str) -> (&str, bool) {
    let mut parts = text.split('#');
    let words = parts.next().unwrap_or_default().trim();
    (words, parts.any(|tag| matches!(tag.trim().to_ascii_lowercase().as_str(), "win" | "victory" | "goal")))
}

/// Where the brace is closed with which a text begins.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, own) in text.bytes().enumerate() {
        match own {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `-> target`
pub(super) fn divert(target: &str, here: &Here<'_>) -> Step {
    let target = target.trim();
    if matches!(target, "END" | "DONE") {
        return Step::End;
    }
    let is_name = !target.is_empty() && target.chars().all(|own| own.is_alphanumeric() || matches!(own, '_' | '.'));
    match here.targets.find(target, here.within).filter(|_| is_name) {
        Some(found) => Step::Goto { line: here.line, target: found },
        None if is_name => Step::Goto { line: here.line, target: target.into() },
        None => Step::Todo { line: here.line, what: format!("-> {target}") },
    }
}

/// What stands in braces on one line.
fn inline(text: &str, here: &Here<'_>, depth: usize, steps: &mut Vec<Step>) {
    let does = text.contains("->") || text.contains('~') && text.contains('=');
    let test = before_colon(text);
    let Some((test, body)) = test.filter(|_| depth < DEEPEST) else {
        // Words that change are words.
        if does {
            steps.push(Step::Todo { line: here.line, what: format!("{{{text}}}") });
        }
        return;
    };
    match expression(test, Dialect::Ink, None) {
        Ok(test) => {
            let (yes, no) = body.split_once('|').unwrap_or((body, ""));
            let (yes, no) = (content(yes, here, depth + 1).0, content(no, here, depth + 1).0);
            steps.push(Step::If(vec![(test, yes)], no));
        }
        Err(what) if does => steps.push(Step::Todo { line: here.line, what: format!("{what}: {{{text}}}") }),
        Err(_) => {}
    }
}

/// What stands before the first `:` outside of braces and quotes, and what follows it.
fn before_colon(text: &str) -> Option<(&str, &str)> {
    let mut in_quotes = false;
    for (at, own) in text.bytes().enumerate() {
        match own {
            b'"' => in_quotes = !in_quotes,
            b'{' | b'|' if !in_quotes => return None,
            b':' if !in_quotes => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// A block over several lines: `condition:`, or branches that begin with `- condition:` and `- else:`.
pub(super) fn block(text: &str, here: &Here<'_>, depth: usize) -> (Vec<Step>, bool) {
    let todo = |what: String| (vec![Step::Todo { line: here.line, what }], false);
    if depth >= DEEPEST {
        return todo(format!("blocks nested more than {DEEPEST} deep"));
    }
    let mut branches: Vec<(Option<String>, Vec<Step>)> = Vec::new();
    let mut wins = false;
    let mut lines = (here.line..).zip(text.lines());
    let mut begun = false;
    while let Some((line, own)) = lines.next() {
        let own = own.trim();
        let here = Here { line, ..*here };
        if own.is_empty() {
            continue;
        }
        if let Some(rest) = own.strip_prefix('-').filter(|rest| !rest.starts_with('>')) {
            let Some((test, rest)) = before_colon(rest) else {
                return todo("a block in braces that is no condition".into());
            };
            let test = test.trim();
            branches.push(((test != "else").then(|| test.into()), content_if_any(rest, &here, depth)));
            begun = true;
            continue;
        }
        if own.starts_with(['*', '+']) {
            return todo("choices in a block in braces".into());
        }
        if !begun {
            begun = true;
            let Some((test, rest)) = before_colon(own) else {
                return todo("a block in braces that is no condition".into());
            };
            branches.push((Some(test.trim().into()), content_if_any(rest, &here, depth)));
            continue;
        }
        // A block within.
        let (own, more) = if own.starts_with('{') && closing(own).is_none() {
            let mut inner = String::from(own);
            inner.push('\n');
            for (_, next) in lines.by_ref() {
                inner.push_str(next);
                inner.push('\n');
                if closing(&inner).is_some() {
                    break;
                }
            }
            let inner = inner.trim_end();
            let (steps, more) = block(inner[1..].strip_suffix('}').unwrap_or(&inner[1..]), &here, depth + 1);
            (steps, more)
        } else {
            content(own, &here, depth + 1)
        };
        wins |= more;
        if let Some((_, body)) = branches.last_mut() {
            body.extend(own);
        }
    }
    let mut tests = Vec::new();
    let mut otherwise = Vec::new();
    for (test, body) in branches {
        match test.map(|own| expression(&own, Dialect::Ink, None)) {
            Some(Ok(test)) => tests.push((test, body)),
            Some(Err(what)) => return todo(format!("{what} in a block in braces")),
            None => otherwise = body,
        }
    }
    if tests.is_empty() {
        return todo("a block in braces that is no condition".into());
    }
    (vec![Step::If(tests, otherwise)], wins)
}

fn content_if_any(text: &str, here: &Here<'_>, depth: usize) -> Vec<Step> {
    if text.trim().is_empty() { Vec::new() } else { content(text.trim(), here, depth + 1).0 }
}
