//! Lowers a book with a system of rules to a [`Program`].
//!
//! Blocks are lowered backwards: what follows comes first, so that each step knows its successor. The first registers hold the
//! sheet; those of enemies and names follow. A name gets the register after those of the enclosing names and goes out of scope
//! with its block, so that blocks share registers.

mod ask;
mod change;
mod constants;
mod fight;
mod gear;
mod hero_creation;
mod lookup;
mod lowering;
mod marked;
mod marks;
mod nodes;
mod numbers;
mod roll;
mod series;

use budget::Budget;

use super::error::CompileError;
use super::quest::Quest;
use crate::book::{Book, System};
use crate::program::Starting;
use lowering::Lowering;
use marked::Marks;

pub(crate) use marked::{Marked, Part};
pub(crate) use series::lower_series;

/// Lowers a book with this system of rules.
pub(crate) fn lower(quest: Quest<'_>, system: &System, budget: &Budget<'_>) -> Result<Starting, CompileError> {
    let Quest { book, situation, start, goals, .. } = quest;
    let mut lowering = Lowering::new(book, system, goals, budget);
    lowering.turns_to(book, system, situation);
    let mut begin = lowering.book(book, start, goals)?;
    if let Some(creation) = &situation.creation {
        lowering.section = start;
        begin = lowering.creation(book, creation, false, begin)?;
    }
    lowering.finish(situation, begin)
}

/// Lowers a book for all heroes and readings at once, with marks where its parts begin.
pub(crate) fn lower_marked(book: &Book, system: &System, budget: &Budget<'_>) -> Result<Marked, CompileError> {
    let mut lowering = Lowering::new(book, system, &book.goals, budget);
    lowering.marks = Some(Marks::new(book));
    let start = lowering.book(book, book.start, &book.goals)?;
    lowering.finish_marked(system, start)
}
