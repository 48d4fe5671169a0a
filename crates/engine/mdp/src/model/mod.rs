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
pub use scc::CyclicPart;
pub(crate) use scc::Family;
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
/// Made by [`explore`](crate::explore()) from a [`Game`](crate::Game), or by a
/// [`ModelBuilder`](crate::ModelBuilder) from numbers.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) code: Code,
    pub(crate) levels: Vec<Level>,
    /// The cyclic parts, in families.
    pub(crate) families: Vec<Family>,
    pub(crate) counts: Counts,
}

/// States that are equally deep: the longest way from each to the end passes equally many others (states of a row are as
/// deep as the deepest of them, where no choice leads back). None leads to another of its level, except within a cyclic
/// part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The level's states. Those before `cyclic` are solved in one step each.
    pub states: Range<StateId>,
    /// The first state of the level's cyclic parts.
    pub cyclic: StateId,
    /// Of the families of cyclic parts of the model, those of this level.
    pub(crate) families: Range<u32>,
    /// The largest number of outcomes of a chance node here.
    pub(crate) outcomes: u32,
    /// An upper bound of the binary digits that a probability here takes away: each is at least
    /// `2^-digits`.
    pub(crate) digits: u32,
}

/// How large a model is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States, finished ones included.
    pub states: u64,
    /// Finished states.
    pub finished: u64,
    /// Choices of all states.
    pub choices: u64,
    /// Outcomes as stored: what several states or choices share counts once.
    pub outcomes: u64,
    /// Outcomes of all choices, as if nothing were shared.
    pub transitions: u64,
    /// Cyclic parts: sets of more than one state, or of one that can lead to itself, in which play
    /// can go round.
    pub cyclic_parts: u64,
    /// States in the largest cyclic part.
    pub largest_part: u64,
    /// Steps of solving: states on the longest way to the end, each cyclic part counted as one; where states of a row are
    /// solved together it can be more.
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

    /// One of the choices of a state, counted from 0; nothing where it has none of this number.
    #[inline]
    pub fn choice(&self, state: StateId, number: u32) -> Option<Choice<'_>> {
        self.choices(state).nth(number as usize)
    }

    /// What a finished state pays, in order; `None` for a state with choices.
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

    /// The place in [`levels`](Self::levels) of a state's level.
    pub(crate) fn level_of(&self, state: StateId) -> usize {
        self.levels.partition_point(|level| level.states.end <= state)
    }

    /// The cyclic parts, in order of their first states.
    pub fn cyclic_parts(&self) -> impl Iterator<Item = CyclicPart> + Clone {
        self.families.iter().flat_map(|family| family.all())
    }

    /// Whether play can come back to where it was.
    pub fn has_cycles(&self) -> bool {
        !self.families.is_empty()
    }

    /// The families of cyclic parts of a level.
    pub(crate) fn families_of(&self, level: &Level) -> &[Family] {
        &self.families[level.families.start as usize..level.families.end as usize]
    }

    /// The cyclic parts of a level.
    pub(crate) fn parts_of(&self, level: &Level) -> impl Iterator<Item = CyclicPart> {
        self.families_of(level).iter().flat_map(|family| family.all())
    }

    /// Whether all parts of a family say the same: their states share blocks.
    pub(crate) fn parts_say_the_same(&self, family: Family) -> bool {
        family.runs().all(|states| states.end <= self.code.block(states.start).end())
    }

    /// The family of a state that lies in a cyclic part.
    pub(crate) fn family_of(&self, state: StateId) -> Option<&Family> {
        let family = self.families.get(self.families.partition_point(|family| family.end() <= state))?;
        (state >= family.first).then_some(family)
    }

    /// How large the model is.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many payoffs a finished state lists; 1 unless the game orders several. 0 when no play
    /// ever ends.
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
