use super::*;

fn totals_of(text: &str) -> When {
    way(text, true, false, Target::Kai).when
}

#[test]
fn ranges_of_numbers() {
    let range = |low, high| When::Totals(vec![(low, high)]);
    assert_eq!(totals_of("If you have picked a number 0-4."), range(Some(0), Some(4)));
    assert_eq!(totals_of("If the number is 5-9."), range(Some(5), Some(9)));
    assert_eq!(totals_of("If your total is now 7 or more."), range(Some(7), None));
    assert_eq!(totals_of("If it is 3 or lower."), range(None, Some(3)));
    assert_eq!(totals_of("If the number you have picked is below 5."), range(None, Some(4)));
    assert_eq!(totals_of("If you pick 0."), range(Some(0), Some(0)));
    assert_eq!(totals_of("If your total is now -3--1."), range(Some(-3), Some(-1)));
    let two = When::Totals(vec![(Some(0), Some(0)), (Some(1), Some(1))]);
    assert_eq!(totals_of("If it is 0 or 1."), two);
    let even: Vec<_> = [0, 2, 4, 6, 8].map(|number| (Some(number), Some(number))).into();
    assert_eq!(totals_of("If it is even (0, 2, 4, 6, 8)."), When::Totals(even));
    let odd: Vec<_> = [1, 3, 5, 7, 9].map(|number| (Some(number), Some(number))).into();
    assert_eq!(totals_of("If the number is odd."), When::Totals(odd));
    assert_eq!(totals_of("If you have 5 Gold Crowns."), When::If("gold >= 5".into()));
    let lost =
        way("If the number is 4 or lower, you slip. Lose 2 ENDURANCE points and turn to 9.", true, false, Target::Kai);
    assert_eq!((lost.effect.as_deref(), lost.unclear), (Some("endurance -2"), false));
}

#[test]
fn conditions_of_ways() {
    let when = |text: &str| way(text, false, false, Target::Kai).when;
    let may = |condition: &str| When::May(Some(condition.into()));
    let holds = |condition: &str| When::If(condition.into());
    assert_eq!(when("If you have Kai Discipline of Tracking."), holds("discipline tracking"));
    assert_eq!(when("If you wish to use Kai Discipline of Sixth Sense."), may("discipline sixth-sense"));
    assert_eq!(
        when("If you have Kai Discipline of either Hunting or Healing."),
        holds("discipline hunting or discipline healing")
    );
    assert_eq!(when("If you do not possess this skill."), When::Otherwise);
    assert_eq!(when("If you do not wish to fight."), When::May(None));
    assert_eq!(when("If you possess a Vordak Gem."), holds("has vordak-gem"));
    assert_eq!(when("If you have a Tin Key and wish to use it."), may("has tin-key"));
    assert_eq!(when("If you have reached the Kai rank of Novice."), holds("rank novice"));
    let pays = way("If you have 7 Gold Crowns and like to pay.", false, false, Target::Kai);
    assert_eq!((pays.when, pays.effect.as_deref()), (may("gold >= 7"), Some("lose gold 7")));
    let pays = way("If you want a bed, pay the keeper 2 Gold Crowns and turn to 3.", false, false, Target::Kai);
    assert_eq!((pays.when, pays.effect.as_deref()), (may("gold >= 2"), Some("lose gold 2")));
    assert!(way("If you have ever seen this before.", false, false, Target::Kai).unclear);
}

#[test]
fn ways_out_of_fights() {
    let when = |text: &str| way(text, false, true, Target::Kai).when;
    assert_eq!(when("If you win."), When::Won);
    assert_eq!(when("You may evade at any time by turning to 3."), When::Evading(1));
    assert_eq!(when("Evade after two rounds of combat."), When::Evading(3));
    assert_eq!(when("If you kill it within 4 rounds of combat."), When::AfterFight("rounds <= 4".into()));
    assert_eq!(when("If you are still fighting after 5 rounds."), When::Lasting(5));
    assert_eq!(when("If you lose any ENDURANCE point in this fight."), When::AfterFight("wounded".into()));
}
