use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

use budget::{Budget, Limits, Progress};

use crate::answers::solve::{Fight, FightOptions, solve_with};
use crate::rules::setup::{Foe, Hero};
use crate::{Objective, number, solve};

#[test]
fn a_loss_is_bounded_from_above_where_a_way_to_play_is_followed_to_its_end() {
    let foe = Foe { health: 40..=40, ..Foe::of("jaw-worm".parse().unwrap(), 0) };
    let few = Budget::new(Limits { max_states: 300, ..Limits::NONE });
    let worth = |search: &Budget<'_>, rest: &Budget<'_>| {
        let (hero, foes) = (&Hero::new(0), std::slice::from_ref(&foe));
        let fight = Fight { hero, foes, healths: &[80], objective: Objective::Loss };
        let solved = solve_with(fight, FightOptions::default(), search, rest);
        let solved = solved.unwrap();
        (solved.worths[0].value, solved.stopped.is_some())
    };
    let (whole, stopped) = worth(&Budget::unlimited(), &Budget::unlimited());
    assert!(!stopped && whole.width() < 1e-9);
    let (part, stopped) = worth(&few, &Budget::unlimited());
    assert!(stopped && part.lower <= whole.upper && part.upper >= whole.lower, "{part:?}, {whole:?}");
    assert!(part.upper < 4.0 * whole.upper, "{part:?}, {whole:?}");
    let no_time = |_: Progress| ControlFlow::Break(());
    let (open, stopped) = worth(&few, &Budget::unlimited().watched(&no_time));
    assert!(stopped && open.lower <= whole.upper && open.upper == f64::INFINITY, "{open:?}");
    let json = serde_json::to_value(number(open)).unwrap();
    assert!(json["upper"].is_null() && json["decimal"] == json["lower"], "{json}");
}

#[test]
fn the_rest_of_a_stopped_search_is_played_and_counted() {
    let foe = |name: &str, health: u16| Foe { health: health..=health, ..Foe::of(name.parse().unwrap(), 0) };
    for foes in [
        vec![foe("jaw-worm", 24)],
        vec![foe("spike-slime-s", 8), foe("acid-slime-m", 12)],
        vec![foe("sentry", 8), foe("sentry", 9)],
    ] {
        for objective in [Objective::Health, Objective::Survival] {
            let worth = |budget: &Budget<'_>| solve(&Hero::new(0), &foes, &[30], objective, budget).unwrap();
            let whole = worth(&Budget::unlimited());
            // It is stopped as soon as it has begun.
            let asked = AtomicU32::new(0);
            let watch = |_: Progress| match asked.fetch_add(1, Ordering::Relaxed) {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            };
            let part = worth(&Budget::unlimited().watched(&watch));
            assert!(whole.stopped.is_none() && part.stopped.is_some());
            let (whole, part) = (&whole.worths[0], &part.worths[0]);
            // Far from nothing, and no more than possible.
            assert!(part.value.lower > 0.3 * whole.value.lower, "{foes:?}: {:?}, {:?}", part.value, whole.value);
            assert!(part.value.lower <= whole.value.upper && whole.value.lower <= part.value.upper);
            let survival = part.survival;
            assert!((0.0..=1.0).contains(&survival.lower) && survival.lower <= survival.upper, "{survival:?}");
        }
    }
}
