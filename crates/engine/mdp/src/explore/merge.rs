//! Merges equal outcomes of a chance node and adds up their weights.

use std::hash::Hash;

use dashu_int::UBig;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::game::{Turn, Weights};
use crate::model::hash_of;
use crate::support::id;

/// The different states of a chance node and their weights; reused for all of them.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) hashes: Vec<u64>,
    pub(super) weights: Vec<u64>,
    pub(super) large: Vec<UBig>,
    pub(super) kept: Vec<u32>,
    pub(super) order: Vec<u32>,
}

impl Scratch {
    /// Finds the different states of a chance node (`kept`, in order of first appearance) and the weight of each
    /// (`weights`, or `large` where they do not fit 64 bits; neither for shared weights of states that are all
    /// different).
    pub(super) fn merge<S: Eq + Hash, A>(&mut self, states: &[S], weights: Weights, turn: &Turn<S, A>) {
        /// Up to this many states, comparing all pairs is faster than sorting.
        const FEW: usize = 24;
        self.hashes.clear();
        self.hashes.extend(states.iter().map(hash_of));
        self.kept.clear();
        self.weights.clear();
        self.large.clear();
        if states.len() > FEW {
            self.order.clear();
            self.order.extend(0..id(states.len()));
            let hashes = &self.hashes;
            self.order.sort_unstable_by_key(|index| (hashes[*index as usize], *index));
        }
        // The index in `kept` of an equal state that is already there.
        let known = |scratch: &Self, index: usize| {
            let hash = scratch.hashes[index];
            let same = |other: u32| scratch.hashes[other as usize] == hash && states[other as usize] == states[index];
            if states.len() > FEW {
                // The first of several equal states is the lowest of those with the same hash.
                let run = scratch.order.partition_point(|other| scratch.hashes[*other as usize] < hash);
                scratch.order[run..]
                    .iter()
                    .take_while(|other| scratch.hashes[**other as usize] == hash)
                    .find(|other| same(**other))
                    .filter(|other| (**other as usize) < index)
                    .and_then(|first| scratch.kept.binary_search(first).ok())
            } else {
                scratch.kept.iter().position(|other| same(*other))
            }
        };
        match weights {
            Weights::Certain => self.kept.push(0),
            Weights::Small(first) => {
                let small = &turn.weights[first..first + states.len()];
                // The most common kind of node.
                if let [a, b] = states
                    && a != b
                {
                    self.kept.extend([0, 1]);
                    self.weights.extend_from_slice(small);
                    return;
                }
                for (index, weight) in small.iter().enumerate() {
                    match known(self, index) {
                        Some(known) => match self.weights[known].checked_add(*weight) {
                            Some(sum) => self.weights[known] = sum,
                            None => return self.merge_large(states, small),
                        },
                        None => {
                            self.kept.push(id(index));
                            self.weights.push(*weight);
                        }
                    }
                }
            }
            Weights::Large(_) | Weights::Shared(_) => {
                let (large, shared) = match weights {
                    Weights::Shared(index) => (turn.shared[index].weights(), true),
                    Weights::Large(index) => (&turn.large[index][..], false),
                    Weights::Certain | Weights::Small(_) => (&[][..], false),
                };
                for (index, weight) in large.iter().enumerate() {
                    match known(self, index) {
                        Some(known) => {
                            // All states before this one are different.
                            let before = self.large.len()..self.kept.len();
                            self.large.extend(before.map(|index| large[index].clone()));
                            self.large[known] += weight;
                        }
                        None => {
                            self.kept.push(id(index));
                            if !shared || !self.large.is_empty() {
                                self.large.push(weight.clone());
                            }
                        }
                    }
                }
            }
        }
    }

    /// The rare case in which a sum of 64-bit weights needs more bits.
    #[cold]
    fn merge_large<S: Eq>(&mut self, states: &[S], weights: &[u64]) {
        let mut places: HashTable<u32> = HashTable::new();
        self.kept.clear();
        self.weights.clear();
        self.large.clear();
        let hashes = &self.hashes;
        for (index, state) in states.iter().enumerate() {
            let weight = UBig::from(weights[index]);
            let kept = &self.kept;
            let same = |known: &u32| states[kept[*known as usize] as usize] == *state;
            match places.entry(hashes[index], same, |known| hashes[kept[*known as usize] as usize]) {
                Entry::Occupied(known) => self.large[*known.get() as usize] += weight,
                Entry::Vacant(free) => {
                    free.insert(id(self.large.len()));
                    self.kept.push(id(index));
                    self.large.push(weight);
                }
            }
        }
    }
}
