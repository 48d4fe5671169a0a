use super::*;

#[test]
fn positions_count_characters() {
    let text = "a\nµß x\n";
    let at = |offset| Problem::error(offset..offset, "").position(text);
    assert_eq!(at(0), (1, 1));
    assert_eq!(at(2), (2, 1));
    assert_eq!(at(3), (2, 1));
    assert_eq!(at(7), (2, 4));
    assert_eq!(at(900), (3, 1));
}

#[test]
fn suggestions() {
    assert_eq!(did_you_mean("laumspurr", ["meal", "laumspur"]), Some("did you mean `laumspur`?".into()));
    assert_eq!(did_you_mean("sword", ["meal", "quarterstaff"]), None);
    assert_eq!(did_you_mean("sword", []), None);
    assert_eq!(did_you_mean("slat", ["sla", "salt", "slab"]), Some("did you mean `salt`?".into()));
    assert_eq!(did_you_mean("slat", ["sla", "slats", "slab"]), Some("did you mean `slab`?".into()));
    assert_eq!(did_you_mean("gold", ["goto"]), None);
}
