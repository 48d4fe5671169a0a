//! Whichever limit ends a run, the reported values are possible.

use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use slay_the_spire::{FightOptions, FightRequest, Objective, solve_several};

/// A deck of fifteen with three cards that draw.
const DRAWING: &str = "strike=5,defend=4,bash=1,pommel-strike=1,shrug-it-off=1,battle-trance=1,inflame=1,cleave=1";

#[test]
fn whatever_limit_ends_a_run_the_bounds_are_possible() {
    let request =
        FightRequest { enemies: vec!["two-louses".into()], deck: Some(DRAWING.into()), ..FightRequest::default() };
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    for limits in [
        Limits { max_states: 1_000, ..Limits::NONE },
        Limits { max_memory: 100_000, ..Limits::NONE },
        Limits { max_time: Some(Duration::ZERO), ..Limits::NONE },
        Limits { max_time: Some(Duration::from_millis(200)), ..Limits::NONE },
    ] {
        for objective in [Objective::Health, Objective::Survival] {
            let begun = Instant::now();
            let budget = Budget::new(limits);
            let solved = solve_several(&hero, &encounters, &[36], objective, FightOptions::default(), &budget).unwrap();
            assert!(solved.stopped.is_some(), "{limits:?}");
            // One turn of this deck has many thousand decisions: the limits are checked within it.
            assert!(begun.elapsed() < Duration::from_secs(20), "{limits:?}");
            let most = if objective == Objective::Health { 36.0 } else { 1.0 };
            let worth = &solved.worths[0];
            let value = worth.value;
            assert!(0.0 <= value.lower && value.lower <= value.upper && value.upper <= most, "{limits:?}: {value:?}");
            let health = worth.expected_health.unwrap();
            assert!(0.0 <= health.lower && health.lower <= health.upper, "{health:?}");
        }
    }
}
