//! Programs: a book compiled for one hero, as small steps over registers.
//!
//! There are few kinds of steps, and none of them knows a game: items, fights and shops have become numbers in registers,
//! tests, questions and chances. Each step declares what it reads ([`Instruction::decides`]), what it writes and where it leads
//! ([`Instruction::ways`]); every analysis works from that.
//!
//! A program does not know the book from which it was compiled, nor how it is reduced, executed or solved.
//!
//! | step | effect |
//! |---|---|
//! | set | assigns values to registers, one after another, each clamped to its register's range |
//! | branch | goes one way if a test holds, else the other |
//! | ask | a question to the player: answers, each with a test, optionally a number to choose, assignments and a target |
//! | chance | outcomes with weights, each with assignments and a target |
//! | fold | a block without questions as one chance, whose endings a native function knows (`fold.rs`) |
//! | jump, enter, leave | lead on; sections begin and end here, for reports |
//! | death, victory, stuck | ends |
//!
//! A value consists of registers, arithmetic, tests and tables. Labels of answers, the ways to pick numbers and the names of
//! enemies are data beside the program (`notes.rs`). `verify.rs` checks a program, in builds with debug assertions after every
//! pass. A new rule of a game is composed of these steps, so no analysis has to know it.

mod cfg;
mod distinguish;
mod evaluation;
mod fold;
mod instruction;
mod notes;
mod print;
mod ranges;
mod rolls;
mod sheet;
mod skills;
mod starting;
mod state;
mod value;
mod verify;

use std::sync::Arc;

use crate::terms::SectionNumber;

pub(crate) use cfg::Edges;
pub(crate) use fold::{ByFirst, Endings, Native};
pub(crate) use instruction::{
    Answer, Decides, Each, FEW_STEPS, Fold, HERE, Instruction, Label, Outcome, Question, Sets, Way, Weight,
};
pub(crate) use notes::{Duel, Foe, Notes, Parting};
pub(crate) use print::listing;
pub(crate) use rolls::{Roll, Throw};
pub(crate) use sheet::{Sheet, Stat, Weaker};
pub(crate) use skills::{MOST_SKILLS, ROUND_MEANING, Skills, chance, weight_of_number};
pub(crate) use starting::Starting;
pub(crate) use state::{DEAD, Field, LAST_PLACE, Layout, NO_PLACE, Register, SECTIONS, WON};
pub use state::{State, StateTooLarge};
pub(crate) use value::{Reads, Table, Test, Value};
pub(crate) use verify::verify;

/// Registers of equivalent items: where only their number matters, one register counts them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub members: Vec<Register>,
    pub counter: Register,
}

/// A stage of a series: a book with a set of disciplines.
#[derive(Clone, Debug)]
pub(crate) struct StageNumbers {
    /// The offset of its section numbers.
    pub first: SectionNumber,
    /// The offset of its section numbers in reports.
    pub shown: SectionNumber,
    /// The index of the book in the series.
    pub book: usize,
    /// The hero's sheet in this book.
    pub sheet: Sheet,
    /// The disciplines learned by then.
    pub learned: Vec<String>,
}

/// A compiled book.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub steps: Vec<Instruction>,
    /// The section of each step.
    pub sections: Vec<SectionNumber>,
    /// The stages of a series; empty for a single book.
    pub stages: Vec<StageNumbers>,
    /// The place at which play begins.
    pub start: Label,
    pub labels: Vec<String>,
    pub natives: Vec<Arc<dyn Native>>,
    pub groups: Vec<Group>,
    pub notes: Notes,
    pub sheet: Sheet,
    pub layout: Layout,
}

impl Program {
    /// The stage of a place in a series.
    pub(crate) fn stage(&self, place: Label) -> usize {
        self.stage_of(self.sections[place as usize])
    }

    /// The stage of a section.
    fn stage_of(&self, section: SectionNumber) -> usize {
        self.stages.partition_point(|own| own.first <= section).saturating_sub(1)
    }

    /// The book of a section in a series; 0 for a single book.
    pub(crate) fn book(&self, section: SectionNumber) -> usize {
        self.stages.get(self.stage_of(section)).map_or(0, |own| own.book)
    }

    /// The section number in reports: in a series it does not depend on the disciplines.
    pub(crate) fn shown_section(&self, section: SectionNumber) -> SectionNumber {
        self.stages.get(self.stage_of(section)).map_or(section, |own| section - own.first + own.shown)
    }

    /// The hero's sheet in the book of a section.
    pub(crate) fn sheet_in(&self, section: SectionNumber) -> &Sheet {
        self.stages.get(self.stage_of(section)).map_or(&self.sheet, |own| &own.sheet)
    }

    /// The disciplines learned by the book of a section; `None` for a single book.
    pub(crate) fn learned_in(&self, section: SectionNumber) -> Option<&[String]> {
        self.stages.get(self.stage_of(section)).map(|stage| stage.learned.as_slice())
    }

    /// The places of all steps.
    pub(crate) fn places(&self) -> std::ops::Range<Label> {
        // There are at most `LAST_PLACE` steps.
        0..Label::try_from(self.steps.len()).unwrap_or(Label::MAX)
    }
}
