//! Running: from a state to the next question, and what that depends on.

use std::cell::RefCell;
use std::sync::Arc;

use super::action::{Decided, Move};
use super::touches::Touches;
use super::{MOST_STEPS, Machine};
use crate::passes::Depends;
use crate::program::{ByFirst, DEAD, Endings, Fold, Instruction, Place, Register, State, Value, WON};

/// A block that depends on more is gone through step by step.
const MOST_INPUTS: usize = 32;

/// On what it depends in a state how a block ends.
#[derive(Clone, Copy)]
pub(super) struct Inputs {
    first: i32,
    pub(super) others: [i32; MOST_INPUTS],
}

/// How a block ends that was asked for.
struct AskedFor {
    machine: u64,
    native: u32,
    others: [i32; MOST_INPUTS],
    endings: Option<ByFirst>,
}

thread_local! {
    /// The one that was asked for last. Situations one after another fight alike, and what all threads look up together they
    /// wait for.
    static LAST: RefCell<Option<AskedFor>> = const { RefCell::new(None) };
}

/// How a run ends.
struct Ran {
    stop: State,
    /// Play goes round without coming to a question.
    goes_round: bool,
    /// How many steps it took.
    steps: usize,
}

impl Inputs {
    /// How the block ends, of all that it can come to by the first input.
    pub(super) fn among(self, all: &[Arc<Endings>]) -> Option<&Arc<Endings>> {
        all.get(usize::try_from(self.first).ok()?)
    }
}

impl Machine {
    /// Where a hero is who dies at a place.
    pub(super) fn dead(&self, place: Place) -> State {
        State::default().at(DEAD + self.program.sections[place as usize])
    }

    /// Runs from a state to the next question. `moves` is a buffer.
    pub(crate) fn run(&self, state: State, moves: &mut Vec<Move>) -> State {
        self.run_on(state, moves, &mut Depends::default()).stop
    }

    /// The same; adds to `depends` on what the way depends.
    fn run_on(&self, mut state: State, moves: &mut Vec<Move>, depends: &mut Depends) -> Ran {
        // Brent's way to see that play goes round: whoever comes by here again comes by for ever.
        let (mut known, mut until) = (state, 2);
        for steps in 1..MOST_STEPS {
            if steps == until {
                (known, until) = (state, 2 * until);
            } else if steps > 1 && state == known {
                let stop = if self.analyses.hopeless { State::default().at(DEAD) } else { state };
                return Ran { stop, goes_round: true, steps };
            }
            let here = |stop: State| Ran { stop, goes_round: false, steps };
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
        Ran { stop: state, goes_round: true, steps: MOST_STEPS }
    }

    /// Whether play is over at a place, or the same comes of everything from there on. Nobody runs on from there: all answers
    /// count as one, and who gives any of them could go round for ever.
    #[inline]
    pub(super) fn is_as_good_as_over(&self, place: Place) -> bool {
        place >= DEAD || self.hopeless[place as usize] || self.sure[place as usize] != u32::MAX
    }

    /// Does one step that asks nobody; says whether it was one.
    pub(crate) fn step(&self, state: &mut State) -> bool {
        let place = state.place();
        let layout = &self.program.layout;
        match &self.program.steps[place as usize] {
            Instruction::Jump(next) | Instruction::Enter { next } | Instruction::Leave { next, .. } => {
                *state = state.at(*next);
            }
            Instruction::Set { sets, next } => {
                self.put(state, sets);
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

    /// Puts numbers into registers, one after another.
    #[inline]
    pub(super) fn put(&self, state: &mut State, sets: &[(Register, Value)]) {
        let layout = &self.program.layout;
        for (register, value) in sets {
            let number = value.number(layout, state);
            layout.set(state, *register, number);
        }
    }

    /// Whether a block is one chance from a state, however it ends.
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

    /// How a block ends from a state; `None` where it must be gone through step by step.
    pub(super) fn folded(&self, state: &State, fold: &Fold) -> Option<Arc<Endings>> {
        let inputs = self.inputs(state, fold)?;
        inputs.among(&self.folded_by_first(fold, &inputs)?).cloned()
    }

    /// On what it depends in a state how a block ends; `None` where that is too much.
    pub(super) fn inputs(&self, state: &State, fold: &Fold) -> Option<Inputs> {
        let layout = &self.program.layout;
        let (first, values) = fold.inputs.split_first()?;
        let mut others = [0; MOST_INPUTS];
        for (input, value) in others.get_mut(..values.len())?.iter_mut().zip(values) {
            *input = value.number(layout, state);
        }
        Some(Inputs { first: first.number(layout, state), others })
    }

    /// How a block ends, by the first of its inputs; `None` where it must be gone through step by step.
    pub(super) fn folded_by_first(&self, fold: &Fold, inputs: &Inputs) -> Option<ByFirst> {
        self.program.natives[fold.native as usize].endings(&inputs.others[..fold.inputs.len() - 1])
    }

    /// Where play first comes to a question, or the start of it.
    pub(crate) fn first(&self) -> State {
        if self.entering { self.start } else { self.advance(&self.start, &mut Vec::new()) }
    }

    /// Runs from a state, of which only that is kept which matters there, to the next question that is one with what is
    /// kept there: with what no longer matters answers can go that made a difference. `moves` is a buffer.
    pub(crate) fn advance(&self, state: &State, moves: &mut Vec<Move>) -> State {
        self.advance_touching(state, moves, &mut Depends::default())
    }

    /// How many steps play goes from a state before it settles.
    pub(crate) fn steps_to_stop(&self, state: &State) -> usize {
        let (mut advanced, mut moves, mut all) = (self.keep(state), Vec::new(), 0);
        for _ in 0..MOST_STEPS {
            let Ran { stop, goes_round, steps } = self.run_on(advanced, &mut moves, &mut Depends::default());
            all += steps;
            advanced = self.keep(&stop);
            if advanced == stop || goes_round {
                break;
            }
        }
        all
    }

    /// Where play settles, as [`advance`](Self::advance) says; adds to `depends` on what that depends.
    pub(super) fn advance_touching(&self, state: &State, moves: &mut Vec<Move>, depends: &mut Depends) -> State {
        let mut advanced = self.keep_looking(state, depends);
        if self.asks_at_once(&advanced) {
            depends.touch(&Touches::last_answer(&self.program, advanced.place()));
            return advanced;
        }
        // Each time round something is forgotten or play goes on, as long as it does not go round itself.
        for _ in 0..MOST_STEPS {
            let Ran { stop, goes_round, .. } = self.run_on(advanced, moves, depends);
            advanced = self.keep_looking(&stop, depends);
            let entered = self.entering && self.enters(&advanced);
            if advanced == stop || goes_round || entered || !self.analyses.straight {
                break;
            }
        }
        advanced
    }
}
