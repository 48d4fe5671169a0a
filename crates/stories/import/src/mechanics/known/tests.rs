use super::*;

fn follows(known: &[(&str, bool)], condition: &str) -> Option<bool> {
    decided(condition, &known.iter().map(|(fact, holds)| (fact.to_string(), *holds)).collect())
}

#[test]
fn what_follows_from_what_is_known() {
    assert_eq!(follows(&[("rounds <= 3", false)], "rounds >= 4"), Some(true));
    assert_eq!(follows(&[("rounds <= 3", false)], "not (rounds >= 4)"), Some(false));
    assert_eq!(follows(&[("rounds <= 3", false)], "rounds >= 5"), None);
    let other = "(r - 2 * down(r / 2)) = 1";
    assert_eq!(follows(&[("(r - 2 * down(r / 2)) = 0", false)], other), Some(true));
    assert_eq!(follows(&[("lost > dealt", false), ("lost < dealt", false)], "lost = dealt"), Some(true));
    let ranks = [("skills <= 6", false), ("skills >= 7 and skills <= 9", false)];
    assert_eq!(follows(&ranks, "skills >= 10"), Some(true));
    assert_eq!(follows(&[("gold >= 3", true)], "endurance >= 3"), None);
    assert_eq!(follows(&[("has lamp", true)], "has rope"), None);
    assert_eq!(follows(&[("gold >= 100", false)], "gold < 100"), None);
    assert_eq!(follows(&[("endurance >= 3", false)], "endurance >="), None);
}
