//! A store of components whose exact values were computed for the bounds, so that they are not computed again.

use std::sync::Mutex;

use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;

use crate::model::StateId;
use crate::support::id;

/// The exact values of a component's states, by the number of its first state.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<FxHashMap<StateId, Known>>);

/// The values of a component whose outside has the values of its bounds, which are exact.
pub(super) struct Known {
    /// The node of every member when the component was solved.
    pub(super) nodes: Vec<u32>,
    /// The nodes' values over `denominator`.
    pub(super) numerators: Vec<IBig>,
    pub(super) denominator: UBig,
}

impl Shelf {
    /// Stores values, unless they take more than `most` bytes: computing them again costs time, storing them memory
    /// that is not counted elsewhere.
    pub(super) fn keep(&self, first: StateId, known: Known, most: usize) {
        let bytes = known.numerators.len() * (known.denominator.as_words().len() + 4) * 16;
        if bytes <= most
            && let Ok(mut sccs) = self.0.lock()
        {
            sccs.insert(first, known);
        }
    }

    pub(super) fn take(&self, first: StateId) -> Option<Known> {
        self.0.lock().ok()?.remove(&first)
    }
}

impl Known {
    /// The values of nodes, given by the index of one member of each, and their denominator as a multiple of `common`.
    pub(super) fn of_nodes(self, members: &[u32], common: &UBig) -> (Vec<IBig>, UBig) {
        let own = |member: &u32| &self.numerators[self.nodes[*member as usize] as usize];
        let (factor, denominator) = if (&self.denominator % common).is_zero() {
            (UBig::ONE, &self.denominator / common)
        } else {
            (common.clone(), self.denominator.clone())
        };
        let factor = IBig::from(factor);
        (members.iter().map(|member| own(member) * &factor).collect(), denominator)
    }
}

/// A member of each node, by its index in the component.
pub(super) fn members_of_nodes(nodes: usize, node_of: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut members = vec![0; nodes];
    for (index, node) in node_of.enumerate() {
        members[node] = id(index);
    }
    members
}
