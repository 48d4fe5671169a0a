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
