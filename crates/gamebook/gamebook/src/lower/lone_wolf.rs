//! Compiles a book of Lone Wolf and a hero to a program. Everything that the hero fixes (disciplines, powers of weapons) is
//! evaluated here, so that the program holds only what can still change. Equal steps of a section are shared.

mod apply_policy;
mod blocks;
mod carrier;
mod choices;
mod compiler;
mod effect;
mod fight;
mod fold_fight;
mod gear;
mod health;
mod hero_creation;
mod pick;
mod prescan;
mod registers;
mod round;
mod series;
mod setting_out;
mod share_endurance;
mod slots;
mod things;
mod values;

use std::sync::Arc;

use budget::Budget;

use super::error::CompileError;
use super::quest::Quest;
use crate::book::{Book, HeroQuantity, Situation};
use crate::program::{Skills, Starting, StateTooLarge};
use carrier::Carrier;
use compiler::Compiler;
use gear::Gear;
use setting_out::empty;
use slots::Slots;

pub(crate) use carrier::Others;
pub(crate) use choices::default_label;
pub(super) use series::compile_series;

/// Compiles a book of Lone Wolf.
pub(super) fn compile(quest: Quest<'_>, budget: &Budget<'_>) -> Result<Starting, CompileError> {
    let Quest { book, hero, situation, start, goals } = quest;
    let carrier = Carrier::new(book, hero, None);
    let mut compiler = compiler_of(&carrier, situation, budget)?;
    compiler.victories = goals == book.goals;
    let begin = compiler.opening(start, goals)?;
    Ok(compiler.starting(begin, start))
}

/// Compiles a book of Lone Wolf for several heroes at once; `None` if that is impossible.
pub(super) fn compile_with_others(
    quest: Quest<'_>,
    others: Others,
    budget: &Budget<'_>,
) -> Result<Option<Starting>, CompileError> {
    let Quest { book, hero, situation, start, goals } = quest;
    let looks = situation.endurance.is_some()
        || situation.creation.is_some()
        || situation
            .leaving
            .iter()
            .any(|(quantity, _)| matches!(quantity, HeroQuantity::Endurance | HeroQuantity::CombatSkill));
    if looks {
        return Ok(None);
    }
    let carrier = Carrier { others, ..Carrier::new(book, hero, None) };
    let mut compiler = match compiler_of(&carrier, situation, budget) {
        // They need more bits of a state than the strongest hero alone.
        Err(CompileError::StateTooLarge(_)) => return Ok(None),
        compiler => compiler?,
    };
    compiler.victories = goals == book.goals;
    let begin = compiler.opening(start, goals)?;
    Ok(compiler.all_alike.then(|| compiler.starting(begin, start)))
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

/// Checks that a state can hold what a book must remember.
///
/// # Errors
/// If it cannot.
pub(crate) fn fits(book: &Book) -> Result<(), StateTooLarge> {
    Slots::of(&[Carrier::new(book, &book.hero, None)]).map(|_| ())
}
