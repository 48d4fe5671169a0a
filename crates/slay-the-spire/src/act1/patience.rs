//! Time to tell what was found, when a run is over before its end.

use std::ops::ControlFlow;

use budget::{Budget, Limits, Progress, Reason, Stopped};

/// The share of a limit on time that looking for best play may take.
const SEARCH: f64 = 0.78;
/// The share that may be over when what was left open has been played out: to add up what a large run found takes its
/// time, too.
const PLAY: f64 = 0.93;

/// Does `work` with two budgets whose time is over before that of `budget`: one to look for best play, a longer one to
/// play out what that left open. Then bounds can still be told.
pub(crate) fn leaving_time<T>(budget: &Budget<'_>, work: impl FnOnce(&Budget<'_>, &Budget<'_>) -> T) -> T {
    with_share(budget, PLAY, |rest| with_share(budget, SEARCH, |search| work(search, rest)))
}

fn with_share<T>(budget: &Budget<'_>, share: f64, work: impl FnOnce(&Budget<'_>) -> T) -> T {
    let Some(time) = budget.limits().max_time else { return work(budget) };
    let limits = Limits { max_time: Some(time.mul_f64(share)), ..*budget.limits() };
    let watch = |progress: Progress| match budget.advance(progress) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    work(&Budget::new(limits).watched(&watch))
}

/// Why such work was stopped, in terms of the limits that were asked for.
pub(crate) fn reason(budget: &Budget<'_>, stopped: Stopped) -> Stopped {
    match (stopped.reason, budget.limits().max_time) {
        (Reason::Time { .. }, Some(limit)) => Stopped { reason: Reason::Time { limit }, ..stopped },
        (Reason::Interrupted, _) => budget.check().err().unwrap_or(stopped),
        _ => stopped,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use budget::Stage;

    use super::*;

    #[test]
    fn the_limit_that_is_told_is_the_one_that_was_asked_for() {
        let limit = Duration::ZERO;
        let budget = Budget::new(Limits { max_time: Some(limit), ..Limits::NONE });
        let stopped =
            leaving_time(&budget, |budget, _| budget.advance(Progress { stage: Stage::Exploring, ..Progress::NONE }));
        assert_eq!(reason(&budget, stopped.unwrap_err()).reason, Reason::Time { limit });
    }
}
