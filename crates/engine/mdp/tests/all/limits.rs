//! Runs that must stop with an error, and input that is wrong.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::Rules;
use budget::{Budget, Limits, Progress, Reason, Stage, Stopped};
use dashu_int::UBig;
use mdp::{
    BuildError, Distribution, ExploreError, ExploreOptions, Game, Method, ModelBuilder, Rational, SolveError,
    SolveOptions, Turn, Weight, explore, solve,
};

/// Doubles for ever.
fn endless(state: u64, turn: &mut Turn<u64>) {
    turn.chance([(2 * state + 1, Weight(1)), (2 * state + 2, Weight(2))]);
}

/// A hundred thousand states, one after another.
fn long(state: u64, turn: &mut Turn<u64>) {
    if state == 100_000 { turn.end(1) } else { turn.chance([(state + 1, Weight(1)), (100_000, Weight(1))]) }
}

fn error(rules: impl Fn(u64, &mut Turn<u64>) + Sync, options: &ExploreOptions<'_>) -> ExploreError {
    explore(&Rules::new(rules), options).expect_err("this cannot be explored")
}

fn for_threads(check: impl Fn(ExploreOptions<'static>)) {
    for threads in [1, 2] {
        check(ExploreOptions::default().with_threads(threads));
    }
}

#[test]
fn too_many_states() {
    for_threads(|options| {
        let limits = Limits { max_states: 1000, ..Limits::default() };
        let found = error(endless, &options.with_budget(&Budget::new(limits)));
        let ExploreError::Stopped(Stopped { reason: Reason::States { limit: 1000 }, progress }) = found else {
            panic!("{found:?}");
        };
        assert_eq!(progress.stage, Stage::Exploring);
        assert!(progress.done > 100 && progress.waiting > 0);
        assert!(found.to_string().contains("1000 states"), "{found}");
    });
}

#[test]
fn too_much_memory_for_states() {
    for_threads(|options| {
        for max_memory in [0, 10_000, 3_000_000] {
            let limits = Limits { max_memory, ..Limits::default() };
            let found = error(endless, &options.with_budget(&Budget::new(limits)));
            let ExploreError::Stopped(Stopped { reason: Reason::Memory { limit, needed }, progress }) = found else {
                panic!("{found:?}");
            };
            assert!(limit == max_memory && needed > limit);
            assert!(progress.memory <= max_memory || progress.done <= 1, "{progress:?}");
        }
    });
}

#[test]
fn enough_memory_is_enough() {
    let space = explore(&Rules::new(long), &ExploreOptions::default()).expect("small");
    let limits = Limits { max_memory: 40 * space.bytes(), max_states: 100_001, max_time: None };
    assert!(explore(&Rules::new(long), &ExploreOptions::default().with_budget(&Budget::new(limits))).is_ok());
    let limits = Limits { max_states: 100_000, ..limits };
    assert!(explore(&Rules::new(long), &ExploreOptions::default().with_budget(&Budget::new(limits))).is_err());
}

#[test]
fn interruption() {
    for_threads(|options| {
        let watch = |progress: Progress| {
            if progress.stage == Stage::Exploring && progress.done > 100 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let found = explore(&Rules::new(long), &options.with_budget(&Budget::default().watched(&watch)))
            .expect_err("interrupted");
        assert!(matches!(found, ExploreError::Stopped(Stopped { reason: Reason::Interrupted, .. })));
    });
    let space = explore(&Rules::new(long), &ExploreOptions::default()).expect("small");
    for exact in [true, false] {
        let watch = |progress: Progress| {
            assert_eq!(progress.stage, Stage::Solving);
            ControlFlow::Break(())
        };
        let found = solve(
            space.model(),
            &SolveOptions::default().with_budget(&Budget::default().watched(&watch)).with_exact(exact),
        );
        assert!(matches!(found, Err(SolveError::Stopped(Stopped { reason: Reason::Interrupted, .. }))));
    }
}

#[test]
fn solving_within_memory() {
    let space = explore(&Rules::new(long), &ExploreOptions::default()).expect("small");
    for exact in [true, false] {
        for more in [0, 100_000] {
            let limits = Limits { max_memory: space.model().bytes() + more, ..Limits::default() };
            let found =
                solve(space.model(), &SolveOptions::default().with_budget(&Budget::new(limits)).with_exact(exact));
            let Err(SolveError::Stopped(Stopped { reason: Reason::Memory { limit, needed }, progress })) = found else {
                panic!("{found:?}");
            };
            assert!(limit == limits.max_memory && needed > limit);
            assert_eq!(progress.stage, Stage::Solving);
        }
    }
    // The exact values of a chain of 100,000 coins have up to 100,000 digits each: far too many.
    let limits = Limits { max_memory: 30_000_000, ..Limits::default() };
    let found = solve(space.model(), &SolveOptions::exact().with_budget(&Budget::new(limits)));
    let Err(SolveError::StoppedWithBounds { stopped, bounds }) = found else {
        panic!("{:?}", found.map(|_| ()));
    };
    let Stopped { reason: Reason::Memory { .. }, progress } = stopped else { panic!("{stopped:?}") };
    assert!(progress.done > 100 && progress.waiting > 1000, "{progress:?}");
    // The bounds known by then are returned.
    let value = bounds.value_of(&space.starts()[0]);
    assert!(value.exact.is_none() && value.lower <= value.upper && value.width() < 1e-9, "{value:?}");
    assert!(solve(space.model(), &SolveOptions::default().with_budget(&Budget::new(limits))).is_ok());
}

/// Payoffs are part of the model's memory.
#[test]
fn many_payoffs_take_memory() {
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        0 => turn.uniform(1..=50_000),
        _ => turn.end(Rational::from(state) / Rational::from(1_000_003)),
    };
    let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("small");
    // A fraction takes at least 32 bytes, and more for the list that holds it.
    assert!(space.bytes() > 50_000 * 100, "{}", space.bytes());
}

#[test]
fn rules_without_choice_or_payoff() {
    for_threads(|options| {
        let found = error(
            |state, turn| {
                if state == 0 {
                    turn.to(5);
                }
            },
            &options,
        );
        assert_eq!(found, ExploreError::NoRules { state: "5".into() });
    });
}

#[test]
fn nothing_can_happen() {
    for_threads(|options| {
        let expected = ExploreError::NothingCanHappen { state: "0".into() };
        assert_eq!(error(|_, turn| turn.chance([]), &options), expected);
        assert_eq!(error(|_, turn| turn.chance([(1, Weight(0)), (2, Weight(0))]), &options), expected);
        let second = |_, turn: &mut Turn<u64>| {
            turn.to(1);
            turn.chance([]);
        };
        assert_eq!(error(second, &options), expected);
    });
}

#[test]
fn over_and_not_over() {
    for_threads(|options| {
        let rules = |_, turn: &mut Turn<u64>| {
            turn.end(1);
            turn.to(1);
        };
        assert_eq!(error(rules, &options), ExploreError::OverAndNotOver { state: "0".into() });
    });
}

#[test]
fn unequal_payoffs() {
    for_threads(|options| {
        let rules = |state, turn: &mut Turn<u64>| match state {
            0 => turn.chance([(1, Weight(1)), (2, Weight(1))]),
            1 => turn.end_ordered([1, 2]),
            _ => turn.end(1),
        };
        assert_eq!(error(rules, &options), ExploreError::UnequalPayoffs { expected: 2, found: 1 });
    });
}

#[test]
fn no_start() {
    struct Nowhere;
    impl Game for Nowhere {
        type State = u8;
        type Action = ();
        fn starts(&self) -> Vec<Distribution<u8>> {
            Vec::new()
        }
        fn rules(&self, _: &u8, _: &mut Turn<u8>) {}
    }
    assert_eq!(explore(&Nowhere, &ExploreOptions::default()).expect_err("no start"), ExploreError::NoStart);
}

#[test]
fn hundreds_of_thousands_of_outcomes() {
    const OUTCOMES: u64 = 300_000;
    for_threads(|options| {
        let rules = |state: u64, turn: &mut Turn<u64>| match state {
            0 => turn.chance((1..=OUTCOMES).map(|next| (next, Weight(1 + next % 3)))),
            _ => turn.end(state % 2),
        };
        let space = explore(&Rules::new(rules), &options).expect("it fits");
        assert_eq!(space.model().counts().outcomes, OUTCOMES);
        let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
        // Weights 2, 3, 1, ... of 1, 2, 3, ...: odd ones with weights 2, 1, 3, all six in a row 12.
        let total: u64 = (1..=OUTCOMES).map(|next| 1 + next % 3).sum();
        let odd: u64 = (1..=OUTCOMES).filter(|next| next % 2 == 1).map(|next| 1 + next % 3).sum();
        assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(Rational::from(odd) / Rational::from(total)));
        let reached = mdp::visit_probabilities(solution.policy(), &space.starts()[0], None).expect("no circles");
        assert_eq!(reached.states().len() as u64, OUTCOMES + 1);
    });
}

