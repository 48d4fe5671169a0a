use super::*;

#[test]
fn facts_of_sentences() {
    let effect = |line: &str| vec![Fact::Effect(line.into())];
    assert_eq!(facts("You lose 2 ENDURANCE points.", false, Target::Kai), effect("endurance -2"));
    assert_eq!(facts("Restore 3 ENDURANCE points to your current total.", false, Target::Kai), effect("endurance 3"));
    assert_eq!(facts("You are hungry and must eat a Meal.", false, Target::Kai), effect("eat"));
    assert_eq!(facts("Pick a number from the Random Number Table.", false, Target::Kai), [Fact::Pick]);
    let plus = facts("If you have Kai Discipline of Hunting, add 6 to this.", false, Target::Kai);
    assert_eq!(plus, [Fact::Plus(6, "discipline hunting".into())]);
    assert_eq!(facts("(For this pick 0 = 10.)", false, Target::Kai), [Fact::ZeroIsTen]);
    assert_eq!(facts("You may take the Sword, a Weapon.", false, Target::Kai), [Fact::Unclear]);
    assert!(facts("The wind howls.", false, Target::Kai).is_empty());
    let fight = |sentence: &str| facts(sentence, true, Target::Kai);
    assert_eq!(
        fight("Because of the smoke, deduct 2 points from your COMBAT SKILL."),
        [Fact::Modifier(Modifier::Always(-2))]
    );
    assert_eq!(fight("It is immune to Mindblast."), [Fact::Immune(vec!["mindblast"])]);
}
