//! The odds of a book at a glance, within a time limit.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use budget::{Budget, Progress};
use gamebook::{Book, Question, Reader, SolveBookError, Solved};

use crate::arguments::engine_args::Run;
use crate::numbers::percent_of;
use crate::output::Failure;

/// The odds of optimal play and of random answers in words; both together within a time.
pub fn glance(book: &Book, question: &Question, within: Duration, run: Run<'_>) -> Result<[String; 2], Failure> {
    let until = Instant::now() + within;
    let watch = |progress: Progress| {
        let goes_on = Instant::now() < until && run.budget.advance(progress).is_ok();
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let own = Budget::new(*run.budget.limits()).watched(&watch);
    let options = run.options.with_budget(&own);
    let in_words = |won: Result<mdp::Value, SolveBookError>| match won {
        Ok(win) => percent_of(&win),
        Err(SolveBookError::Stopped(_) | SolveBookError::StoppedWithBounds { .. }) => match within.as_millis() {
            1000 => "not known within a second".into(),
            _ => format!("not known within {within:?}"),
        },
        Err(error) => error.to_string(),
    };
    let best = in_words(Solved::new(book, question, &options).map(|solved| solved.win()));
    let random = in_words(Reader::Random.evaluate(book, question, &options).map(|fares| fares.journey.win));
    // A signal is not a timeout.
    run.budget.check()?;
    Ok([best, random])
}
