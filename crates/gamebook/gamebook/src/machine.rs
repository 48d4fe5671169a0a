//! Playing a program: what a state leads to.
//!
//! Play runs from one question to the next. Questions to the player and to chance are the states;
//! everything between is done at once. A question with one answer is none.
//!
//! A machine knows the program and what passes found out about it. It knows no book and no hero, and nothing of who
//! solves it or tells of it.
//!
//! A state is five words: the label of a step, and the registers, packed. What no longer matters at a question is forgotten; a
//! question whose answers then lead to the same state is skipped. Where a question is decided whatever is left of the hero's
//! life, three-valued tests show it at once (`answers.rs`).
//!
//! Threads cache their runs: `run_cache.rs` holds where play stops next and what chance brings, by the registers that were
//! read, so that the rounds of a fight are looked up; `successor_cache.rs` holds all successors of an answer in a row. A row
//! holds the states that differ only in what is left of the hero's life; its steps are done once for all of them while they do
//! not diverge (`rows.rs`, `lockstep.rs`). A fight in which nothing can be decided is one chance, whose weights all states in
//! that fight share.

mod across;
mod action;
mod answers;
mod build;
mod chances;
mod following;
mod game;
mod lane_group;
mod living;
mod lockstep;
mod memo;
mod merge_chances;
mod row_buffers;
mod row_cache;
mod row_folds;
mod rows;
mod run_cache;
mod running;
mod successor_cache;
mod touches;
mod weaker;

use std::sync::Arc;

use crate::passes::{Analyses, Depends, Kept};
use crate::program::{DEAD, Instruction, Place, Program, Register, State, WON};
use crate::terms::SectionNumber;
use across::Across;
use living::Living;
use memo::Memo;
use touches::Touches;

pub(crate) use action::{Action, Move};

/// After so many steps without a question a state is made: the engine sees whether play goes round.
const MOST_STEPS: usize = 10_000;

/// A book, made ready to be played by one hero: a [`mdp::Game`].
#[derive(Debug)]
pub struct Machine {
    pub(crate) program: Arc<Program>,
    /// The program with all that it does, where some of that matters only to what is unreduced of a hero.
    unreduced: Option<Arc<Program>>,
    /// Of which place of the program before it was split each place is a part; nothing where it was not.
    whole_places: Arc<[Place]>,
    kept: Kept,
    /// What can still matter at each place of the whole game, beside what is on the hero's sheet; nothing where that is all.
    whole_rows: Option<Arc<[u16]>>,
    /// The questions whose last answer is best as soon as it can be given.
    left: Vec<bool>,
    /// The questions whose last answer surely makes a difference if it can be given.
    last_differs: Vec<bool>,
    /// The chances that are computed, and what they depend on.
    memos: Vec<Option<Memo>>,
    /// What each step reads or writes.
    touches: Touches,
    /// In what the states of a row differ.
    across: Option<Across>,
    /// The chances that take as much from all states of a row.
    falls: Vec<bool>,
    /// For every place, when its rows are unreduced: those that lead to others before them.
    ranks: Vec<u32>,
    /// What is kept of a state where play is over.
    ended: State,
    /// The chances that have weights that are large numbers.
    large: Vec<bool>,
    /// The chances that are unreduced with the one before them.
    merged_into_previous: Vec<bool>,
    /// Which states tell of which heroes, where weaker ones are unreduced with the strongest.
    living: Option<Living>,
    /// The places from which the book cannot be won.
    hopeless: Vec<bool>,
    /// From how many steps on at most it is surely won from each place; `u32::MAX` where it is not.
    sure: Vec<u32>,
    /// How many steps it is from each place to an end.
    distances: Vec<u32>,
    analyses: Analyses,
    /// States are made where sections are entered.
    entering: bool,
    start: State,
    /// No other machine has this number.
    number: u64,
}

/// How play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Dead(SectionNumber),
    Won(SectionNumber),
}

impl Machine {
    /// The same with a state wherever a section is entered.
    pub(crate) fn entering(self) -> Self {
        Self { entering: true, ..self }
    }

    /// Bytes of the program.
    pub fn bytes(&self) -> u64 {
        let bytes = |program: &Program| program.steps.iter().map(|step| step.bytes() as u64).sum::<u64>();
        bytes(&self.program) + self.unreduced.as_ref().map_or(0, |unreduced| bytes(unreduced))
    }

    /// The place at which a state is in the program as it was compiled.
    pub(crate) fn place_as_compiled(&self, state: &State) -> Place {
        self.whole_places.get(state.place() as usize).copied().unwrap_or(state.place())
    }

    /// The reductions that are used.
    pub(crate) fn analyses(&self) -> Analyses {
        self.analyses
    }

