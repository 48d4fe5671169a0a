use lone_wolf::CombatTable;

use super::*;

#[test]
fn the_rules_of_the_books_are_whole() {
    let parsed = parse_kdl(TEXT, &Budget::unlimited()).unwrap();
    for head in KAI {
        assert!(parsed.nodes.iter().any(|node| node.name().value() == head), "no {head}");
    }
    let disciplines = parsed.nodes.iter().filter(|node| node.name().value() == "discipline").count();
    let (rules, problems) = kai_rules(TEXT, parsed, KaiRules::blank());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(disciplines, 3);
    // The calculator of fights has the same table.
    assert_eq!(rules.table, *CombatTable::standard());
    assert_eq!(rules, *KaiRules::lone_wolf());
    assert_eq!((rules.combat_skills(), rules.endurances()), (10..=19, 20..=29));
    assert_eq!((rules.combat_skill.start, rules.endurance.start, rules.learns), (15, 25, 5));
    assert_eq!((rules.most_gold, rules.most_weapons, rules.backpack), (50, 2, 8));
    assert_eq!((rules.hunger, rules.unarmed), (-3, -4));
    assert_eq!((rules.weaponskill, rules.mindblast, rules.healing), (2, 2, 1));
    assert_eq!((rules.ranks.len(), &rules.ranks[9][..]), (10, "master"));
}
