//! Alternative spellings of ink, of which the compiler reads only one.

use std::borrow::Cow;

/// Kinds of sequences in ink, and in the spelling that the compiler reads.
const SEQUENCES: [(&str, &str); 2] = [("once shuffle", "shuffle once"), ("shuffle stopping", "stopping shuffle")];

/// A line in the spelling that the compiler reads.
pub(crate) fn as_compiled(line: &str) -> Cow<'_, str> {
    let Some((place, _)) = line.match_indices('{').find(|(place, _)| kind(&line[place + 1..]).is_some()) else {
        return Cow::Borrowed(line);
    };
    let (before, after) = line.split_at(place + 1);
    let Some((from, to)) = kind(after) else { return Cow::Borrowed(line) };
    let rest = &after[after.find(from).unwrap_or(0) + from.len()..];
    Cow::Owned(format!("{before}{to}{rest}"))
}

/// A gather followed by logic (`- ~ x = 1`), or a branch within braces (`- else: ~ x = 1`), split before the logic,
/// which the compiler reads as text unless it is on a line of its own.
pub(crate) fn split_logic(line: &str, in_braces: bool) -> (&str, Option<&str>) {
    let bullets = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
    let whole = (line, None);
    if !line[..bullets].contains('-') || line[bullets..].starts_with('>') {
        return whole;
    }
    let label = line[bullets..].strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |end| end + 2);
    let mut ends = vec![bullets + label];
    if in_braces {
        ends.extend(colon_of(&line[bullets..]).map(|colon| bullets + colon + 1));
    }
    let logic = |end: &usize| line[*end..].trim_start().starts_with('~');
    ends.iter().find(|end| logic(end)).map_or(whole, |end| (&line[..*end], Some(&line[*end..])))
}

/// Whether there is logic in the braces of one line (`{x: ~ y = 1}`): ink refuses it, the compiler reads it as text.
pub(crate) fn has_logic_within(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    code.match_indices('{').any(|(place, _)| {
        let inner = &code[place + 1..];
        let colon = colon_of(inner).filter(|colon| !inner[..*colon].contains('}'));
        colon.is_some_and(|colon| inner[colon + 1..].trim_start().starts_with('~') && inner[colon..].contains('}'))
    })
}

/// The first colon outside of brackets and texts.
fn colon_of(line: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0usize, false);
    for (place, sign) in line.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            '(' | '{' if !quoted => depth += 1,
            ')' | '}' if !quoted => depth = depth.saturating_sub(1),
            ':' if !quoted && depth == 0 => return Some(place),
            _ => {}
        }
    }
    None
}

/// A line that ends with tunnels and a target after them (`* [on] -> tunnel -> knot`, `* [on] ->->`), split into lines
/// of one divert each, which the compiler resolves. `None` if the line is one of these already, or the diverts are in
/// braces.
pub(crate) fn split_tunnels(line: &str) -> Option<Vec<String>> {
    let code = line.split("//").next().unwrap_or(line).trim_end();
    let parts: Vec<&str> = code.split("->").collect();
    let behind = parts.len() - parts.iter().skip(1).rev().take_while(|part| is_place(part)).count();
    let (before, places) = (parts[..behind].join("->"), &parts[behind..]);
    let is_open = |opens, closes| before.matches(opens).count() != before.matches(closes).count();
    if places.len() < 2 || is_open('{', '}') || is_open('(', ')') {
        return None;
    }
    let (last, tunnels) = places.split_last()?;
    let mut lines: Vec<String> = Some(before).filter(|text| !text.trim().is_empty()).into_iter().collect();
    if places.iter().all(|place| place.trim().is_empty()) {
        lines.push("->->".to_owned());
    } else if tunnels.iter().any(|place| place.trim().is_empty()) {
        return None;
    } else {
        lines.extend(tunnels.iter().map(|place| format!("->{place}->")));
        lines.extend(Some(last).filter(|place| !place.trim().is_empty()).map(|place| format!("->{place}")));
    }
    (lines.len() > 1).then_some(lines)
}

