//! Replays of fights of Act 1.

use budget::Budget;
use slay_the_spire::{Amount, Exactness, FightRecord, FightReplay, FightReplayAnswer, replay_fight};

fn replayed(fight: &str, steps: &str) -> Result<FightReplay, String> {
    let record: FightRecord = serde_json::from_str(&format!(r#"{{"fight": {fight}, "steps": {steps}}}"#)).unwrap();
    replay_fight(&record, Exactness::Bounds, &Budget::unlimited()).map_err(|error| error.to_string())
}

fn is(amount: &Amount, value: f64) -> bool {
    let interval = amount.bounds;
    (interval.lower - value).abs() < 1e-9 && (interval.upper - value).abs() < 1e-9
}

/// 12 health and two Strikes a turn: defending instead of winning costs the coming Chomp of 11.
#[test]
fn luck_and_mistakes_of_a_small_fight() {
    let fight = r#"{"enemies": ["jaw-worm"], "enemy_hp": "12", "hp": 40, "deck": "strike=4,defend=3"}"#;
    let best = replayed(fight, r#"["3 strike, 2 defend", {"play": "strike", "target": 0}, "strike"]"#).unwrap();
    assert_eq!(best.steps.len(), best.worths.len());
    let changes = best.changes();
    assert!(
        changes[0].is_none() && is(changes[2].as_ref().unwrap(), 0.0) && is(changes[3].as_ref().unwrap(), 0.0),
        "{changes:?}"
    );
    assert!(is(&best.worths[3], 40.0), "{:?}", best.worths);
    let (luck, mistakes) = best.luck_and_mistakes();
    assert!(is(&mistakes, 0.0) && is(&luck.plus(&best.worths[0]), 40.0));
    // The order of drawn cards, underscores and the steps of a walk do not matter.
    let poor = replayed(fight, r#"["2 defend, 3 strike", "p2", "end the turn"]"#);
    let poor = poor.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(poor.steps[2], ("defend".into(), true));
    let (luck, mistakes) = poor.luck_and_mistakes();
    let change = |place: usize| poor.changes().swap_remove(place).unwrap();
    // After a Defend there is energy for two Strikes; ending the turn then loses 11 - 5.
    assert!(is(&change(2), 0.0), "{:?}", change(2));
    assert!(mistakes.bounds.upper < -5.0, "{mistakes:?}");
    let last = poor.worths.last().unwrap();
    assert!(is(&luck.plus(&mistakes).plus(&poor.worths[0]), last.bounds.middle()), "{luck:?} {mistakes:?} {last:?}");
    let answer = serde_json::to_value(FightReplayAnswer::new(&poor)).unwrap();
    assert_eq!(answer["steps"][0]["event"], "start");
    assert_eq!((&answer["steps"][1]["event"], &answer["steps"][3]["event"]), (&"luck".into(), &"play".into()));
    assert!(answer["steps"][0]["change"].is_null());
}

#[test]
fn potions_and_impossible_steps() {
    let fight =
        r#"{"enemies": ["jaw-worm"], "enemy_hp": "20", "hp": 40, "deck": "strike=2,defend=1", "potions": ["fire"]}"#;
    let won = replayed(fight, r#"[{"use": "fire potion", "target": 0}]"#).unwrap();
    assert!(is(&won.worths[1], 40.0) && won.steps[1].1);
    assert!(replayed(fight, r#"["fire potion", "strike"]"#).unwrap_err().contains("steps[1]: the fight is over"));
    let wrong = replayed(fight, r#"["bash"]"#).unwrap_err();
    assert!(wrong.contains("steps[0]: 'bash' is impossible now (turn 1): strike | "), "{wrong}");
    assert!(replayed(fight, r#"["p9"]"#).unwrap_err().contains("there are 1 to"));
    assert!(replayed(r#"{"enemies": ["jaw-wurm"]}"#, "[]").unwrap_err().contains("did you mean"));
}
