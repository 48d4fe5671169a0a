//! `--explain-size`: the number of states that each reduction saves.

use std::time::Instant;

use budget::Limits;
use gamebook::{Analyses, Book, Question, Solved};
use mdp::Counts;
use mdp::rows::explore;

use crate::arguments::engine_args::Run;
use crate::output::Failure;

/// The size of a book without a reduction.
pub(super) struct Size {
    pub(super) without: &'static str,
    /// `None` if above the limit.
    pub(super) counts: Option<Counts>,
    /// The limit on states.
    pub(super) limit: u64,
    /// The time to explore, not to solve.
    pub(super) seconds: f64,
}

/// The sizes of the book without each reduction.
pub(super) fn sizes(book: &Book, question: &Question, solved: &Solved, run: Run<'_>) -> Result<Vec<Size>, Failure> {
    let whole = run.budget;
    let own = solved.space().model().counts().states;
    let limit = (own * 20).max(1_000_000).min(whole.limits().max_states);
    let budget = whole.within(Limits { max_states: limit, ..*whole.limits() }).forwarding();
    let options = run.options.with_budget(&budget);
    let mut sizes = Vec::new();
    for without in Analyses::NAMES {
        let Some(analyses) = question.analyses.without(without) else { continue };
        let machine = Question { analyses, ..question.clone() }.machine(book, &budget);
        let began = Instant::now();
        let space = machine.ok().map(|machine| explore(&machine, &options));
        // A timeout of the run itself must not look like a larger book.
        whole.check()?;
        let Some(space) = space else { continue };
        let counts = space.ok().map(|space| space.model().counts());
        sizes.push(Size { without, counts, limit, seconds: began.elapsed().as_secs_f64() });
    }
    Ok(sizes)
}
