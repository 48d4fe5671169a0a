use super::pointed;

#[test]
fn carets_stand_below_their_places() {
    assert_eq!(pointed("a & b", 5), "    a & b\n        ^");
    assert_eq!(pointed("a &", 4), "    a &\n       ^");
    assert_eq!(pointed("", 9), "    \n    ^");
    assert_eq!(pointed("a\n& b", 5), "    a & b\n        ^");
    let long = pointed(&format!("{}!{}", "a".repeat(100), "b".repeat(100)), 101);
    let (text, caret) = long.split_once('\n').unwrap();
    assert_eq!(text.find('!'), caret.find('^'));
    assert!(text.trim().starts_with("...a") && text.ends_with("b..."));
}
