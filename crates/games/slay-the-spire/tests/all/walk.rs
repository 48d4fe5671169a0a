//! Fights of Act 1 walked through: the value of the first situation of a walk equals that of the fight, solved by
//! itself; that of each later one the best of its plays, or the mean of its outcomes; that of the last the final
//! health.

use std::time::Duration;

use budget::{Budget, Limits};
use mdp::Dice;
use slay_the_spire::{
    Exactness, FightOptions, FightPhase, FightRequest, FightStep, FightWalk, Goal, Interval, Position, Rules,
    WalkError, Worth, advise, solve_several, walk_worths,
};

fn request(enemies: &[&str]) -> FightRequest {
    FightRequest { enemies: enemies.iter().map(ToString::to_string).collect(), ..FightRequest::default() }
}

/// Whether the numbers are equal, as far as bounds show.
#[track_caller]
fn same(one: Interval, other: Interval) {
    let slack = 1e-9 * (1.0 + one.lower.abs());
    assert!(one.lower <= other.upper + slack && other.lower <= one.upper + slack, "{one:?} and {other:?}");
    assert!(one.width() < 1e-6 && other.width() < 1e-6, "{one:?} {other:?}");
}

fn worth(walk: &FightWalk<'_>) -> (Worth, Vec<Worth>) {
    let worths = walk_worths(std::slice::from_ref(walk), Exactness::Bounds, &Budget::unlimited()).unwrap();
    assert_eq!(worths.stopped, None);
    (worths.situations[0].clone(), worths.plays)
}

