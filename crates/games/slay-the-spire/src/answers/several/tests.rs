use budget::Limits;
use mdp::ratio;

use super::*;

#[test]
fn a_run_that_is_stopped_at_once_still_has_bounds() {
    let hero = Hero::new(0);
    let encounters = ["cultist", "looter", "sentry"].map(|kind| (ratio(1, 3), vec![Foe::of(kind.parse().unwrap(), 0)]));
    let solve = |objective, budget: &Budget<'_>| {
        solve_several(&hero, &encounters, &[60], objective, FightOptions::default(), budget).unwrap()
    };
    for objective in [Objective::Health, Objective::Survival, Objective::AtLeast(30), Objective::Turns, Objective::Loss]
    {
        let whole = solve(objective, &Budget::unlimited());
        let limits = Limits { max_time: Some(Duration::ZERO), ..Limits::NONE };
        let nothing = solve(objective, &Budget::new(limits));
        assert!(whole.stopped.is_none() && nothing.stopped.is_some(), "{objective:?}");
        let (whole, nothing) = (&whole.worths[0], &nothing.worths[0]);
        assert!(nothing.value.lower <= whole.value.lower && whole.value.upper <= nothing.value.upper);
        assert!(nothing.survival.lower <= whole.survival.lower && whole.survival.upper <= nothing.survival.upper);
    }
}

#[test]
fn a_mean_is_between_the_least_and_the_most_whatever_rounding_does() {
    for number in [80.0, 6.1, 1.0 / 3.0, 0.0] {
        let own = Interval { lower: number, upper: number };
        let worth = Worth {
            expected_health: Some(own),
            survival: Interval { lower: 1.0, upper: 1.0 },
            final_health: vec![(80, Interval { lower: 1.0, upper: 1.0 })],
            ..Worth::between(own, 80, Objective::Health)
        };
        for parts in 2..50_u64 {
            let share = ratio(1, parts);
            let parts: Vec<Part<'_>> =
                (0..parts).map(|_| Part { share: &share, worth: &worth, complete: true }).collect();
            let found = mix(&parts);
            assert_eq!((found.value, found.expected_health), (own, Some(own)), "{number} in {}", parts.len());
            assert_eq!((found.survival, &found.final_health), (worth.survival, &worth.final_health));
        }
    }
}

#[test]
fn the_rest_of_a_stopped_fight_can_be_any_end() {
    let one = |chance| Interval { lower: chance, upper: chance };
    let worth = |final_health: Vec<(i16, Interval)>| Worth {
        survival: one(1.0),
        final_health,
        ..Worth::between(Interval::ZERO, 80, Objective::Health)
    };
    let whole = worth(vec![(70, one(1.0))]);
    let stopped = worth(vec![(60, Interval { lower: 0.25, upper: 1.0 })]);
    let half = ratio(1, 2);
    let part = |worth, complete| Part { share: &half, worth, complete };
    let found = mix(&[part(&whole, true), part(&stopped, false)]).final_health;
    let [(60, least), (70, most)] = found[..] else { panic!("{found:?}") };
    assert!((least.lower - 0.125).abs() < 1e-12 && (least.upper - 0.5).abs() < 1e-12);
    assert!((most.lower - 0.5).abs() < 1e-12 && (most.upper - 0.875).abs() < 1e-12);
}

#[test]
fn one_thread_and_four_find_the_same() {
    let met = |kind: &str, part: i64| (ratio(part, 6), vec![Foe::of(kind.parse().unwrap(), 0)]);
    let encounters = [met("cultist", 1), met("looter", 2), met("jaw-worm", 3)];
    let solve = || {
        let budget = Budget::unlimited();
        solve_several(&Hero::new(0), &encounters, &[80, 20], Objective::Health, FightOptions::default(), &budget)
            .unwrap()
    };
    let on = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(solve);
    assert_eq!(on(1), on(4));
}
