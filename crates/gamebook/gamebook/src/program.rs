//! A book compiled for one hero: small steps over registers.
//!
//! There are few kinds of steps, and none of them knows a game: whatever an item, a fight or a shop is has become
//! numbers in registers, tests on them, questions and chances. Each step says what it reads ([`Instruction::decides`]),
//! what it writes and where it leads ([`Instruction::ways`]); every analysis works from that.
//!
//! A program does not know the book of which it was made, nor who reduces, plays or solves it.
//!
//! | step | what it does |
//! |---|---|
//! | set | puts values into registers, one after another, each kept within its register's range |
//! | branch | goes one way if a test holds, else the other |
//! | ask | a question to the player: answers, each with a test, perhaps a number to choose, what it sets, where it leads |
//! | chance | outcomes with weights, each with what it sets and where it leads |
//! | fold | a block without questions, as one chance, whose endings a native function knows (`fold.rs`) |
//! | jump, enter, leave | lead on; sections begin and end here, for reports |
//! | death, victory, stuck | ends |
//!
//! A value is made of registers, arithmetic, tests and tables. What answers are called, how picks are made and who fights is
//! data beside the program (`notes.rs`). `verify.rs` checks a program, after every pass in builds with debug assertions. A new
//! rule of a game is made of these steps, so no analysis has to know it.

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
    Answer, Decides, Each, FEW_STEPS, Fold, HERE, Instruction, Outcome, Place, Question, Sets, Way, Weight,
};
pub(crate) use notes::{Duel, Foe, Notes, Parting};
pub(crate) use print::listing;
pub(crate) use rolls::{Roll, Throw};
pub(crate) use sheet::{Sheet, Stat, Weaker};
pub(crate) use skills::{MOST_SKILLS, ROUND_MEANING, Skills, chance, weight_of_number};
pub(crate) use starting::Starting;
pub(crate) use state::{DEAD, Field, LAST_PLACE, Layout, NO_PLACE, Register, SECTIONS, WON};
pub use state::{State, TooMuchToRemember};
pub(crate) use value::{Reads, Table, Test, Value};
pub(crate) use verify::verify;

/// Registers whose things are alike where nothing tells them apart: there one register holds how many there are.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub members: Vec<Register>,
    pub counter: Register,
}

/// A stage of a series: a book, and what its hero has learned.
#[derive(Clone, Debug)]
pub(crate) struct StageNumbers {
    /// What is added to the numbers of its sections.
    pub first: SectionNumber,
    /// What is added to them where they are shown.
    pub shown: SectionNumber,
    /// Which book of the series it is.
    pub book: usize,
    /// The hero's sheet in this book.
    pub sheet: Sheet,
    /// What the hero has learned by then, in words.
    pub learned: Vec<String>,
}

/// A compiled book.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub steps: Vec<Instruction>,
    /// The section of each step.
    pub sections: Vec<SectionNumber>,
    /// In a series of books what its stages are shown by; nothing in a single book.
    pub stages: Vec<StageNumbers>,
    /// Where play begins.
    pub start: Place,
    pub labels: Vec<String>,
    pub natives: Vec<Arc<dyn Native>>,
    pub groups: Vec<Group>,
    pub notes: Notes,
    pub sheet: Sheet,
    pub layout: Layout,
}

impl Program {
    /// The stage of a place in a series.
    pub(crate) fn stage(&self, place: Place) -> usize {
        self.stage_of(self.sections[place as usize])
    }

    /// The stage to which a section belongs.
    fn stage_of(&self, section: SectionNumber) -> usize {
        self.stages.partition_point(|own| own.first <= section).saturating_sub(1)
    }

    /// Which book of a series a section belongs to; 0 in a single book.
    pub(crate) fn book(&self, section: SectionNumber) -> usize {
        self.stages.get(self.stage_of(section)).map_or(0, |own| own.book)
    }

    /// The number by which a section is shown: in a series it is the same whatever the hero has learned.
    pub(crate) fn shown_section(&self, section: SectionNumber) -> SectionNumber {
        self.stages.get(self.stage_of(section)).map_or(section, |own| section - own.first + own.shown)
    }

    /// The hero's sheet in the book to which a section belongs.
    pub(crate) fn sheet_in(&self, section: SectionNumber) -> &Sheet {
        self.stages.get(self.stage_of(section)).map_or(&self.sheet, |own| &own.sheet)
    }

    /// What the hero of a series has learned in the book to which a section belongs; `None` in a single book.
    pub(crate) fn learned_in(&self, section: SectionNumber) -> Option<&[String]> {
        self.stages.get(self.stage_of(section)).map(|stage| stage.learned.as_slice())
    }

    /// The places of all steps.
    pub(crate) fn places(&self) -> std::ops::Range<Place> {
        // There are no more than `LAST_PLACE`.
        0..Place::try_from(self.steps.len()).unwrap_or(Place::MAX)
    }
}
