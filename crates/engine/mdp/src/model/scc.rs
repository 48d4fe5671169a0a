//! Cyclic parts: strongly connected components in which play can go round. And families of them, whose states stand side by
//! side.

use super::words::StateId;

/// A cyclic part: states of which each can reach every other. Their numbers are equally far from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclicPart {
    first: StateId,
    step: u32,
    states: u32,
}

/// Cyclic parts that follow each other and have equally many states: first come the first states of all of them, then their
/// second ones, and so on. So parts that say the same (games of dice with more and more gold) can share the blocks of their
/// states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) first: StateId,
    pub(crate) parts: u32,
    /// States of each part.
    pub(crate) states: u32,
}

impl CyclicPart {
    /// How many states it has.
    pub fn size(self) -> usize {
        self.states as usize
    }

    /// Its first state.
    pub fn first(self) -> StateId {
        self.first
    }

    /// Its states, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = StateId> + DoubleEndedIterator + Clone + use<> {
        (0..self.states).map(move |place| self.state(place))
    }

    /// Whether a state is one of it.
    #[inline]
    pub fn contains(self, state: StateId) -> bool {
        self.place_of(state).is_some()
    }

    /// One of its states.
    #[inline]
    pub(crate) fn state(self, place: u32) -> StateId {
        self.first + place * self.step
    }

    /// Where among its states a state stands.
    #[inline]
    pub(crate) fn place_of(self, state: StateId) -> Option<u32> {
        let away = state.checked_sub(self.first)?;
        if self.step == 1 {
            return (away < self.states).then_some(away);
        }
        (away < self.step * self.states && away.is_multiple_of(self.step)).then(|| away / self.step)
    }
}

impl Family {
    /// The state after the last.
    pub(crate) fn end(&self) -> StateId {
        self.first + self.parts * self.states
    }

    /// One of the parts.
    pub(crate) fn part(&self, lane: u32) -> CyclicPart {
        CyclicPart { first: self.first + lane, step: self.parts, states: self.states }
    }

    /// All parts, in order.
    pub(crate) fn all(self) -> impl ExactSizeIterator<Item = CyclicPart> + Clone {
        (0..self.parts).map(move |lane| self.part(lane))
    }

    /// The part of one of its states.
    pub(crate) fn part_of(&self, state: StateId) -> CyclicPart {
        self.part((state - self.first) % self.parts)
    }

    /// Where the first states of all parts stand, where the second ones, and so on.
    pub(crate) fn runs(self) -> impl Iterator<Item = std::ops::Range<StateId>> {
        (0..self.states).map(move |place| self.first + place * self.parts).map(move |first| first..first + self.parts)
    }
}
