//! Where play settles and what chance brings, remembered by what that depends on.
//!
//! What a run of steps does depends on the registers that they read, and it leaves alone those that they do not write. So
//! states that differ in other registers only advance alike, and chances bring the same to them: it is found out once
//! for all of them, and what was left alone is put beside it. Which registers count is learned at each place from the
//! runs that begin there: a few ways that they go, each with its own registers.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Machine;
use super::action::Move;
use super::row_buffers::RowBuffers;
use crate::passes::{Dependences, Depends};
use crate::program::{DEAD, NO_PLACE, Place, State, WON};

/// So many chances after another are told as one, if they have no more outcomes than this.
pub(super) const DEEPEST: usize = 3;

/// How many advanced states a thread remembers; a power of two.
const ADVANCED: usize = 1 << 13;

/// How many outcomes of chances a thread remembers.
const MOST_OUTCOMES: usize = 1 << 17;

/// What a thread needs again and again.
#[derive(Default)]
pub(super) struct Buffers {
    pub moves: Vec<Move>,
    pub inner: Vec<Move>,
    pub outcomes: Vec<(u64, State)>,
    /// To which machine all that follows belongs.
    machine: u64,
    /// On what it depends where play settles.
    advancing: Dependences,
    /// What those registers hold, and where play settles: the last one of each hash.
    advanced: Vec<(State, State)>,
    /// On what it depends what chance brings, by how many chances are told before.
    bringing: [Dependences; DEEPEST + 1],
    /// What those registers hold, and which of `brought` that is.
    known: [FxHashMap<State, (usize, usize)>; DEEPEST + 1],
    brought: Vec<(u64, State)>,
    /// What comes up in chances that are computed, by what they and the steps after them touch.
    pub come_up: FxHashMap<State, Vec<(u64, State)>>,
    /// Where rows advance.
    pub rows: RowBuffers,
    /// What is kept after the answers of a question.
    pub seen: Vec<State>,
}

impl Buffers {
    /// Forgets what belongs to another machine.
    pub(super) fn belong_to(&mut self, machine: &Machine) {
        if self.machine != machine.number {
            self.advancing.clear();
            self.bringing.iter_mut().for_each(Dependences::clear);
            self.advanced.clear();
            let none = State::default().at(NO_PLACE);
            self.advanced.resize(ADVANCED, (none, none));
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.brought.clear();
            self.come_up.clear();
            self.rows.clear();
            self.machine = machine.number;
        }
    }

    /// Where play from a state comes to its next question, as far as that matters.
    #[inline]
    pub(super) fn advanced(&mut self, machine: &Machine, state: &State) -> State {
        self.advanced_touching(machine, state, &mut Depends::default())
    }

    /// The same; adds to `depends` on what that depends.
    #[inline]
    pub(super) fn advanced_touching(&mut self, machine: &Machine, state: &State, depends: &mut Depends) -> State {
        self.belong_to(machine);
        for (own, key) in self.advancing.keys(state) {
            let (known, advanced) = &self.advanced[slot(&key)];
            if *known == key {
                depends.join(own);
                let passed = machine.kept.mask(state.place()).common(&machine.passed(advanced.place()));
                return advanced.beside(&own.touched, &passed, state);
            }
        }
        self.advanced_anew(machine, state, depends)
    }

    #[cold]
    fn advanced_anew(&mut self, machine: &Machine, state: &State, depends: &mut Depends) -> State {
        let mut own = Depends::default();
        let advanced = machine.advance_touching(state, &mut self.inner, &mut own);
        depends.join(&own);
        if let Some((touched, key)) = self.advancing.learn(state, &own, &State::default()) {
            let known = advanced.only(&touched);
            self.advanced[slot(&key)] = (key, known);
            let passed = machine.kept.mask(state.place()).common(&machine.passed(advanced.place()));
            debug_assert_eq!(known.beside(&touched, &passed, state), advanced);
        }
        advanced
    }

    /// Adds to `outcomes` what chance brings at a kept state where so many chances have been told before, if that is
    /// known, and to `depends` on what that depends.
    pub(super) fn remembered(
        &mut self,
        machine: &Machine,
        state: &State,
        depth: usize,
        outcomes: &mut Vec<(u64, State)>,
        depends: &mut Depends,
    ) -> bool {
        self.belong_to(machine);
        for (own, key) in self.bringing[depth].keys(state) {
            if let Some((begin, end)) = self.known[depth].get(&key) {
                depends.join(own);
                outcomes.extend(self.brought[*begin..*end].iter().map(|(weight, next)| {
                    let passed = machine.passed(next.place());
                    (*weight, next.beside(&own.touched, &passed, state))
                }));
                return true;
            }
        }
        false
    }

    /// Remembers what chance brings at a kept state, and on what that depends.
    pub(super) fn remember(&mut self, state: &State, depends: &Depends, depth: usize, outcomes: &[(u64, State)]) {
        if self.brought.len() > MOST_OUTCOMES {
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.brought.clear();
            self.come_up.clear();
        }
        let Some((touched, key)) = self.bringing[depth].learn(state, depends, &State::default()) else { return };
        let begin = self.brought.len();
        self.brought.extend(outcomes.iter().map(|(weight, next)| (*weight, next.only(&touched))));
        self.known[depth].insert(key, (begin, self.brought.len()));
    }
}

impl Machine {
    /// What is left alone on the way to a place is kept there as far as this says.
    #[inline]
    pub(super) fn passed(&self, place: Place) -> State {
        match place {
            WON.. => self.ended,
            DEAD.. => State::default(),
            place => *self.kept.mask(place),
        }
    }
}

#[inline]
fn slot(key: &State) -> usize {
    usize::try_from(FxBuildHasher.hash_one(key) % ADVANCED as u64).unwrap_or(0)
}
