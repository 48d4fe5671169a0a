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