/// Ten thousand outcomes in a cycle: no step may consider all pairs of them.
#[test]
fn many_outcomes_in_a_circle() {
    const OUTCOMES: u64 = 100_000;
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        0 => turn.uniform(1..=OUTCOMES),
        _ if state <= OUTCOMES => turn.chance([(0, Weight(1)), (OUTCOMES + 1 + state % 2, Weight(1))]),
        _ => turn.end(state % 2),
    };
    let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("it fits");
    let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
    let value = solution.value_of(&space.starts()[0]);
    assert!(value.lower <= 0.5 && 0.5 <= value.upper && value.width() < 1e-9, "{value:?}");
}

/// A long cycle: nothing may take a step for every pair of its states.
#[test]
fn a_large_circle() {
    const GOAL: u64 = 100_000;
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        0 => turn.to(2),
        1 => turn.end(0),
        _ if state == GOAL => turn.end(1),
        _ => turn.chance([(state + 1, Weight(2)), (state - 1, Weight(1))]),
    };
    let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("it fits");
    let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
    let value = solution.value_of(&space.starts()[0]);
    assert!((value.decimal() - 0.5).abs() < 1e-6, "{value:?}");
}

/// Sums of weights that need more than 64 bits, among many outcomes.
#[test]
fn many_outcomes_with_large_sums() {
    const OUTCOMES: u64 = 100_000;
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        0 => turn.chance((0..2 * OUTCOMES).map(|next| (1 + next / 2, Weight(u64::MAX / 3 * 2)))),
        _ => turn.end(state % 2),
    };
    let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("it fits");
    let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
    let value = solution.value_of(&space.starts()[0]);
    assert!(value.lower <= 0.5 && 0.5 <= value.upper, "{value:?}");
}

