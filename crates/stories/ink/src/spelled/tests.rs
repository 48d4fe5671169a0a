use super::{as_compiled, split_tunnels};

#[test]
fn words_of_sequences_are_put_in_the_order_that_is_read() {
    for (line, told) in [
        ("{once shuffle:", "{shuffle once:"),
        ("  { shuffle stopping :", "  {stopping shuffle :"),
        ("{shuffle once:", "{shuffle once:"),
        ("{a: {shuffle stopping: x}}", "{a: {stopping shuffle: x}}"),
        ("once shuffle: {x}", "once shuffle: {x}"),
    ] {
        assert_eq!(as_compiled(line), told);
    }
}

#[test]
fn tunnels_and_where_to_go_after_them_are_lines() {
    for (line, told) in [
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
        assert_eq!(lines.is_some(), told.is_some(), "{line}");
        assert_eq!(lines.unwrap_or_default(), told.unwrap_or_default(), "{line}");
    }
}
