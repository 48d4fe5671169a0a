use super::*;

#[test]
fn what_players_say() {
    for (line, said) in [
        ("3\n", Said::Numbers(vec![3])),
        (" 3  8 ", Said::Numbers(vec![3, 8])),
        ("", Said::Nothing),
        ("H", Said::Hint),
        ("hel", Said::Help),
        ("?", Said::Help),
        ("q", Said::Quit),
        ("u\r\n", Said::Undo),
        ("re", Said::Restart),
        ("-1", Said::Unclear("-1".into())),
        ("undoo", Said::Unclear("undoo".into())),
        ("99999999999999999999999", Said::Unclear("99999999999999999999999".into())),
    ] {
        assert_eq!(Said::new(line), said, "{line}");
    }
}
