//! A solvable model: states, choices, outcomes, in solving order.

mod blocks;
mod distribution;
mod measure;
mod redirect;
mod scc;
mod space;
mod stream;
mod tables;
mod weight;
mod weights;
mod words;

pub(crate) use blocks::{BlockWriter, write_runs};
pub(crate) use distribution::lcm;
pub use distribution::{Distribution, DistributionError, SharedWeights};
pub(crate) use measure::{Measured, measure};
pub(crate) use scc::Family;
pub use scc::Scc;
pub use space::StateSpace;
pub(crate) use space::hash_of;
pub(crate) use stream::{Block, Code};
pub use stream::{Choice, Choices, Targets};
pub use weight::{Meaning, Weight};
pub(crate) use weights::{CERTAIN, TooManyWeights};
pub use weights::{WeightSlice, WeightTable, WeightsId};
pub use words::StateId;
pub(crate) use words::{CHANCE, FINAL, KIND, LOW, MOST_STATES, MOVES, REWARD, SHARED, target};

use std::ops::Range;

use crate::numbers::Rational;

/// A solvable model: states, choices, outcomes, without names.
///
/// Built by [`explore`](crate::explore()) from a [`Game`](crate::Game), or by a [`ModelBuilder`](crate::ModelBuilder)
/// from numbers.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) code: Code,
    pub(crate) levels: Vec<Level>,
    /// The components, in families.
    pub(crate) families: Vec<Family>,
    pub(crate) counts: Counts,
}

/// States of the same depth: the longest path from each to the end passes equally many others (states of a row are as
/// deep as the deepest of them, where no choice leads back). None leads to another of its level, except within a
/// component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The level's states. Those before `cyclic` are solved in one step each.
    pub states: Range<StateId>,
    /// The first state of the level's components.
    pub cyclic: StateId,
    /// The range of the model's families of components that belong to this level.
    pub(crate) families: Range<u32>,
    /// The largest number of outcomes of a chance node here.
    pub(crate) outcomes: u32,
    /// An upper bound of the binary digits that a probability here takes away: each probability is at least
    /// `2^-digits`.
    pub(crate) digits: u32,
}

/// The size of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States, finished ones included.
    pub states: u64,
    /// Finished states.
    pub finished: u64,
    /// Choices of all states.
    pub choices: u64,
    /// Outcomes as stored: those that several states or choices share count once.
    pub outcomes: u64,
    /// Outcomes of all choices, as if nothing were shared.
    pub transitions: u64,
    /// Components with a cycle: strongly connected sets of more than one state, or of one that can lead to itself.
    pub sccs: u64,
    /// States of the largest component.
    pub largest_scc: u64,
    /// Steps of solving: states on the longest path to the end, each component counted as one; there can be more where
    /// states of a row are solved together.
    pub levels: u64,
}

impl Model {
    /// How many states there are; they are numbered from 0.
    #[inline]
    pub fn states(&self) -> StateId {
        self.code.states()
    }

    /// The choices of a state, in the order of its rules; none when it is finished.
    #[inline]
    pub fn choices(&self, state: StateId) -> Choices<'_> {
        self.code.choices(state)
    }

    /// One of the choices of a state, counted from 0; `None` if there is no such choice.
    #[inline]
    pub fn choice(&self, state: StateId, number: u32) -> Option<Choice<'_>> {
        self.choices(state).nth(number as usize)
    }

    /// The payoffs of a finished state, in order; `None` for a state with choices.
    #[inline]
    pub fn payoff(&self, state: StateId) -> Option<&[Rational]> {
        self.code.payoff(state).map(|id| &self.code.payoffs.lists()[id as usize][..])
    }

    /// The weight vectors that choices point to.
    pub fn weights(&self) -> &WeightTable {
        &self.code.weights
    }

    /// The rewards that choices point to; empty unless the model has any.
    pub fn rewards(&self) -> &[Rational] {
        self.code.rewards.values()
    }

    /// The levels, from the deepest (with the starts) to the finished states.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The index in [`levels`](Self::levels) of a state's level.
    pub(crate) fn level_of(&self, state: StateId) -> usize {
        self.levels.partition_point(|level| level.states.end <= state)
    }

    /// The components, in order of their first states.
    pub fn sccs(&self) -> impl Iterator<Item = Scc> + Clone {
        self.families.iter().flat_map(|family| family.all())
    }

    /// Whether some state can be visited twice.
    pub fn has_cycles(&self) -> bool {
        !self.families.is_empty()
    }

    /// The families of components of a level.
    pub(crate) fn families_of(&self, level: &Level) -> &[Family] {
        &self.families[level.families.start as usize..level.families.end as usize]
    }

    /// The components of a level.
    pub(crate) fn sccs_of(&self, level: &Level) -> impl Iterator<Item = Scc> {
        self.families_of(level).iter().flat_map(|family| family.all())
    }

    /// Whether all components of a family are isomorphic: their states share blocks.
    pub(crate) fn are_isomorphic(&self, family: Family) -> bool {
        family.runs().all(|states| states.end <= self.code.block(states.start).end())
    }

    /// The family of a state that lies in a component.
    pub(crate) fn family_of(&self, state: StateId) -> Option<&Family> {
        let family = self.families.get(self.families.partition_point(|family| family.end() <= state))?;
        (state >= family.first).then_some(family)
    }

    /// The size of the model.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The number of payoffs of a finished state; 1 unless the game orders several, 0 when no play ever ends.
    pub fn objectives(&self) -> usize {
        self.code.payoffs.lists().first().map_or(0, Vec::len)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.code.bytes()
            + (self.levels.capacity() * size_of::<Level>()) as u64
            + (self.families.capacity() * size_of::<Family>()) as u64
    }
}
