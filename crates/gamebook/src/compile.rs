//! From a book and a hero to a [`Program`]. Everything that the hero decides (his disciplines,
//! his weapons' powers) is worked out here, so that the program holds only what can still change.
//! Steps that are equal within a section are one.

mod blocks;
mod bout;
mod carrier;
mod choices;
mod compiler;
mod effect;
mod error;
mod fight;
mod gear;
mod health;
mod look;
mod making;
mod pick;
mod pose;
mod registers;
mod series;
mod setting_out;
mod slots;
mod things;
mod values;
mod weaker;

use std::sync::Arc;

use budget::Budget;

use crate::book::Book;
use crate::hero::Hero;
use crate::lower::Situation;
use crate::making::Made;
use crate::program::{Skills, Starting, TooMuchToRemember};
use crate::rules::lower;
use crate::terms::SectionNumber;
use carrier::Carrier;
use compiler::Compiler;
use gear::Gear;
use setting_out::{empty, on_a_large_stack};
use slots::Slots;

pub(crate) use carrier::Others;
pub(crate) use choices::default_label;
pub use error::CompileError;
pub(crate) use error::MOST_PARTS;
pub(crate) use series::compile_series;

/// Compiles a book for a hero. Entering one of `goals` wins; play begins in `start`. The victories that the book declares
/// elsewhere count when its own goals are asked for.
pub(crate) fn compile(
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
    goals: &[SectionNumber],
    budget: &Budget<'_>,
) -> Result<Starting, CompileError> {
    on_a_large_stack(|| {
        if let Some(system) = &book.system {
            return lower(book, system, situation, start, goals, budget);
        }
        let carrier = Carrier::new(book, hero, None);
        let mut compiler = compiler_of(&carrier, situation, budget)?;
        compiler.victories = goals == book.goals;
        let begin = compiler.opening(start, goals)?;
        Ok(compiler.starting(begin, start))
    })
}

/// The same where others are told with him ([`Weaker`](crate::program::Weaker), [`Skills`]); nothing where they cannot be.
pub(crate) fn compile_with_others(
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
    goals: &[SectionNumber],
    others: Others,
    budget: &Budget<'_>,
) -> Result<Option<Starting>, CompileError> {
    let looks = situation.endurance.is_some()
        || situation.making.is_some()
        || situation.leaving.iter().any(|(made, _)| matches!(made, Made::Endurance | Made::CombatSkill));
    if looks || book.system.is_some() {
        return Ok(None);
    }
    on_a_large_stack(|| {
        let carrier = Carrier { others, ..Carrier::new(book, hero, None) };
        let mut compiler = match compiler_of(&carrier, situation, budget) {
            // They need room in a state that the strongest alone does not.
            Err(CompileError::TooMuchToRemember(_)) => return Ok(None),
            compiler => compiler?,
        };
        compiler.victories = goals == book.goals;
        let begin = compiler.opening(start, goals)?;
        Ok(compiler.all_alike.then(|| compiler.starting(begin, start)))
    })
}

/// A compiler that begins a program for one book.
fn compiler_of<'a>(
    carrier: &Carrier<'a>,
    situation: &'a Situation,
    budget: &'a Budget<'a>,
) -> Result<Compiler<'a>, CompileError> {
    let Carrier { book, hero, .. } = *carrier;
    let books = [*carrier];
    let (mut slots, layout) = Slots::of(&books)?;
    let groups = gear::groups(&books, &slots);
    let mut gear = Gear::new(book, hero, slots.swap_remove(0), &groups);
    gear.skills = (carrier.others.skilled > 0).then(|| Arc::new(Skills::new(carrier.others.skilled + 1)));
    let program = empty(layout, gear.sheet(book), groups);
    Ok(Compiler::new(book, hero, situation, gear, program, budget))
}

/// Whether a state can hold what is to be remembered of a book.
///
/// # Errors
/// When it cannot.
pub(crate) fn fits(book: &Book) -> Result<(), TooMuchToRemember> {
    Slots::of(&[Carrier::new(book, &book.hero, None)]).map(|_| ())
}
