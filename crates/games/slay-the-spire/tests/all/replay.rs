//! Replays of fights of Act 1.

use budget::{Budget, Limits};
use mdp::Dice;
use slay_the_spire::{
    Amount, Exactness, FightPhase, FightRecord, FightReplay, FightReplayAnswer, FightStep, FightWalk, Position, Rules,
    Simulating, StepText, advise, replay_fight,
};

fn replayed(fight: &str, steps: &str) -> Result<FightReplay, String> {
    let record: FightRecord = serde_json::from_str(&format!(r#"{{"fight": {fight}, "steps": {steps}}}"#)).unwrap();
    replay_fight(&record, Exactness::Bounds, Simulating::default(), &Budget::unlimited())
        .map_err(|error| error.to_string())
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
    let answer = serde_json::to_value(FightReplayAnswer::new(&poor)).unwrap();
    assert_eq!(
        (&answer["steps"][3]["best"]["play"], &answer["steps"][2]["best"]["play"]),
        (&"strike".into(), &"defend".into())
    );
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

/// A fight played at random: the record of its steps, and what `advise` says in every position where something was
/// played: the best value and that of the play.
fn played_at_random(fight: &str, seed: u64) -> (FightRecord, Vec<(f64, f64)>) {
    let mut record: FightRecord = serde_json::from_str(&format!(r#"{{"fight": {fight}, "steps": []}}"#)).unwrap();
    let request = &record.fight;
    let (hero, encounters, objective) =
        (request.hero().unwrap(), request.encounters().unwrap(), request.objective().unwrap());
    let health = request.health(&hero).unwrap();
    let rules: Vec<Rules> =
        encounters.iter().map(|(_, foes)| hero.rules(foes).unwrap().beginning_with(health)).collect();
    let mut walk = FightWalk::new(&hero, &encounters, &rules, health, objective).unwrap();
    let (mut steps, mut advised) = (Vec::new(), Vec::new());
    for nth in 0..60 {
        let mut dice = Dice::new(seed, nth);
        let step = match walk.phase() {
            FightPhase::Won | FightPhase::Dead => break,
            FightPhase::Chance => walk.roll(&mut dice).unwrap(),
            FightPhase::Play => {
                let standing = walk.standing().unwrap();
                let kinds = standing.state.living().map(|enemy| enemy.kind).collect();
                let (rules, mut state, health) = (standing.rules.clone(), *standing.state, standing.health);
                // The health is that of now.
                state.health = slay_the_spire::Change::none(rules.max_health);
                let position = Position { rules, kinds, state, health };
                let advice = advise(&position, objective, Exactness::Bounds, &Budget::unlimited()).unwrap();
                let plays = walk.plays();
                let place = usize::try_from((seed * 7 + nth * 5) % plays.len() as u64).unwrap();
                let value = |name: &slay_the_spire::Named| {
                    advice.first.iter().find(|(own, _)| own == name).unwrap().1.value.middle()
                };
                let best = advice.first.iter().map(|(_, worth)| worth.value.middle()).fold(f64::MIN, f64::max);
                advised.push((best, value(&plays[place])));
                FightStep::Play(place)
            }
        };
        walk.take(step, &rules).unwrap();
        steps.push(StepText::Words(step.to_string()));
    }
    record.steps = steps;
    (record, advised)
}

/// What each play lost is what `advise` says of its position alone, and no loss is missing from the sum.
#[test]
fn losses_are_those_of_advice() {
    let fights = [
        r#"{"enemies": ["jaw-worm"], "enemy_hp": "20", "hp": 30, "deck": "strike=3,defend=3,bash=1"}"#,
        r#"{"enemies": ["red-louse", "green-louse"], "enemy_hp": "9,8", "curl_up": "3,4", "hp": 20,
            "deck": "strike=3,defend=2,bash=1,pommel-strike=1", "potions": ["fire"]}"#,
        r#"{"enemies": ["gremlin-nob"], "enemy_hp": "25", "hp": 40, "deck": "strike=4,defend=2,bash=1",
            "objective": "survival", "burning_blood": true}"#,
    ];
    let mut mistakes = 0;
    for (fight, seed) in fights.iter().flat_map(|fight| [(fight, 3), (fight, 8)]) {
        let (record, advised) = played_at_random(fight, seed);
        let budget = Budget::unlimited();
        let replayed = replay_fight(&record, Exactness::Bounds, Simulating::default(), &budget).unwrap();
        let losses: Vec<_> = replayed.losses.iter().flatten().collect();
        assert_eq!(losses.len(), advised.len());
        let mut sum = 0.0;
        for (own, (best, value)) in losses.iter().zip(&advised) {
            assert!(
                is(&own.best_value, *best) && is(&own.loss, best - value),
                "{fight} {seed}: {own:?} {best} {value}"
            );
            mistakes += usize::from(best - value > 1e-9);
            sum += best - value;
        }
        for ((text, _), own) in replayed.steps.iter().zip(&replayed.losses) {
            let Some(own) = own else { continue };
            // The best play loses nothing.
            assert_eq!(own.best.to_string() == *text, own.loss.bounds.lower < 1e-9, "{text} {own:?}");
        }
        assert!((replayed.luck_and_mistakes().1.bounds.middle() + sum).abs() < 1e-9);
    }
    assert!(mistakes > 8, "{mistakes}");
}

/// Without any search the proven bounds are wide, and what is simulated holds.
#[test]
fn losses_are_simulated_where_the_search_stops() {
    let fight = r#"{"enemies": ["jaw-worm"], "enemy_hp": "40", "hp": 30, "deck": "strike=5,defend=4,bash=1,anger=1"}"#;
    let (record, advised) = played_at_random(fight, 5);
    let few = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
    let simulating = Simulating { samples: Some(300), training: 60, ..Simulating::default() };
    let replayed = replay_fight(&record, Exactness::Bounds, simulating, &few).unwrap();
    assert!(replayed.stopped.is_some(), "{replayed:?}");
    let mut total = 0.0;
    for (own, (best, value)) in replayed.losses.iter().flatten().zip(&advised) {
        let (lost, bounds) = (best - value, own.loss.bounds);
        assert!(bounds.lower <= lost + 1e-9 && lost <= bounds.upper + 1e-9, "{own:?} {lost}");
        total += lost;
        let Some(simulated) = &own.simulated else { continue };
        assert!(simulated.loss.lower <= lost + 1e-9 && lost <= simulated.loss.upper + 1e-9, "{own:?} {lost}");
    }
    let (sum, error) = replayed.simulated_loss().unwrap_or_else(|| panic!("{replayed:?}"));
    assert!(sum.lower <= total && total <= sum.upper && error <= 1e-4, "{sum:?} {total}");
    let answer = serde_json::to_value(FightReplayAnswer::new(&replayed)).unwrap();
    assert!(answer["simulated"]["loss"]["upper"].as_f64().unwrap() >= total);
}
