//! Execution of a program: the states of a book and their successors.
//!
//! Play runs from one question to the next. Questions to the player and chances are the states; the steps between them are
//! executed at once. A question with a single answer is not a state.
//!
//! A machine knows the program and the results of the passes over it. It does not know the book, the hero, the solver or any
//! report.
//!
//! A state is five words: the label of a step and the packed registers. Registers that no longer matter at a question are
//! cleared (projection); a question whose answers then lead to the same state is skipped. Three-valued tests find the questions
//! whose outcome does not depend on the hero's health (`answers.rs`).
//!
//! Each thread caches its runs: `run_cache.rs` maps the registers a run has read to its next stop and to the outcomes of
//! chances, so that the rounds of a fight are looked up; `successor_cache.rs` holds all successors of an answer in a row. A row
//! is a batch of states that differ only in the hero's health; its steps are executed once for all of them until they diverge
//! (`rows.rs`, `lockstep.rs`). A fight without decisions is one chance, whose weights are shared by all states of that fight.

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
mod row_field;
mod row_folds;
mod rows;
mod run_cache;
mod running;
mod successor_cache;
mod touches;
mod weaker;

use std::sync::Arc;

use crate::passes::{Analyses, Projection, ReadSet};
use crate::program::{DEAD, Instruction, Label, Program, Register, State, WON};
use crate::terms::SectionNumber;
use living::Living;
use memo::Memo;
use row_field::RowField;
use touches::Touches;

pub(crate) use action::{Action, Move};

/// A run of this many steps without a question ends in a state, so that the engine can detect an endless loop.
const MOST_STEPS: usize = 10_000;

/// A book prepared for one hero: a [`mdp::Game`].
#[derive(Debug)]
pub struct Machine {
    pub(crate) program: Arc<Program>,
    /// The program before dead stores and early actions were removed, if the two differ. Reports about the hero need it.
    unreduced: Option<Arc<Program>>,
    /// For each place its place in the program before specialization; empty if the program was not specialized.
    compiled_places: Arc<[Label]>,
    kept: Projection,
    /// Liveness of the registers at each place of the unreduced game; `None` if `kept` needs nothing beyond the hero's sheet.
    whole_rows: Option<Arc<[u16]>>,
    /// The questions whose last answer is optimal whenever it is possible.
    last_is_best: Vec<bool>,
    /// The questions whose last answer, if possible, surely leads to a different state.
    last_differs: Vec<bool>,
    /// The chances whose outcomes are computed and cached, with the registers they use.
    memos: Vec<Option<Memo>>,
    /// The registers that each step reads or writes.
    touches: Touches,
    /// The bits in which the states of a row differ.
    row_field: Option<RowField>,
    /// The chances that subtract the same number in all states of a row.
    falls: Vec<bool>,
    /// For every place the order in which its rows are expanded: predecessors first.
    ranks: Vec<u32>,
    /// The registers that are kept in terminal states.
    ended: State,
    /// The chances with weights beyond 64 bits.
    large: Vec<bool>,
    /// The chances that are merged into the chance before them.
    merged_into_previous: Vec<bool>,
    /// Which heroes are alive in each state, where weaker heroes are solved with the strongest.
    living: Option<Living>,
    /// The places from which the book cannot be won.
    unwinnable: Vec<bool>,
    /// For each place the number of steps within which the book is surely won; `u32::MAX` if it is not.
    surely_won: Vec<u32>,
    /// The number of steps from each place to the nearest end.
    distances: Vec<u32>,
    analyses: Analyses,
    /// Whether entering a section makes a state.
    entering: bool,
    start: State,
    /// Unique to this machine.
    number: u64,
}

/// How play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Dead(SectionNumber),
    Won(SectionNumber),
}

impl Machine {
    /// The same machine with a state at the entry of each section.
    pub(crate) fn entering(self) -> Self {
        Self { entering: true, ..self }
    }

    /// The size of the program in bytes.
    pub fn bytes(&self) -> u64 {
        let bytes = |program: &Program| program.steps.iter().map(|step| step.bytes() as u64).sum::<u64>();
        bytes(&self.program) + self.unreduced.as_ref().map_or(0, |unreduced| bytes(unreduced))
    }

    /// The place of a state in the program as compiled, before specialization.
    pub(crate) fn place_as_compiled(&self, state: &State) -> Label {
        self.compiled_places.get(state.place() as usize).copied().unwrap_or(state.place())
    }

    /// The reductions in use.
    pub(crate) fn analyses(&self) -> Analyses {
        self.analyses
    }

