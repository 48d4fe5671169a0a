use super::*;

#[test]
fn numbers_and_conditions() {
    let number = |text| formula(text, "r", Target::Kai);
    assert_eq!(number("+2").as_deref(), Some("2"));
    assert_eq!(number("[RANDOM] + 5").as_deref(), Some("r + 5"));
    assert_eq!(number("-[RANDOM]").as_deref(), Some("0 - r"));
    assert_eq!(number("[NUMBERPICKER]"), None);
    assert_eq!(number("System.exit(0)"), None);
    let holds = |text| condition(text, "r", Target::Kai);
    assert_eq!(holds("[MONEY] >= 10").as_deref(), Some("gold >= 10"));
    assert_eq!(holds("[MEALS] == 0 || [KAILEVEL]>7").as_deref(), Some("meal = 0 or disciplines>7"));
    assert_eq!(holds("[COMBATSENDURANCELOST] >= 1").as_deref(), Some("wounded"));
    assert_eq!(holds("[WEIGHT] > 1"), None);
}
