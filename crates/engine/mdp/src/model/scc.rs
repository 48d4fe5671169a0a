//! Strongly connected components with a cycle, called components, and families of them with interleaved states.

use super::words::StateId;

/// A strongly connected component with a cycle. The numbers of its states are equally spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scc {
    first: StateId,
    step: u32,
    states: u32,
}

/// Consecutive components of equal size: first come the first states of all of them, then their second states, and so
/// on. So isomorphic components (the same dice game at each amount of gold) can share the blocks of their states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) first: StateId,
    pub(crate) sccs: u32,
    /// States of each component.
    pub(crate) states: u32,
}

impl Scc {
    /// The number of its states.
    pub fn size(self) -> usize {
        self.states as usize
    }

    /// Its first state.
    pub fn first(self) -> StateId {
        self.first
    }

    /// Its states, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = StateId> + DoubleEndedIterator + Clone + use<> {
        (0..self.states).map(move |index| self.state(index))
    }

    /// Whether a state belongs to it.
    #[inline]
    pub fn contains(self, state: StateId) -> bool {
        self.index_of(state).is_some()
    }

    /// The state at an index of the component.
    #[inline]
    pub(crate) fn state(self, index: u32) -> StateId {
        self.first + index * self.step
    }

    /// The index of a state in the component.
    #[inline]
    pub(crate) fn index_of(self, state: StateId) -> Option<u32> {
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
        self.first + self.sccs * self.states
    }

    /// One of the components.
    pub(crate) fn scc(&self, lane: u32) -> Scc {
        Scc { first: self.first + lane, step: self.sccs, states: self.states }
    }

    /// All components, in order.
    pub(crate) fn all(self) -> impl ExactSizeIterator<Item = Scc> + Clone {
        (0..self.sccs).map(move |lane| self.scc(lane))
    }

    /// The component of one of its states.
    pub(crate) fn scc_of(&self, state: StateId) -> Scc {
        self.scc((state - self.first) % self.sccs)
    }

    /// The range of the first states of all components, of the second ones, and so on.
    pub(crate) fn runs(self) -> impl Iterator<Item = std::ops::Range<StateId>> {
        (0..self.states).map(move |index| self.first + index * self.sccs).map(move |first| first..first + self.sccs)
    }
}
