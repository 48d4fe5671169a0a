//! Where lines end in KDL: at more signs than in an editor, which [`Lines`](crate::Lines) counts for.

/// Whether a character ends a line.
pub(crate) fn is_newline(own: char) -> bool {
    matches!(own, '\n' | '\r' | '\u{85}' | '\u{b}' | '\u{c}' | '\u{2028}' | '\u{2029}')
}

/// The lines of a text, with their ends.
pub(crate) fn kdl_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, after) = rest.split_at(line_length(rest));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// How long the line is with which a text begins, with its end.
fn line_length(text: &str) -> usize {
    let Some((at, own)) = text.char_indices().find(|(_, own)| is_newline(*own)) else { return text.len() };
    at + if text[at..].starts_with("\r\n") { 2 } else { own.len_utf8() }
}

/// Whether some bytes of a text begin with the end of a line.
pub(crate) fn begins_with_newline(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\n' | b'\r' | b'\x0b' | b'\x0c', ..] | [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_the_parser_ends_them() {
        let text = "a\r\rb\r\nc\n\rd\u{85}e\u{2028}f\u{2029}g\u{b}\u{c}h";
        let parts = ["a\r", "\r", "b\r\n", "c\n", "\r", "d\u{85}", "e\u{2028}", "f\u{2029}", "g\u{b}", "\u{c}", "h"];
        assert_eq!(kdl_lines(text).collect::<Vec<_>>(), parts);
        assert_eq!(kdl_lines("").count() + kdl_lines("\n").count(), 1);
        for own in (0..0x3000).filter_map(char::from_u32) {
            let read = kdl::KdlDocument::parse_v2(&format!("// a{own}section"));
            let nodes = read.map_or(0, |read| read.nodes().len());
            let bytes = own.to_string();
            assert_eq!((is_newline(own), begins_with_newline(bytes.as_bytes())), (nodes == 1, nodes == 1), "{own:?}");
        }
    }
}