/// A choice whose text is in brackets only, with tags after them (`* [go] # won -> end`), split before what follows the
/// brackets and before its diverts: the compiler loses these tags. `None` if the line is not such a choice.
pub(crate) fn split_tags(line: &str) -> Option<Vec<String>> {
    let mut rest = line.trim_start_matches([' ', '\t', '*', '+']);
    let bullets = &line[..line.len() - rest.len()];
    if !bullets.contains(['*', '+']) {
        return None;
    }
    // The label and the conditions.
    while let Some(close) = [('(', ')'), ('{', '}')].iter().find(|(open, _)| rest.starts_with(*open)) {
        let end = closing(rest, close.0, close.1)?;
        rest = rest[end..].trim_start();
    }
    let end = closing(rest.starts_with('[').then_some(rest)?, '[', ']')?;
    let (choice, after) = line.split_at(line.len() - rest.len() + end);
    let tag = after.find('#')?;
    if after[..tag].contains("->") {
        return None;
    }
    let divert = after[tag..].find("->").map_or(after.len(), |divert| tag + divert);
    let parts = [choice, after[..divert].trim_start(), &after[divert..]];
    Some(parts.into_iter().filter(|part| !part.trim().is_empty()).map(str::to_owned).collect())
}

/// A line of several tags (`# gold # won`) as lines of one each: the compiler reads one tag. `None` if it has one only.
pub(crate) fn split_more_tags(line: &str) -> Option<Vec<String>> {
    if !line.trim_start().starts_with('#') {
        return None;
    }
    let begins = line.match_indices('#').map(|(place, _)| place).filter(|place| !line[..*place].ends_with('\\'));
    let begins: Vec<usize> = begins.collect();
    let ends = begins.iter().skip(1).copied().chain([line.len()]);
    let tags: Vec<String> = begins.iter().zip(ends).map(|(begin, end)| line[*begin..end].to_owned()).collect();
    (tags.len() > 1).then_some(tags)
}

/// The end of what is between brackets at the beginning of a text.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (place, sign) in text.char_indices() {
        if sign == open {
            depth += 1;
        } else if sign == close {
            depth -= 1;
            if depth == 0 {
                return Some(place + 1);
            }
        }
    }
    None
}

/// A branch within braces whose dash is not followed by a space (`-else:`), with one: the compiler misses it otherwise.
pub(crate) fn with_space(line: &str) -> Cow<'_, str> {
    let begin = line.len() - line.trim_start().len();
    match line[begin..].strip_prefix('-') {
        Some(rest) if !rest.is_empty() && !rest.starts_with(['-', '>', ' ', '\t']) => {
            Cow::Owned(format!("{}- {rest}", &line[..begin]))
        }
        _ => Cow::Borrowed(line),
    }
}

/// A gather with a choice in its line (`- * go`), split before the choice. `None` if the line is no such gather.
pub(crate) fn split_gather(line: &str) -> Option<Vec<String>> {
    let rest = line.trim_start_matches([' ', '\t', '-']);
    let label = rest.strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |end| end + 2);
    let (gather, choice) = line.split_at(line.len() - rest.len() + label);
    let is_gather = gather.trim_start().starts_with('-') && choice.trim_start().starts_with(['*', '+']);
    is_gather.then(|| vec![gather.to_owned(), choice.to_owned()])
}

/// Whether a text is a target, possibly with arguments, or empty.
fn is_place(text: &str) -> bool {
    let (name, arguments) = text.trim().split_once('(').unwrap_or((text.trim(), ")"));
    name.chars().all(|sign| sign.is_alphanumeric() || "_.".contains(sign)) && arguments.ends_with(')')
}

/// The kind of sequence of a brace, if the compiler spells it differently.
fn kind(inner: &str) -> Option<(&'static str, &'static str)> {
    let (head, _) = inner.split_once(':')?;
    SEQUENCES.into_iter().find(|(ink, _)| *ink == head.trim())
}

#[cfg(test)]
mod tests;
