//! Whichever limit ends a run, the reported values are possible.

use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use slay_the_spire::{
    Exactness, FightOptions, FightRequest, Objective, PositionFile, Simulating, advise_or_simulate, solve_several,
};

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
        for objective in [Objective::Health, Objective::Survival, Objective::AtLeast(20)] {
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
            // Nothing heals here.
            assert!(0.0 <= health.lower && health.lower <= health.upper && health.upper <= 36.0, "{health:?}");
        }
    }
}

/// In a turn of this hand the bounds alone have millions of decisions, in which time can be up, too.
#[test]
fn advice_comes_in_time() {
    let file: PositionFile = serde_json::from_str(
        r#"{"hp": 70, "max_hp": 80, "hand": {"burning-pact": 1, "true-grit": 1, "headbutt": 1, "pommel-strike+": 1, "strike": 1},
            "draw": {"strike": 3, "defend": 4, "bash+": 1, "dropkick": 1, "offering": 1},
            "enemies": [{"kind": "sentry", "hp": 40, "intent": "bolt", "artifact": 1}, {"kind": "sentry", "hp": 41,
                "intent": "beam", "artifact": 1}, {"kind": "sentry", "hp": 39, "intent": "bolt", "artifact": 1}]}"#,
    )
    .unwrap();
    let begun = Instant::now();
    let budget = Budget::new(Limits { max_time: Some(Duration::from_secs(2)), ..Limits::NONE });
    let position = file.position().unwrap();
    let simulating = Simulating::default();
    let advice = advise_or_simulate(&position, Objective::Health, Exactness::Bounds, simulating, &budget).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(advice.stopped.is_some() && !advice.simulated.is_empty());
}

/// Of many healths each has bounds, though there is no time to play on with each: more health is worth no less.
#[test]
fn every_health_has_bounds_at_a_limit() {
    let request = FightRequest {
        enemies: ["red-louse", "green-louse"].map(Into::into).into(),
        enemy_hp: Some("12,13".into()),
        curl_up: Some("5,5".into()),
        deck: Some(DRAWING.into()),
        ..FightRequest::default()
    };
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let (healths, begun): (Vec<i16>, _) = ((1..=80).rev().collect(), Instant::now());
    let budget = Budget::new(Limits { max_time: Some(Duration::from_secs(2)), ..Limits::NONE });
    let options = FightOptions::default();
    let solved = solve_several(&hero, &encounters, &healths, Objective::Health, options, &budget).unwrap();
    // A moment for each would be eight seconds more.
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    assert!(solved.stopped.is_some());
    for pair in solved.worths.windows(2) {
        let [more, less] = [pair[0].value, pair[1].value];
        assert!(more.lower >= less.lower && more.upper >= less.upper, "{pair:?}");
        assert!(0.0 <= more.lower && more.lower <= more.upper && more.upper <= f64::from(pair[0].health), "{pair:?}");
    }
}