    /// The state in which play begins, before any step.
    pub(crate) fn start(&self) -> State {
        self.start
    }

    /// The smallest number of steps from a state to an end.
    pub(crate) fn distance(&self, state: &State) -> u32 {
        if Self::end(state).is_some() { 0 } else { self.distances[state.place() as usize] }
    }

    /// The first question to the player in the starting section; or, if one of these comes first, the next chance, entry of a
    /// section or end.
    pub(crate) fn first_question(&self) -> State {
        let mut moves = Vec::new();
        let mut state = self.start;
        self.step(&mut state);
        self.run(state, &mut moves)
    }

    /// The next question, in any section; or the next chance or end.
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

    /// The number of steps within which the book is surely won; `u32::MAX` if it is not.
    pub(crate) fn surely_won(&self, state: &State) -> u32 {
        match Self::end(state) {
            Some(End::Won(_)) => 0,
            Some(End::Dead(_)) => u32::MAX,
            None => self.surely_won[state.place() as usize],
        }
    }

    pub(crate) fn get(&self, state: &State, register: Register) -> i32 {
        self.program.layout.get(state, register)
    }

    /// Whether a register still holds its value in a state, that is, has not been cleared by the projection.
    pub(crate) fn keeps(&self, state: &State, register: Register) -> bool {
        let mask = self.program.layout.mask(register);
        self.kept.mask(state.place()).only(&mask) == mask
    }

    /// The maximum of ENDURANCE with the equipment worn.
    pub(crate) fn max_endurance(&self, state: &State) -> u16 {
        let most = self.sheet(state).max_endurance.number(&self.program.layout, state);
        u16::try_from(most).unwrap_or(0)
    }

    /// The quarter, from 0 to 3, of the initial health that the hero has left; 3 if he has more, or if he has no health.
    pub(crate) fn quarter_of_life(&self, state: &State) -> u8 {
        let Some(vital) = self.program.sheet.vital() else { return 3 };
        let number = |state: &State| i64::from(self.get(state, vital));
        u8::try_from((4 * number(state).max(0) / number(&self.start).max(1)).min(3)).unwrap_or(3)
    }

    /// The projection of a state: registers that no longer matter are cleared.
    #[inline]
    pub(crate) fn project(&self, state: &State) -> State {
        match Self::end(state) {
            None if self.unwinnable[state.place() as usize] => State::default().at(DEAD),
            None if self.surely_won[state.place() as usize] != u32::MAX => state.only(&self.ended).at(WON),
            None => self.kept.project(state),
            Some(End::Dead(_)) if self.analyses.hopeless => State::default().at(DEAD),
            Some(End::Won(_)) if self.analyses.sure => state.only(&self.ended).at(WON),
            Some(_) => state.only(&self.ended),
        }
    }

    /// Adds to `depends` the registers that the projection of a state reads. Rows differ in whether their positions are read.
    #[inline]
    fn read_projection(&self, state: &State, depends: &mut ReadSet) {
        if state.place() < DEAD {
            let positions = self.row_field.map_or_else(State::default, |row_field| row_field.mask);
            self.kept.read_registers(state, &positions, depends);
        }
    }

    /// The projection of a state; adds to `depends` the registers that it reads.
    fn project_reading(&self, state: &State, depends: &mut ReadSet) -> State {
        self.read_projection(state, depends);
        self.project(state)
    }

    /// How play ended; `None` while it goes on.
    pub(crate) fn end(state: &State) -> Option<End> {
        let section = |first: Label| state.place() - first;
        match state.place() {
            WON.. => Some(End::Won(section(WON))),
            DEAD.. => Some(End::Dead(section(DEAD))),
            _ => None,
        }
    }

    /// Whether play has ended in victory.
    pub(crate) fn is_won(state: &State) -> bool {
        matches!(Self::end(state), Some(End::Won(_)))
    }

    /// The section of a state.
    pub fn section(&self, state: &State) -> SectionNumber {
        match Self::end(state) {
            Some(End::Dead(section) | End::Won(section)) => section,
            None => self.program.sections[state.place() as usize],
        }
    }

    /// Whether a state is the entry of its section.
    pub(crate) fn enters(&self, state: &State) -> bool {
        matches!(self.instruction(state), Some(Instruction::Enter { .. }))
    }

    /// The step of a state; `None` when play has ended.
    pub(crate) fn instruction(&self, state: &State) -> Option<&Instruction> {
        self.program.steps.get(state.place() as usize)
    }
}
