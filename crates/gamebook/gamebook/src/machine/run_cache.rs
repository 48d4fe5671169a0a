//! A cache of stops and of outcomes of chances.
//!
//! A run of steps depends on the registers that it reads, and leaves alone those that it does not write. States that differ
//! only in other registers therefore advance alike, and chances do the same to them: the run is computed once, and the
//! untouched registers are copied from the state. Which registers count is learned at each place from the runs that begin
//! there: a few paths, each with its own registers.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Machine;
use super::action::Move;
use super::row_buffers::RowBuffers;
use crate::passes::{ReadSet, ReadSets};
use crate::program::{DEAD, Label, NO_PLACE, State, WON};

/// At most this many consecutive chances are merged.
pub(super) const DEEPEST: usize = 3;

/// How many stops a thread caches; a power of two.
const ADVANCED: usize = 1 << 13;

/// How many outcomes of chances a thread caches.
const MOST_OUTCOMES: usize = 1 << 17;

/// The buffers and caches of a thread.
#[derive(Default)]
pub(super) struct Buffers {
    pub moves: Vec<Move>,
    pub inner: Vec<Move>,
    pub outcomes: Vec<(u64, State)>,
    /// The machine to which all that follows belongs.
    machine: u64,
    /// The registers on which stops depend.
    stop_reads: ReadSets,
    /// The values of those registers and the stop; one entry for each hash.
    advanced: Vec<(State, State)>,
    /// The registers on which outcomes depend, by the number of chances merged before.
    outcome_reads: [ReadSets; DEEPEST + 1],
    /// The values of those registers and the range of the outcomes in `cached_outcomes`.
    known: [FxHashMap<State, (usize, usize)>; DEEPEST + 1],
    cached_outcomes: Vec<(u64, State)>,
    /// The outcomes of computed chances, by the registers that they and the steps after them use.
    pub come_up: FxHashMap<State, Vec<(u64, State)>>,
    /// The caches of rows.
    pub rows: RowBuffers,
    /// The projections after the answers of a question.
    pub seen: Vec<State>,
}

impl Buffers {
    /// Clears the caches if they belong to another machine.
    pub(super) fn belong_to(&mut self, machine: &Machine) {
        if self.machine != machine.number {
            self.stop_reads.clear();
            self.outcome_reads.iter_mut().for_each(ReadSets::clear);
            self.advanced.clear();
            let none = State::default().at(NO_PLACE);
            self.advanced.resize(ADVANCED, (none, none));
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.cached_outcomes.clear();
            self.come_up.clear();
            self.rows.clear();
            self.machine = machine.number;
        }
    }

    /// The next stop of a state.
    #[inline]
    pub(super) fn advanced(&mut self, machine: &Machine, state: &State) -> State {
        self.advanced_touching(machine, state, &mut ReadSet::default())
    }

    /// The same; adds to `depends` the registers on which the stop depends.
    #[inline]
    pub(super) fn advanced_touching(&mut self, machine: &Machine, state: &State, depends: &mut ReadSet) -> State {
        self.belong_to(machine);
        for (own, key) in self.stop_reads.keys(state) {
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
    fn advanced_anew(&mut self, machine: &Machine, state: &State, depends: &mut ReadSet) -> State {
        let mut own = ReadSet::default();
        let advanced = machine.advance_touching(state, &mut self.inner, &mut own);
        depends.join(&own);
        if let Some((touched, key)) = self.stop_reads.learn(state, &own, &State::default()) {
            let known = advanced.only(&touched);
            self.advanced[slot(&key)] = (key, known);
            let passed = machine.kept.mask(state.place()).common(&machine.passed(advanced.place()));
            debug_assert_eq!(known.beside(&touched, &passed, state), advanced);
        }
        advanced
    }

    /// Adds the cached outcomes of a chance at this depth of merging to `outcomes`, and their registers to `depends`. Returns
    /// whether there were any.
    pub(super) fn remembered(
        &mut self,
        machine: &Machine,
        state: &State,
        depth: usize,
        outcomes: &mut Vec<(u64, State)>,
        depends: &mut ReadSet,
    ) -> bool {
        self.belong_to(machine);
        for (own, key) in self.outcome_reads[depth].keys(state) {
            if let Some((begin, end)) = self.known[depth].get(&key) {
                depends.join(own);
                outcomes.extend(self.cached_outcomes[*begin..*end].iter().map(|(weight, next)| {
                    let passed = machine.passed(next.place());
                    (*weight, next.beside(&own.touched, &passed, state))
                }));
                return true;
            }
        }
        false
    }

    /// Caches the outcomes of a chance, by the registers on which they depend.
    pub(super) fn remember(&mut self, state: &State, depends: &ReadSet, depth: usize, outcomes: &[(u64, State)]) {
        if self.cached_outcomes.len() > MOST_OUTCOMES {
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.cached_outcomes.clear();
            self.come_up.clear();
        }
        let Some((touched, key)) = self.outcome_reads[depth].learn(state, depends, &State::default()) else { return };
        let begin = self.cached_outcomes.len();
        self.cached_outcomes.extend(outcomes.iter().map(|(weight, next)| (*weight, next.only(&touched))));
        self.known[depth].insert(key, (begin, self.cached_outcomes.len()));
    }
}

impl Machine {
    /// The bits that are kept at a place if no step has touched them.
    #[inline]
    pub(super) fn passed(&self, place: Label) -> State {
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
