use super::{as_compiled, has_logic_within, split_logic, split_tunnels};

#[test]
fn words_of_sequences_are_put_in_the_order_that_is_read() {
    for (line, expected) in [
        ("{once shuffle:", "{shuffle once:"),
        ("  { shuffle stopping :", "  {stopping shuffle :"),
        ("{shuffle once:", "{shuffle once:"),
        ("{a: {shuffle stopping: x}}", "{a: {stopping shuffle: x}}"),
        ("once shuffle: {x}", "once shuffle: {x}"),
    ] {
        assert_eq!(as_compiled(line), expected);
    }
}

#[test]
fn tunnels_and_where_to_go_after_them_are_lines() {
    for (line, expected) in [
        ("-> rest -> hall", Some(&["-> rest ->", "-> hall"][..])),
        ("  * [sleep] -> rest(2) -> hall.end // on", Some(&["  * [sleep] ", "-> rest(2) ->", "-> hall.end"])),
        ("* {tired} [sleep] Well. -> a -> b ->", Some(&["* {tired} [sleep] Well. ", "-> a ->", "-> b ->"])),
        ("* [on] ->->", Some(&["* [on] ", "->->"])),
        ("-> rest ->", None),
        ("-> hall", None),
        ("* [on] -> hall", None),
        ("->->", None),
        ("->-> hall", None),
        ("{tired: -> rest -> hall}", None),
        ("{tired: -> rest -> hall", None),
        ("-> rest(-> hall) -> hall", None),
    ] {
        let lines = split_tunnels(line);
        assert_eq!(lines.is_some(), expected.is_some(), "{line}");
        assert_eq!(lines.unwrap_or_default(), expected.unwrap_or_default(), "{line}");
    }
}

#[test]
fn logic_behind_a_gather_or_a_branch_is_a_line() {
    for (line, in_braces, expected) in [
        ("- ~ n = 2", false, Some("~ n = 2")),
        ("  - - (label) ~ n = 2", false, Some("~ n = 2")),
        ("- else: ~ n = 2", true, Some("~ n = 2")),
        ("- f(a) == \":\": ~ n = 2", true, Some("~ n = 2")),
        ("- He said: ~ hm", false, None),
        ("- else: text", true, None),
        ("-> hall", false, None),
        ("* ~ n = 2", false, None),
        ("~ n = 2", false, None),
        ("-", false, None),
    ] {
        let (before, logic) = split_logic(line, in_braces);
        assert_eq!(logic.map(str::trim), expected, "{line}");
        assert_eq!(before.to_owned() + logic.unwrap_or_default(), line);
    }
}

#[test]
fn logic_in_braces_is_found() {
    for (line, expected) in [
        ("{n == 0: ~ n = 2}", true),
        ("Well. {n: ~n++} And?", true),
        ("{n == 0: {~a|b}}", false),
        ("{n: a|b} c: ~ d", false),
        ("{ n == 0:", false),
        ("{~a: b|c}", false),
    ] {
        assert_eq!(has_logic_within(line), expected, "{line}");
    }
}
