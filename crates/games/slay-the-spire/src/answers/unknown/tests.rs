use budget::{Budget, Progress, Reason};
use mdp::ratio;

use super::super::solve::{Exactness, FightOptions};
use super::super::worth::Interval;
use super::*;
use crate::{PositionFile, advise, solve_several, unknown_plays};

const STOPPED: Stopped = Stopped { reason: Reason::States { limit: 1 }, progress: Progress::NONE };

fn holds(wide: Interval, true_one: Interval) {
    assert!(wide.lower <= true_one.lower && true_one.upper <= wide.upper, "{wide:?} {true_one:?}");
}

#[test]
fn bounds_without_a_search_hold() {
    let hero = Hero::new(0);
    let encounters = ["cultist", "looter"].map(|kind| (ratio(1, 2), vec![Foe::of(kind.parse().unwrap(), 0)]));
    let weighted = Objective::Weighted { health: 2.0, survival: 7.0, potion: 1.0, max_health: 0.5 };
    for objective in
        [Objective::Health, Objective::Survival, Objective::AtLeast(30), Objective::Turns, Objective::Loss, weighted]
    {
        let asked = (&hero, &encounters[..], &[60, 20][..]);
        let known = unknown_fights(asked.0, asked.1, asked.2, objective, STOPPED).unwrap();
        let solved =
            solve_several(asked.0, asked.1, asked.2, objective, FightOptions::default(), &Budget::unlimited()).unwrap();
        assert_eq!(known.stopped, Some(STOPPED));
        for (wide, worth) in known.worths.iter().zip(&solved.worths) {
            assert_eq!(wide.health, worth.health);
            holds(wide.value, worth.value);
            holds(wide.survival, worth.survival);
        }
    }
}

#[test]
fn every_first_play_is_listed() {
    let text = r#"{"hp": 20, "hand": {"strike": 2, "defend": 1, "bash": 1}, "draw": {"strike": 2, "defend": 1},
            "enemies": [{"kind": "blue_slaver", "hp": 34, "intent": "stab", "run": 1}]}"#;
    let file: PositionFile = serde_json::from_str(text).unwrap();
    let position = file.position().unwrap();
    let known = unknown_plays(&position, Objective::Health, STOPPED).unwrap();
    let solved = advise(&position, Objective::Health, Exactness::Bounds, &Budget::unlimited()).unwrap();
    assert_eq!(known.first.len(), solved.first.len());
    for (play, worth) in &solved.first {
        let (_, wide) = known.first.iter().find(|(own, _)| own == play).unwrap();
        holds(wide.value, worth.value);
    }
}