/// A tree whose leaves lead to ten thousand states each: memory is checked between them.
#[test]
fn a_sudden_explosion() {
    for_threads(|options| {
        let rules = |state: u64, turn: &mut Turn<u64>| {
            if state < (1 << 11) - 1 {
                endless(state, turn);
            } else {
                turn.uniform((1..=10_000).map(|next| state * 10_000 + next));
            }
        };
        let limits = Limits { max_memory: 12_000_000, ..Limits::default() };
        let found = error(rules, &options.with_budget(&Budget::new(limits)));
        let ExploreError::Stopped(Stopped { reason: Reason::Memory { needed, .. }, progress }) = found else {
            panic!("{found:?}");
        };
        assert!(progress.memory < 250_000_000 && needed < 375_000_000, "{found:?}");
    });
}

#[test]
fn a_builder_that_is_used_wrongly() {
    let mut builder = ModelBuilder::new();
    assert_eq!(builder.clone().build(None).err(), Some(BuildError::Empty));
    assert_eq!(builder.finish_state(), Err(BuildError::NoChoice { state: 0 }));
    assert_eq!(builder.weights(&[1, 0]), Err(BuildError::ZeroWeight));
    assert_eq!(builder.weights(&[]), Err(BuildError::ZeroWeight));
    assert_eq!(builder.large_weights(&[UBig::ZERO]), Err(BuildError::ZeroWeight));
    let coin = builder.weights(&[1, 1]).expect("positive");
    assert_eq!(builder.choice(coin, &[0]), Err(BuildError::UnequalLengths { weights: 2, targets: 1 }));
    builder.choice(coin, &[1, 7]).expect("two targets");
    assert_eq!(builder.finished(&[Rational::ONE]), Err(BuildError::OverAndNotOver { state: 0 }));
    builder.finish_state().expect("a choice");
    builder.finished(&[Rational::ONE]).expect("a payoff");
    assert_eq!(builder.build(None).err(), Some(BuildError::NoSuchState { target: 7, states: 2 }));
}

