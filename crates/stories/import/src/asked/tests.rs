use super::*;

#[test]
fn tests_have_names() {
    for (sentence, test) in [
        ("If you have Weaponmastery with a Bow, add 3 to it.", "a test of Weaponmastery in Bow"),
        ("Add 1 if you have the Discipline of Divination or Nexus.", "a test of Divination, Nexus"),
        ("If you own a Silver Key and 10 Gold Crowns, turn to 9.", "a test of Gold Crowns, Silver Key"),
        ("If you have never been here, turn to 9.", "a test of what was done before"),
        ("Unless you carry a Bow, 9 is next.", "a test of Bow"),
    ] {
        assert_eq!(test_of(sentence).as_deref(), Some(test), "{sentence}");
    }
    assert_eq!(test_of("You lose the Silver Key."), None);
    assert_eq!(test_of("If you would rather wait, turn to 9."), None);
}
