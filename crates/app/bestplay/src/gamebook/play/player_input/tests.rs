use super::*;

#[test]
fn what_players_say() {
    for (line, input) in [
        ("3\n", PlayerInput::Numbers(vec![3])),
        (" 3  8 ", PlayerInput::Numbers(vec![3, 8])),
        ("", PlayerInput::Nothing),
        ("H", PlayerInput::Hint),
        ("hel", PlayerInput::Help),
        ("?", PlayerInput::Help),
        ("q", PlayerInput::Quit),
        ("u\r\n", PlayerInput::Undo),
        ("re", PlayerInput::Restart),
        ("-1", PlayerInput::Unclear("-1".into())),
        ("undoo", PlayerInput::Unclear("undoo".into())),
        ("99999999999999999999999", PlayerInput::Unclear("99999999999999999999999".into())),
    ] {
        assert_eq!(PlayerInput::new(line), input, "{line}");
    }
}
