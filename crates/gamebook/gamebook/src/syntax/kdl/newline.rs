//! Line breaks of KDL, which has more of them than editors know; [`Lines`](crate::Lines) counts lines as editors do.

/// Whether a character ends a line.
pub(crate) fn is_newline(own: char) -> bool {
    matches!(own, '\n' | '\r' | '\u{85}' | '\u{b}' | '\u{c}' | '\u{2028}' | '\u{2029}')
}

/// The lines of a text, including their ends.
pub(crate) fn kdl_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, after) = rest.split_at(line_length(rest));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// The length of a text's first line, including its end.
fn line_length(text: &str) -> usize {
    let Some((at, own)) = text.char_indices().find(|(_, own)| is_newline(*own)) else { return text.len() };
    at + if text[at..].starts_with("\r\n") { 2 } else { own.len_utf8() }
}

/// Whether bytes begin with a line break.
pub(crate) fn begins_with_newline(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\n' | b'\r' | b'\x0b' | b'\x0c', ..] | [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

#[cfg(test)]
mod tests;
