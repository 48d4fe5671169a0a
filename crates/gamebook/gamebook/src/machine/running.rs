//! Runs: from a state to the next question, and the registers that decide it.

use std::cell::RefCell;
use std::sync::Arc;

use super::action::{Decided, Move};
use super::touches::Touches;
use super::{MOST_STEPS, Machine};
use crate::passes::ReadSet;
use crate::program::{ByFirst, DEAD, Endings, Fold, Instruction, Label, State, WON};

/// A block with more inputs is executed step by step.
const MOST_INPUTS: usize = 32;

/// The inputs of a folded block in a state.
#[derive(Clone, Copy)]
pub(super) struct Inputs {
    first: i32,
    pub(super) others: [i32; MOST_INPUTS],
}

/// The last block that was looked up, with its endings.
struct AskedFor {
    machine: u64,
    native: u32,
    others: [i32; MOST_INPUTS],
    endings: Option<ByFirst>,
}

thread_local! {
    /// A thread's last lookup. Consecutive situations often fight alike, and the table shared by all threads has a lock.
    static LAST: RefCell<Option<AskedFor>> = const { RefCell::new(None) };
}

/// The end of a run.
struct RunEnd {
    stop: State,
    /// Play loops without reaching a question.
    is_loop: bool,
    /// The number of steps.
    steps: usize,
}

impl Inputs {
    /// The endings for the first input, of those for all first inputs.
    pub(super) fn among(self, all: &[Arc<Endings>]) -> Option<&Arc<Endings>> {
        all.get(usize::try_from(self.first).ok()?)
    }
}

impl Machine {
    /// The state of a hero who dies at a place.
    pub(super) fn dead(&self, place: Label) -> State {
        State::default().at(DEAD + self.program.sections[place as usize])
    }

    /// Runs from a state to the next question. `moves` is a buffer.
    pub(crate) fn run(&self, state: State, moves: &mut Vec<Move>) -> State {
        self.run_on(state, moves, &mut ReadSet::default()).stop
    }

    /// The same; adds to `depends` the registers on which the path depends.
    fn run_on(&self, mut state: State, moves: &mut Vec<Move>, depends: &mut ReadSet) -> RunEnd {
        // Brent's algorithm: a run that returns to a state loops for ever.
        let (mut known, mut until) = (state, 2);
        for steps in 1..MOST_STEPS {
            if steps == until {
                (known, until) = (state, 2 * until);
            } else if steps > 1 && state == known {
                let stop = if self.analyses.hopeless { State::default().at(DEAD) } else { state };
                return RunEnd { stop, is_loop: true, steps };
            }
            let here = |stop: State| RunEnd { stop, is_loop: false, steps };
            if self.is_as_good_as_over(state.place()) {
                return here(state);
            }
            if self.analyses.straight
                && let Some(decided) = self.decided(&state)
            {
                depends.touch(self.touches.tests(state.place()));
                let Decided::Answered(answer) = decided else { return here(state) };
                depends.touch(self.touches.answer(state.place(), answer));
                state = self.give(&state, answer);
                continue;
            }
            depends.touch(self.touches.step(state.place()));
            if self.step(&mut state) {
                if !self.analyses.straight || self.entering && self.enters(&state) {
                    return here(state);
                }
                continue;
            }
            if !matches!(self.program.steps[state.place() as usize], Instruction::Ask(_)) {
                return here(state);
            }
            match self.only_answer(&state, moves, depends) {
                Some(next) => state = next,
                None => return here(state),
            }
            if !self.analyses.straight {
                return here(state);
            }
        }
        RunEnd { stop: state, is_loop: true, steps: MOST_STEPS }
    }

    /// Whether play at a place has ended or its result is certain. Runs stop there: all answers count as one, and following an
    /// arbitrary one could loop for ever.
    #[inline]
    pub(super) fn is_as_good_as_over(&self, place: Label) -> bool {
        place >= DEAD || self.unwinnable[place as usize] || self.surely_won[place as usize] != u32::MAX
    }

