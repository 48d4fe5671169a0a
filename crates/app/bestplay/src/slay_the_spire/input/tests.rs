use super::*;

#[test]
fn long_messages_keep_their_place() {
    let message = format!("unknown field `{}\u{1b}` at line 3 column 5", "x".repeat(10_000));
    let shown = shortened(&message);
    assert!(shown.starts_with("unknown field") && shown.ends_with("at line 3 column 5"));
    assert!(shown.chars().count() < 410 && !shown.contains('\u{1b}'));
}
