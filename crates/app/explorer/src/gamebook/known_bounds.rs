//! Built-in books that are too large for the limits of most servers: what is known of their own heroes.
//!
//! Where a limit ends a question about a book, its page offers what there is instead (`gamebook-instead.js`): the walk without
//! odds, the halves before and behind a section that every way passes (`registry/waist.rs`), and the bounds shipped for a
//! built-in book's own hero, which are found by the mark of the text.

use gamebook::{KnownBounds, known_bounds};

use super::registry::OfferedBook;
use crate::question::{Known, Problem, Run};

/// Refuses at once to solve what is known to be beyond the limits, and tells what is known of it.
pub fn refuse(offered: &OfferedBook, question: &gamebook::Question, run: &Run<'_>) -> Result<(), Problem> {
    let Some(known) = known_bounds(&offered.book) else { return Ok(()) };
    let most = run.budget.limits().max_states;
    if most > known.beyond || in_order(question.clone()) != in_order(gamebook::Question::new(&offered.book)) {
        return Ok(());
    }
    let KnownBounds { at_least, at_most, .. } = *known;
    let message = format_args!("{} has more situations than the limit of {most}", offered.book.title);
    let help = format_args!(
        "its own hero is known to win with {:.5} % to {:.5} %; ask about a part of the book, or start the Explorer with a \
         higher --max-states",
        (at_least * 1e7).floor() / 1e5,
        (at_most * 1e7).ceil() / 1e5
    );
    let known = Some(Known { at_least, at_most });
    Err(Problem { is_a_limit: true, known, ..Problem::impossible(message, help) })
}

/// The same question, whatever the order in which the hero's things were listed.
fn in_order(mut question: gamebook::Question) -> gamebook::Question {
    question.hero.disciplines.sort_unstable();
    question.hero.items.sort_unstable();
    question
}