    /// Executes a step without a decision; returns whether the step was one.
    pub(crate) fn step(&self, state: &mut State) -> bool {
        let place = state.place();
        let layout = &self.program.layout;
        match &self.program.steps[place as usize] {
            Instruction::Jump(next) | Instruction::Enter { next } | Instruction::Leave { next, .. } => {
                *state = state.at(*next);
            }
            Instruction::Set { sets, next } => {
                layout.assign(state, sets);
                *state = state.at(*next);
            }
            Instruction::Branch { test, yes, no } => {
                *state = state.at(if test.holds(layout, state) { *yes } else { *no });
            }
            Instruction::Fold(fold) => {
                if self.is_folded(state, fold) {
                    return false;
                }
                *state = state.at(fold.steps);
            }
            Instruction::Death | Instruction::Stuck => *state = self.dead(place),
            Instruction::Victory => *state = state.at(WON + self.program.sections[place as usize]),
            Instruction::Ask(_) | Instruction::Chance { .. } => return false,
        }
        true
    }

    /// Whether a block is one chance in a state.
    pub(super) fn is_folded(&self, state: &State, fold: &Fold) -> bool {
        let Some(inputs) = self.inputs(state, fold).filter(|_| self.analyses.fold) else { return false };
        LAST.with_borrow_mut(|last| {
            let is_same = |known: &AskedFor| {
                known.machine == self.number && known.native == fold.native && known.others == inputs.others
            };
            if !last.as_ref().is_some_and(is_same) {
                let endings = self.folded_by_first(fold, &inputs);
                *last = Some(AskedFor { machine: self.number, native: fold.native, others: inputs.others, endings });
            }
            let endings = last.as_ref().and_then(|known| known.endings.as_ref());
            endings.is_some_and(|all| inputs.among(all).is_some())
        })
    }

    /// The endings of a block; `None` if it must be executed step by step.
    pub(super) fn folded(&self, state: &State, fold: &Fold) -> Option<Arc<Endings>> {
        let inputs = self.inputs(state, fold)?;
        inputs.among(&self.folded_by_first(fold, &inputs)?).cloned()
    }

    /// The inputs of a block in a state; `None` if there are too many.
    pub(super) fn inputs(&self, state: &State, fold: &Fold) -> Option<Inputs> {
        let layout = &self.program.layout;
        let (first, values) = fold.inputs.split_first()?;
        let mut others = [0; MOST_INPUTS];
        for (input, value) in others.get_mut(..values.len())?.iter_mut().zip(values) {
            *input = value.number(layout, state);
        }
        Some(Inputs { first: first.number(layout, state), others })
    }

    /// The endings of a block by its first input; `None` if it must be executed step by step.
    pub(super) fn folded_by_first(&self, fold: &Fold, inputs: &Inputs) -> Option<ByFirst> {
        self.program.natives[fold.native as usize].endings(&inputs.others[..fold.inputs.len() - 1])
    }

    /// The first state of the game: the first stop, or the entry of the first section.
    pub(crate) fn first(&self) -> State {
        if self.entering { self.start } else { self.advance(&self.start, &mut Vec::new()) }
    }

    /// Runs from a projected state to the next question that is still one after projection: once registers are cleared, answers
    /// may no longer differ. `moves` is a buffer.
    pub(crate) fn advance(&self, state: &State, moves: &mut Vec<Move>) -> State {
        self.advance_touching(state, moves, &mut ReadSet::default())
    }

    /// The number of steps from a state to its next stop.
    pub(crate) fn steps_to_stop(&self, state: &State) -> usize {
        let (mut advanced, mut moves, mut all) = (self.project(state), Vec::new(), 0);
        for _ in 0..MOST_STEPS {
            let RunEnd { stop, is_loop, steps } = self.run_on(advanced, &mut moves, &mut ReadSet::default());
            all += steps;
            advanced = self.project(&stop);
            if advanced == stop || is_loop {
                break;
            }
        }
        all
    }

    /// The next stop, as found by [`advance`](Self::advance); adds to `depends` the registers on which it depends.
    pub(super) fn advance_touching(&self, state: &State, moves: &mut Vec<Move>, depends: &mut ReadSet) -> State {
        let mut advanced = self.project_reading(state, depends);
        if self.asks_at_once(&advanced) {
            depends.touch(&Touches::last_answer(&self.program, advanced.place()));
            return advanced;
        }
        // Each iteration clears registers or goes on, unless play itself loops.
        for _ in 0..MOST_STEPS {
            let RunEnd { stop, is_loop, .. } = self.run_on(advanced, moves, depends);
            advanced = self.project_reading(&stop, depends);
            let entered = self.entering && self.enters(&advanced);
            if advanced == stop || is_loop || entered || !self.analyses.straight {
                break;
            }
        }
        advanced
    }
}
