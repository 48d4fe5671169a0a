//! What a line of ink says and does: words, conditions in braces, diverts, tags.

use super::here::Here;
use crate::story::{DEEPEST, Expression, Step, every_step, leaves};

/// Words with which a sequence begins.
const SEQUENCES: [&str; 4] = ["stopping", "shuffle", "cycle", "once"];

/// What a line says and does. A tag that says that the end is won stands before all of it.
pub(super) fn content(text: &str, here: &Here<'_>, depth: usize) -> Vec<Step> {
    let (text, wins) = untagged(text);
    let mut steps: Vec<Step> = wins.then_some(Step::Won).into_iter().collect();
    if let Some(rest) = text.strip_prefix('~') {
        steps.push(here.done(rest.trim()));
        return steps;
    }
    let mut rest = text;
    let mut words = String::new();
    while let Some(at) = rest.find(['{', '-', '<']) {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(target) = rest.strip_prefix("->") {
            settle(&mut words, &mut steps);
            steps.push(here.divert(target));
            return steps;
        }
        if rest.starts_with("<-") {
            steps.push(here.todo(format!("a thread: {rest}")));
            return steps;
        }
        if rest.starts_with('{') {
            let Some(end) = closing(rest) else {
                steps.push(here.todo("a `{` that is not closed"));
                return steps;
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
    steps
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
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// How many braces are open after a text, if so many were before it; 0 once the last was closed in it.
pub(super) fn open_after(mut depth: usize, text: &str) -> usize {
    for own in text.bytes() {
        match own {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return 0,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Whether steps are only words: nothing else comes of which of them are read.
fn are_words(steps: &[Step]) -> bool {
    steps.iter().all(|step| matches!(step, Step::Text(_)))
}

/// Whether what stands in braces says that it is a sequence.
fn is_sequence(text: &str) -> bool {
    let begins = |word: &str| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', ' ']));
    text.starts_with(['&', '!', '~', '$']) || SEQUENCES.into_iter().any(begins)
}

/// What stands in braces on one line: a sequence, a condition, or a value that is shown.
fn inline(text: &str, here: &Here<'_>, depth: usize, steps: &mut Vec<Step>) {
    let todo = |what: &str| here.todo(format!("{what}{{{text}}}"));
    if depth >= DEEPEST {
        steps.push(todo("braces nested too deep: "));
        return;
    }
    let own = text.trim();
    let is_marked = is_sequence(own);
    let test = before_colon(own).filter(|_| !is_marked);
    let Some((test, body)) = test else {
        let parts = parts(own);
        if is_marked || parts.len() > 1 {
            // Which words are read when does not matter here.
            if !parts
                .iter()
                .all(|part| are_words(&content(part.trim_start_matches(['&', '!', '~', '$']), here, depth + 1)))
            {
                steps.push(todo("a sequence that does more than change words: "));
            }
        } else if let Err(what) = here.expression(own) {
            steps.push(todo(&format!("{what}: ")));
        }
        return;
    };
    let bodies: Vec<Vec<Step>> = parts(body).iter().map(|part| content(part, here, depth + 1)).collect();
    match (here.expression(test), &bodies[..]) {
        (Ok(test), [yes]) => steps.push(Step::If(here.line, vec![(test, yes.clone())], Vec::new())),
        (Ok(test), [yes, no]) => steps.push(Step::If(here.line, vec![(test, yes.clone())], no.clone())),
        (Ok(_), _) => steps.push(todo("")),
        // It may be a sequence with a colon in it; a call could do something.
        (Err(_), bodies) if !test.contains('(') && bodies.iter().all(|own| are_words(own)) => {}
        (Err(what), _) => steps.push(todo(&format!("{what}: "))),
    }
}

/// Whether somebody goes on who has won if he comes to an end.
fn is_won_in_passing<'s>(mut bodies: impl Iterator<Item = &'s Vec<Step>>) -> bool {
    bodies.any(|body| {
        let mut wins = false;
        every_step(body, &mut |own| wins |= *own == Step::Won);
        wins && !leaves(body)
    })
}

/// The parts between `|` outside of braces.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0usize, 0, Vec::new());
    for (at, own) in text.bytes().enumerate() {
        match own {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                found.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[begin..]);
    found
}

/// What stands before the first `:` outside of braces and quotes, and what follows it.
fn before_colon(text: &str) -> Option<(&str, &str)> {
    let mut in_quotes = false;
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, own)) = bytes.next() {
        match own {
            b'"' => in_quotes = !in_quotes,
            b'|' if !in_quotes && bytes.next_if(|(_, next)| *next == b'|').is_some() => {}
            b'{' | b'|' if !in_quotes => return None,
            b':' if !in_quotes => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// A branch of a block: what is asked (nothing: what is done else), the line, and what it does.
struct Branch<'t> {
    asked: Option<&'t str>,
    line: usize,
    body: Vec<Step>,
}

/// A block over several lines: `condition:` with what is done then, and perhaps `- else:`; or branches that begin with
/// `- condition:`; or, after `value:`, branches that begin with what it is compared with.
pub(super) fn block(text: &str, here: &Here<'_>, depth: usize) -> Vec<Step> {
    let todo = |what: String| vec![here.todo(what)];
    if depth >= DEEPEST {
        return todo(format!("blocks nested more than {DEEPEST} deep"));
    }
    let first = text.lines().next().unwrap_or_default().trim();
    if is_sequence(first) {
        return todo(format!("a sequence: {{{first}"));
    }
    let (value, branches) = match branches(text, here, depth) {
        Ok(found) => found,
        Err(step) => return vec![step],
    };
    let value = match value.map(|own| here.expression(own)).transpose() {
        Ok(value) => value,
        Err(what) => return todo(format!("{what} in a block in braces")),
    };
    if value.as_ref().is_some_and(Expression::is_rolled) {
        return todo("a block in braces over what is rolled in it".into());
    }
    let last = branches.len().saturating_sub(1);
    let (mut tests, mut otherwise) = (Vec::new(), Vec::new());
    for (place, Branch { asked, line, body }) in branches.into_iter().enumerate() {
        let here = Here { line, ..*here };
        match asked.map(|own| here.expression(own)) {
            Some(Ok(test)) => tests.push((value.iter().cloned().fold(test, Expression::equal_to), body)),
            Some(Err(what)) => return vec![here.todo(format!("{what} in a block in braces"))],
            None if place == last => otherwise = body,
            None => return vec![here.todo("an `else` before other branches")],
        }
    }
    if tests.is_empty() {
        return todo("a block in braces that is no condition".into());
    }
    let mut steps = vec![Step::If(here.line, tests, otherwise)];
    if let [Step::If(_, branches, otherwise)] = &steps[..]
        && is_won_in_passing(branches.iter().map(|(_, body)| body).chain([otherwise]))
    {
        steps.push(here.todo("a tag of an end under a condition"));
    }
    steps
}

/// The value before the branches of a block that compare with it, and the branches.
fn branches<'t>(text: &'t str, here: &Here<'_>, depth: usize) -> Result<(Option<&'t str>, Vec<Branch<'t>>), Step> {
    let (mut value, mut branches): (Option<&str>, Vec<Branch<'t>>) = (None, Vec::new());
    // What is done if what stands first holds.
    let mut alone: Option<Branch<'t>> = None;
    let mut lines = (here.line..).zip(text.lines());
    while let Some((line, own)) = lines.next() {
        let own = own.trim();
        let here = Here { line, ..*here };
        if own.is_empty() {
            continue;
        }
        if own.starts_with(['*', '+']) {
            return Err(here.todo("choices in a block in braces"));
        }
        if let Some(rest) = own.strip_prefix('-').filter(|rest| !rest.starts_with('>')) {
            let (asked, rest) =
                before_colon(rest).ok_or_else(|| here.todo("a block in braces that is no condition"))?;
            let asked = Some(asked.trim()).filter(|own| *own != "else");
            if let Some(first) = alone.take() {
                if asked.is_some() {
                    return Err(here.todo("a condition where only `else` can stand"));
                }
                value = None;
                branches.push(first);
            }
            let body = if rest.trim().is_empty() { Vec::new() } else { content(rest.trim(), &here, depth + 1) };
            branches.push(Branch { asked, line, body });
            continue;
        }
        if value.is_none() && branches.is_empty() && alone.is_none() {
            let (asked, rest) = before_colon(own).ok_or_else(|| here.todo("a block in braces that is no condition"))?;
            if !rest.trim().is_empty() {
                return Err(here.todo("a block in braces that begins with more than a condition"));
            }
            value = Some(asked.trim());
            continue;
        }
        let own = match inner_block(own, &mut lines) {
            Some(inner) => {
                let end = closing(&inner).unwrap_or_default();
                if end + 1 != inner.len() {
                    return Err(here.todo("something behind a block in braces"));
                }
                block(&inner[1..end], &here, depth + 1)
            }
            None => content(own, &here, depth + 1),
        };
        if branches.is_empty() {
            alone.get_or_insert(Branch { asked: value, line: here.line, body: Vec::new() }).body.extend(own);
        } else if let Some(Branch { body, .. }) = branches.last_mut() {
            body.extend(own);
        }
    }
    if let Some(first) = alone {
        value = None;
        branches.push(first);
    }
    Ok((value, branches))
}

/// A block within a block, with its braces, if one begins here.
fn inner_block<'t>(own: &str, lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Option<String> {
    if !own.starts_with('{') || closing(own).is_some() {
        return None;
    }
    let mut inner = String::from(own);
    let mut depth = open_after(0, own);
    for (_, next) in lines {
        inner.push('\n');
        inner.push_str(next.trim());
        depth = open_after(depth, next);
        if depth == 0 {
            break;
        }
    }
    Some(inner)
}
