//! Compiles a book or a series under any rules.

use budget::Budget;

use super::error::CompileError;
use super::lone_wolf::{self, Others};
use super::quest::Quest;
use super::stage::Stage;
use super::system::{lower, lower_series};
use crate::book::{Series, Situation};
use crate::program::{SECTIONS, Starting};
use crate::terms::SectionNumber;

/// Compiles a book for a hero. Victories that the book declares elsewhere count if its own goals are the question's.
pub(crate) fn compile(quest: Quest<'_>, budget: &Budget<'_>) -> Result<Starting, CompileError> {
    on_a_large_stack(|| match &quest.book.system {
        Some(system) => lower(quest, system, budget),
        None => lone_wolf::compile(quest, budget),
    })
}

/// The same for several heroes at once ([`Weaker`](crate::program::Weaker), [`Skills`](crate::program::Skills)); `None` if that
/// is impossible.
pub(crate) fn compile_with_others(
    quest: Quest<'_>,
    others: Others,
    budget: &Budget<'_>,
) -> Result<Option<Starting>, CompileError> {
    if quest.book.system.is_some() {
        return Ok(None);
    }
    on_a_large_stack(|| lone_wolf::compile_with_others(quest, others, budget))
}

/// Compiles a series for a hero who begins the book of the first stage in `situation`, in section `start`. Winning the last
/// book wins.
pub(crate) fn compile_series(
    series: &Series,
    stages: &[Stage],
    situation: &Situation,
    start: SectionNumber,
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    let numbers = numbers(series, stages)?;
    on_a_large_stack(|| {
        if series.books[stages[0].book].book.system.is_some() {
            lower_series(series, stages, &numbers, situation, start, budget)
        } else {
            lone_wolf::compile_series(series, stages, &numbers, situation, start, budget)
        }
    })
}

/// For each stage the offset of its section numbers in the program and in reports.
fn numbers(series: &Series, stages: &[Stage]) -> Result<Vec<(SectionNumber, SectionNumber)>, CompileError> {
    let mut number: SectionNumber = 0;
    let shown = series.first_numbers();
    let own = |stage: &Stage| {
        let first = number;
        let last = series.books[stage.book].book.sections.last_key_value().map_or(0, |(last, _)| *last);
        let after = last.checked_add(1).and_then(|own| number.checked_add(own)).filter(|after| *after <= SECTIONS);
        number = after.ok_or(CompileError::TooLong { stages: stages.len() })?;
        Ok((first, shown[stage.book]))
    };
    stages.iter().map(own).collect()
}

/// Enough for the longest section.
const STACK: usize = 128 << 20;

/// Runs on a large stack: nodes are compiled recursively, each inside the one before it, deeper than an ordinary stack allows.
fn on_a_large_stack<T: Send>(compile: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &compile) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => compile(),
    })
}