#[test]
fn states_that_are_not_complete() {
    let mut builder = ModelBuilder::new();
    let certain = builder.weights(&[1]).expect("positive");
    builder.reward(&Rational::ONE).expect("few rewards");
    assert_eq!(builder.reward(&Rational::ONE), Err(BuildError::NoChoice { state: 0 }));
    assert_eq!(builder.finish_state(), Err(BuildError::NoChoice { state: 0 }));
    assert_eq!(builder.clone().build(None).err(), Some(BuildError::Unfinished { state: 0 }));
    builder.choice(certain, &[1]).expect("one target");
    builder.finish_state().expect("a choice");
    assert_eq!(builder.finished(&[]), Err(BuildError::UnequalPayoffs { expected: 1, found: 0 }));
    builder.finished(&[Rational::ONE, Rational::ZERO]).expect("payoffs");
    assert_eq!(builder.finished(&[Rational::ONE]), Err(BuildError::UnequalPayoffs { expected: 2, found: 1 }));
    builder.choice(certain, &[0]).expect("one target");
    assert_eq!(builder.build(None).err(), Some(BuildError::Unfinished { state: 2 }));
}

#[test]
fn a_target_without_a_number() {
    let mut builder = ModelBuilder::new();
    let certain = builder.weights(&[1]).expect("positive");
    builder.choice(certain, &[u32::MAX]).expect("one target");
    builder.finish_state().expect("a choice");
    assert!(matches!(builder.build(None), Err(BuildError::NoSuchState { states: 1, .. })));
}

/// Every state leads to five others at random, and play hardly ever ends: equations that take minutes exactly, or by
/// elimination.
#[test]
fn a_large_component_can_be_interrupted() {
    const STATES: u64 = 6000;
    let rules = |state: u64, turn: &mut Turn<u64>| {
        if state >= STATES {
            return turn.end(state - STATES);
        }
        let mixed = |place: u64| (state * 7919 + place * 104_729 + state * state % 977 * place) % STATES;
        turn.chance(
            (0..5)
                .map(|place| (mixed(place), Weight(1_000_000)))
                .chain([(STATES + state % 2, Weight(1)), ((state + 1) % STATES, Weight(1_000_000))]),
        );
    };
    for exact in [false, true] {
        let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("small");
        assert_eq!(space.model().counts().largest_scc, STATES);
        let began = Instant::now();
        let watch = |_: Progress| {
            if began.elapsed() > Duration::from_millis(300) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let budget = Budget::default().watched(&watch);
        let options = SolveOptions::default().with_exact(exact).with_method(Method::Elimination).with_budget(&budget);
        let found = solve(space.model(), &options);
        let Err(SolveError::Stopped(Stopped { reason: Reason::Interrupted, progress })) = found else {
            panic!("{:?}", found.map(|_| ()));
        };
        assert_eq!(progress.stage, Stage::Solving);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

/// The same equations do not fit into little memory, and are refused at once.
#[test]
fn a_large_component_needs_memory() {
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        50_000 => turn.end(1),
        _ => turn.chance([
            ((state * 7919 + 13) % 50_000, Weight(1)),
            ((state + 1) % 50_000, Weight(1)),
            (50_000, Weight(1)),
        ]),
    };
    let space = explore(&Rules::new(rules), &ExploreOptions::default()).expect("small");
    let limits = Limits { max_memory: space.model().bytes() + 2_000_000, ..Limits::default() };
    let found = solve(space.model(), &SolveOptions::exact().with_budget(&Budget::new(limits)));
    let Err(SolveError::Stopped(Stopped { reason: Reason::Memory { limit, needed }, .. })) = found else {
        panic!("{found:?}")
    };
    assert!(limit == limits.max_memory && needed > limit);
}

/// Putting states into order can be interrupted.
#[test]
fn ordering_can_be_interrupted() {
    let watch = |progress: Progress| match progress.stage {
        Stage::Ordering if asked(&progress) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    // A cycle, so that there is an order to compute.
    let rules = |state: u64, turn: &mut Turn<u64>| match state {
        300_000 => turn.end(1),
        _ => turn.chance([(state + 1, Weight(1)), (state.saturating_sub(1), Weight(1))]),
    };
    let found = error(rules, &ExploreOptions::default().with_budget(&Budget::default().watched(&watch)));
    let ExploreError::Stopped(Stopped { reason: Reason::Interrupted, progress }) = found else { panic!("{found:?}") };
    assert_eq!(progress.stage, Stage::Ordering);
}

/// Whether this is at least the third call: the first is before the search begins.
fn asked(_: &Progress) -> bool {
    static TIMES: AtomicU32 = AtomicU32::new(0);
    TIMES.fetch_add(1, Ordering::Relaxed) >= 2
}
