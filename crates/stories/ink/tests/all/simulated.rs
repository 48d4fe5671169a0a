//! Simulated plays against the exact shares.

use std::ops::ControlFlow;

use budget::{Budget, Stage};
use ink::{ReportOptions, StepLimits};

use super::common::{exactly, story};

const PLAYS: u32 = 4_000;

#[test]
fn simulated_shares_are_those_of_the_solver() {
    let story = story(
        "VAR n = 0\n-> hall\n=== hall\n~ n += RANDOM(1, 3)\n{n > 6: -> cellar}\n+ [wait] -> hall\n* [go] -> lane ->\n  -> hall\n+ {n > 3} [out]\n  # win\n  -> END\n\
         === lane\n{~one|two -> cellar|three}\n->->\n=== cellar\n{n == 7: It is dark.}\n{n == 8: -> END}\n{n == 9: -> DONE}\n",
    );
    let exact = exactly(&story).random;
    let simulated = story.simulated(PLAYS.into(), 7, StepLimits::default(), &Budget::default());
    assert_eq!((simulated.plays, simulated.unfinished), (PLAYS.into(), 0));
    let agree = |what: &str, truth: f64, seen: u64| {
        let seen = f64::from(u32::try_from(seen).expect("few")) / f64::from(PLAYS);
        let error = (truth * (1.0 - truth) / f64::from(PLAYS)).sqrt();
        assert!((seen - truth).abs() <= 4.5 * error, "{what}: {truth}, {seen} of the plays");
    };
    for ((name, share), (same, seen)) in exact.knots.iter().zip(&simulated.knots) {
        assert_eq!(name, same);
        agree(name, share.decimal(), *seen);
    }
    for (ending, share) in &exact.endings {
        let seen = simulated.endings.iter().find(|(same, _)| same == ending).map_or(0, |(_, seen)| *seen);
        agree(&ending.name, share.decimal(), seen);
    }
    agree("faults", exact.faults, simulated.broken);
    let again = story.simulated(PLAYS.into(), 7, StepLimits::default(), &Budget::default());
    assert_eq!(simulated, again);
}

/// Play that does not end is given up.
#[test]
fn endless_plays_are_given_up() {
    let story = story("-> s\n=== s\n+ a -> s\n+ b -> s\n");
    let simulated = story.simulated(3, 1, StepLimits::default(), &Budget::default());
    assert_eq!((simulated.plays, simulated.unfinished, simulated.won()), (3, 3, 0));
}

/// Whatever is stopped, there is an answer: bounds.
#[test]
fn what_is_not_solved_has_bounds() {
    let text =
        "VAR n = 0\n-> s\n=== s\n~ n += RANDOM(1, 3)\n{n > 9000: -> out}\n+ a -> s\n+ b -> s\n=== out\n# win\n-> END\n";
    let story = story(text);
    for stage in [Stage::Exploring, Stage::Solving] {
        let watch = |progress: budget::Progress| {
            if progress.stage == stage { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let budget = Budget::default().watched(&watch);
        let report = story.report(&ReportOptions::default().with_budget(&budget)).expect("an answer");
        assert!(
            report.stopped.is_some_and(|stopped| stopped.progress.stage == stage),
            "{stage:?}: {:?}",
            report.stopped
        );
        assert!(!report.is_whole() && report.value.lower == 0.0 && report.value.upper == 1.0);
        assert_eq!(report.random.knots.len(), 2);
    }
}