/// Walks through a fight by the dice, with good and bad plays; returns the number of steps, and how it ended.
fn walked(request: &FightRequest, seed: u64) -> (usize, FightPhase) {
    let (hero, encounters, objective) =
        (request.hero().unwrap(), request.encounters().unwrap(), request.objective().unwrap());
    let rules: Vec<Rules> = encounters.iter().map(|(_, foes)| hero.rules(foes).unwrap()).collect();
    let health = request.health(&hero).unwrap();
    let mut walk = FightWalk::new(&hero, &encounters, &rules, health, objective).unwrap();
    let solved =
        solve_several(&hero, &encounters, &[health], objective, FightOptions::default(), &Budget::unlimited()).unwrap();
    same(worth(&walk).0.value, solved.worths[0].value);
    let mut steps = Vec::new();
    loop {
        let (own, plays) = worth(&walk);
        match walk.phase() {
            FightPhase::Won | FightPhase::Dead => {
                let alive = f64::from(u8::from(walk.phase() == FightPhase::Won));
                let left = if request.objective == Goal::Survival { alive } else { f64::from(walk.health()) };
                same(own.value, Interval { lower: left, upper: left });
                same(own.survival, Interval { lower: alive, upper: alive });
                break;
            }
            FightPhase::Chance => {
                let mut mean = Interval::ZERO;
                let outcomes = walk.outcomes();
                assert!((outcomes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                // Not for many outcomes: few are enough.
                if outcomes.len() <= 6 {
                    for (place, share) in outcomes.iter().enumerate() {
                        let mut next = walk.clone();
                        assert_eq!(next.take(FightStep::Came(place), &rules), Ok(walk.outcome(place)));
                        mean = mean.plus(*share, worth(&next).0.value);
                    }
                    same(own.value, mean);
                }
                let mut dice = Dice::new(seed, steps.len() as u64);
                let step = walk.roll(&mut dice).unwrap();
                walk.take(step, &rules).unwrap();
                steps.push(step);
            }
            FightPhase::Play => {
                assert_eq!(walk.plays().len(), plays.len());
                let best = plays.iter().map(|own| own.value).max_by(|a, b| a.lower.total_cmp(&b.lower)).unwrap();
                same(own.value, best);
                let standing = walk.standing().unwrap();
                let kinds = standing.state.living().map(|enemy| enemy.kind).collect();
                let (rules_now, state, health) = (standing.rules.clone(), *standing.state, standing.health);
                // The same position, as if it had been entered directly, without changes of the health before.
                if state.health.after(health) == Some(health) {
                    let advice = advise(
                        &Position { rules: rules_now, kinds, state, health },
                        objective,
                        Exactness::Bounds,
                        &Budget::unlimited(),
                    );
                    same(advice.unwrap().first[0].1.value, best);
                }
                let place = if seed.is_multiple_of(2) { 0 } else { plays.len() - 1 - steps.len() % plays.len() };
                let step = FightStep::Play(place);
                walk.take(step, &rules).unwrap();
                steps.push(step);
            }
        }
        assert!(steps.len() < 300, "seed {seed}");
    }
    // A second walk with the same steps ends there, too.
    let mut again = FightWalk::new(&hero, &encounters, &rules, health, objective).unwrap();
    for step in &steps {
        again.take(step.to_string().parse().unwrap(), &rules).unwrap();
    }
    assert_eq!((again.phase(), again.health()), (walk.phase(), walk.health()));
    assert_eq!(again.take(FightStep::Play(0), &rules), Err(WalkError::NoPlay));
    (steps.len(), walk.phase())
}

#[test]
fn a_fight_against_a_cultist_from_its_start_to_its_end() {
    let request = request(&["cultist"]);
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let rules = [hero.rules(&encounters[0].1).unwrap()];
    let walk = FightWalk::new(&hero, &encounters, &rules, 80, request.objective().unwrap()).unwrap();
    let (start, _) = worth(&walk);
    // As published.
    let right = 40_517_009.0 / 518_616.0;
    same(start.value, Interval { lower: right, upper: right });
    assert_eq!((walk.phase(), walk.asks()), (FightPhase::Chance, "How do the enemies begin?"));
    let (steps, phase) = walked(&request, 2);
    assert!(steps > 10 && phase == FightPhase::Won, "{steps}");
}

#[test]
fn relics_potions_and_several_enemies() {
    let base = FightRequest {
        deck: Some("strike=3,defend=2,bash".into()),
        relics: vec!["vajra".into()],
        potions: vec!["fire".into()],
        burning_blood: true,
        hp: Some(30),
        enemy_hp: Some("6,7".into()),
        curl_up: Some("3,-".into()),
        ..request(&["red-louse", "green-louse"])
    };
    let survival = FightRequest { objective: Goal::Survival, hp: Some(9), potions: Vec::new(), ..base.clone() };
    for (fight, seed) in [(&base, 4), (&survival, 7)] {
        let (steps, _) = walked(fight, seed);
        assert!(steps > 4, "{steps}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn thorough_a_larger_deck_and_other_dice() {
    let base = FightRequest {
        deck: Some("strike=4,defend=2,bash,pommel-strike".into()),
        relics: vec!["vajra".into()],
        potions: vec!["fire".into()],
        hp: Some(30),
        enemy_hp: Some("8,9".into()),
        curl_up: Some("3,4".into()),
        ..request(&["red-louse", "green-louse"])
    };
    for seed in [4, 5] {
        assert!(walked(&base, seed).0 > 4);
    }
}

#[test]
fn the_group_comes_first_and_the_impossible_is_refused() {
    let fight = FightRequest { deck: Some("strike=5,bash+".into()), ..request(&["two-louses"]) };
    let (hero, encounters) = (fight.hero().unwrap(), fight.encounters().unwrap());
    let rules: Vec<Rules> = encounters.iter().map(|(_, foes)| hero.rules(foes).unwrap()).collect();
    let mut walk = FightWalk::new(&hero, &encounters, &rules, 80, fight.objective().unwrap()).unwrap();
    assert_eq!(
        (walk.asks(), walk.outcomes(), walk.outcome(0)),
        ("Who is met?", vec![0.25, 0.5, 0.25], "red-louse, red-louse".into())
    );
    assert_eq!(walk.take(FightStep::Play(0), &rules), Err(WalkError::NoPlay));
    assert_eq!(walk.take(FightStep::Came(3), &rules), Err(WalkError::NoSuch(3)));
    assert!(walk.standing().is_none());
    walk.take(FightStep::Came(1), &rules).unwrap();
    assert_eq!(walk.asks(), "How do the enemies begin?");
    let loss = FightRequest { objective: Goal::Loss, ..fight.clone() }.objective().unwrap();
    assert!(
        FightWalk::new(&hero, &encounters, &rules, 80, loss).is_err_and(|error| error.to_string().contains("can die"))
    );
    // Without any time there are bounds all the same.
    let budget = Budget::new(Limits { max_time: Some(Duration::ZERO), ..Limits::default() });
    let worths = walk_worths(&[walk], Exactness::Bounds, &budget).unwrap();
    let value = worths.situations[0].value;
    assert!(worths.stopped.is_some() && value.lower >= 0.0 && value.upper <= 80.0 && value.width() > 1.0, "{value:?}");
    // More ways to begin than can be listed.
    let many = FightRequest { enemy_hp: Some("1..=999,1..=999".into()), ..request(&["red-louse", "red-louse"]) };
    assert!(many.encounters().unwrap_err().to_string().contains("narrower ranges"));
    for (wrong, message) in [
        (FightRequest { deck: Some("strike=100".into()), ..fight.clone() }, "deck: expected a card and a count"),
        (FightRequest { relics: vec!["ice-cream".into()], ..fight.clone() }, "is not modelled"),
        (FightRequest { potions: vec!["fir".into()], ..fight.clone() }, "did you mean fire?"),
    ] {
        assert!(wrong.hero().unwrap_err().to_string().contains(message), "{message}");
    }
    assert!(FightRequest { hp: Some(81), ..fight }.health(&hero).is_err());
}
