//! Input that the parser must not see: long numbers, dice, and deep recursion.

use std::ops::Range;

use super::limits::DEEPEST;
use super::newline::{begins_with_newline, kdl_lines};
use crate::syntax::problem::Problem;

/// The longest number, in digits.
pub(super) const LONGEST_NUMBER: usize = 18;

/// The most `/-` in a piece before a comment or another `/-`.
const MOST_DOUBLE: usize = 8;

/// A text with parts, which are whole characters, overwritten by a byte.
pub(super) fn filled(text: String, parts: Vec<Range<usize>>, with: u8) -> String {
    let mut bytes = text.into_bytes();
    for part in parts {
        bytes[part].fill(with);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Numbers that are too long for the parser, outside of quotes and comments.
pub(super) fn long_numbers(piece: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in kdl_lines(piece) {
        let mut in_quotes = false;
        let mut word = 0;
        for (at, byte) in line.bytes().enumerate() {
            in_quotes ^= byte == b'"' && !(in_quotes && is_escaped(line, at));
            if !in_quotes && line.as_bytes()[..=at].ends_with(b"//") {
                break;
            }
            if !in_quotes && (byte.is_ascii_alphanumeric() || byte == b'_') {
                word += 1;
                continue;
            }
            let begin = at - word;
            if word > LONGEST_NUMBER && line.as_bytes()[begin].is_ascii_digit() {
                found.push(start + begin..start + at);
            }
            word = 0;
        }
        start += line.len();
    }
    found
}

/// Whether a character is escaped by a backslash.
fn is_escaped(line: &str, at: usize) -> bool {
    line.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Dice without quotes, such as 2d6.
pub(super) fn dice(piece: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in kdl_lines(piece) {
        let mut in_quotes = false;
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            in_quotes ^= bytes[at] == b'"' && !(in_quotes && is_escaped(line, at));
            if !in_quotes && bytes[at..].starts_with(b"//") {
                break;
            }
            let begins = at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'=' | b';' | b'{');
            let length = if in_quotes || !begins { 0 } else { dice_length(&bytes[at..]) };
            if length > 0 {
                found.push(start + at..start + at + length);
            }
            at += length.max(1);
        }
        start += line.len();
    }
    found
}

/// The length of the dice at the beginning of a text; 0 if there are none.
fn dice_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let count = digits(0);
    if count == 0 || count > 3 || text.get(count) != Some(&b'd') {
        return 0;
    }
    let sides = digits(count + 1);
    let mut end = count + 1 + sides;
    if sides > 0 && matches!(text.get(end), Some(b'+' | b'-')) {
        let more = digits(end + 1);
        end += if more > 0 { 1 + more } else { 0 };
    }
    let ends = text.get(end).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b';' | b'}' | b'{'))
        || begins_with_newline(&text[end..]);
    if sides > 0 && ends { end } else { 0 }
}

/// An error for input on which the parser would recurse too deeply: it recurses into braces, and tries what `/-` comments out
/// repeatedly. `depth` is the number of enclosing braces.
pub(super) fn too_much(piece: &str, depth: usize) -> Option<Problem> {
    let bytes = piece.as_bytes();
    let mut braces: Vec<bool> = Vec::new();
    let (mut commented, mut double) = (false, 0);
    for (at, byte) in bytes.iter().enumerate() {
        let problem = |message: &str| Problem::error(at..at + 1, message);
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'-') => {
                commented = true;
                let next = bytes[at + 2..].iter().find(|byte| !byte.is_ascii_whitespace() && **byte != b'\\');
                double += usize::from(next == Some(&b'/'));
                if double > MOST_DOUBLE {
                    return Some(
                        problem("`/-` before comments or other `/-`").help("write what is commented out after it"),
                    );
                }
            }
            _ if commented && begins_with_newline(&bytes[at..]) => {
                // `/-` at the end of a line or before a comment applies to the next line.
                let line = piece[..at].rsplit_once("/-").map_or("", |(_, rest)| rest.trim_start());
                commented = line.is_empty() || line.starts_with(['/', '\\']);
            }
            b'{' => {
                if commented && braces.contains(&true) {
                    let problem = problem("`/-` within what is commented out already");
                    return Some(problem.help("leave out the inner `/-`"));
                }
                braces.push(std::mem::take(&mut commented));
                if depth + braces.len() > DEEPEST {
                    return Some(problem("nested too deeply").help(format!("{DEEPEST} levels of braces are read")));
                }
            }
            b'}' => {
                braces.pop();
                commented = false;
            }
            _ => {}
        }
    }
    let comments = bytes.windows(2).fold((0usize, 0usize), |(depth, most), pair| match pair {
        b"/*" => (depth + 1, most.max(depth + 1)),
        b"*/" => (depth.saturating_sub(1), most),
        _ => (depth, most),
    });
    (comments.1 > DEEPEST)
        .then(|| Problem::error(0..1, "comments nested too deeply").help(format!("{DEEPEST} levels are read")))
}