    /// The situation in which play begins.
    pub(crate) fn start(&self) -> State {
        self.start
    }

    /// How many steps it is from a state to an end, if all goes that way.
    pub(crate) fn distance(&self, state: &State) -> u32 {
        if Self::end(state).is_some() { 0 } else { self.distances[state.place() as usize] }
    }

    /// The first question to the player in the section of the start; or where chance moves, or another section
    /// is entered, or play ends, before there is one.
    pub(crate) fn first_question(&self) -> State {
        let mut moves = Vec::new();
        let mut state = self.start;
        self.step(&mut state);
        self.run(state, &mut moves)
    }

    /// The next question, through any section; or where chance moves or play ends.
    pub(crate) fn first_question_from(&self, mut state: State) -> State {
        let mut moves = Vec::new();
        for _ in 0..MOST_STEPS {
            state = self.run(state, &mut moves);
            if !self.enters(&state) || Self::end(&state).is_some() {
                break;
            }
            self.step(&mut state);
        }
        state
    }

    /// From how many steps on at most the book is surely won, if it is.
    pub(crate) fn sure(&self, state: &State) -> u32 {
        match Self::end(state) {
            Some(End::Won(_)) => 0,
            Some(End::Dead(_)) => u32::MAX,
            None => self.sure[state.place() as usize],
        }
    }

    pub(crate) fn get(&self, state: &State, register: Register) -> i32 {
        self.program.layout.get(state, register)
    }

    /// Whether a register holds in a state what play put into it, and is not forgotten.
    pub(crate) fn keeps(&self, state: &State, register: Register) -> bool {
        let mask = self.program.layout.mask(register);
        self.kept.mask(state.place()).only(&mask) == mask
    }

    /// The maximum of ENDURANCE with what he wears.
    pub(crate) fn max_endurance(&self, state: &State) -> u16 {
        let most = self.sheet(state).max_endurance.number(&self.program.layout, state);
        u16::try_from(most).unwrap_or(0)
    }

    /// In which quarter the hero's life is of what he has at the start, from 0 to 3; 3 with more, and where he has none.
    pub(crate) fn quarter_of_life(&self, state: &State) -> u8 {
        let Some(vital) = self.program.sheet.vital() else { return 3 };
        let number = |state: &State| i64::from(self.get(state, vital));
        u8::try_from((4 * number(state).max(0) / number(&self.start).max(1)).min(3)).unwrap_or(3)
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        match Self::end(state) {
            None if self.hopeless[state.place() as usize] => State::default().at(DEAD),
            None if self.sure[state.place() as usize] != u32::MAX => state.only(&self.ended).at(WON),
            None => self.kept.keep(state),
            Some(End::Dead(_)) if self.analyses.hopeless => State::default().at(DEAD),
            Some(End::Won(_)) if self.analyses.sure => state.only(&self.ended).at(WON),
            Some(_) => state.only(&self.ended),
        }
    }

    /// Adds to `depends` on what it depends what is kept of a state. Rows are unreduced apart from others by whether their positions
    /// are looked at.
    #[inline]
    fn look(&self, state: &State, depends: &mut Depends) {
        if state.place() < DEAD {
            let positions = self.across.map_or_else(State::default, |across| across.mask);
            self.kept.look(state, &positions, depends);
        }
    }

    /// What is kept of a state; adds to `depends` on what that depends.
    fn keep_looking(&self, state: &State, depends: &mut Depends) -> State {
        self.look(state, depends);
        self.keep(state)
    }

    /// How play ended, if it has.
    pub(crate) fn end(state: &State) -> Option<End> {
        let section = |first: Place| state.place() - first;
        match state.place() {
            WON.. => Some(End::Won(section(WON))),
            DEAD.. => Some(End::Dead(section(DEAD))),
            _ => None,
        }
    }

    /// Whether play is over and won.
    pub(crate) fn is_won(state: &State) -> bool {
        matches!(Self::end(state), Some(End::Won(_)))
    }

    /// The section in which a state is.
    pub fn section(&self, state: &State) -> SectionNumber {
        match Self::end(state) {
            Some(End::Dead(section) | End::Won(section)) => section,
            None => self.program.sections[state.place() as usize],
        }
    }

    /// Whether a state lies just where its section is entered.
    pub(crate) fn enters(&self, state: &State) -> bool {
        matches!(self.instruction(state), Some(Instruction::Enter { .. }))
    }

    /// The step at which a state is; `None` when play is over.
    pub(crate) fn instruction(&self, state: &State) -> Option<&Instruction> {
        self.program.steps.get(state.place() as usize)
    }
}
