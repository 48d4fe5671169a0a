//! Chance nodes that are already in the stream.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use super::error::ExploreError;
use crate::model::{CHANCE, Code, KIND, LOW, REWARD, SHARED, StateId};
use crate::support::{id, to_index};

/// Finds chance nodes that are already in the stream.
///
/// A game without equal nodes does not pay for the search: it stops when it finds too little. When it stops depends on
/// nothing but the nodes seen so far.
#[derive(Debug, Default)]
pub(super) struct SharedNodes {
    /// Every node: its state, where it is in the state's run, and its number once shared.
    nodes: Vec<(StateId, u32, u32)>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
    /// Words that were saved because an equal node was found.
    saved: usize,
    given_up: bool,
}

const NOT_SHARED: u32 = u32::MAX;
/// The search is judged each time the number of nodes has doubled from here.
const TRIAL: usize = 1 << 16;
/// It goes on while it saves this many words for each node: storing a node takes about seven, and looking it up costs
/// more than writing a few words.
const WORTH: usize = 2;

impl SharedNodes {
    pub(super) fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<(StateId, u32, u32)>() + self.hashes.capacity() * 8;
        (nodes + self.known.allocation_size()) as u64
    }

    /// Appends a state's run, with a pointer in place of every chance node that is already in the stream.
    pub(super) fn append(&mut self, state: StateId, run: &[u32], code: &mut Code) -> Result<(), ExploreError> {
        if self.given_up {
            code.words.extend_from_slice(run);
            return Ok(());
        }
        let start = code.words.len();
        let mut rest = run;
        let mut rewarded = false;
        while let Some(&header) = rest.first() {
            let length = if header & KIND == CHANCE { 1 + code.weights.count(header) } else { 1 };
            let (node, after) = rest.split_at(length);
            rest = after;
            // A reward is stored directly before the chance node of its choice.
            if length <= 2 || std::mem::take(&mut rewarded) {
                rewarded = header & KIND == REWARD;
                code.words.extend_from_slice(node);
                continue;
            }
            let delta = u32::try_from(code.words.len() - start).map_err(|_| ExploreError::TooLarge)?;
            match self.number(state, delta, start, node, code) {
                None => code.words.extend_from_slice(node),
                Some(index) => {
                    let (owner, delta, shared) = &mut self.nodes[index as usize];
                    if *shared == NOT_SHARED {
                        *shared = id(code.shared.len());
                        if *shared > LOW {
                            return Err(ExploreError::TooLarge);
                        }
                        code.shared.push((*owner, *delta));
                    }
                    code.words.push(SHARED | *shared);
                }
            }
        }
        Ok(())
    }

    /// The index in `nodes` of an equal node, or `None` if it is the first of its kind.
    fn number(&mut self, state: StateId, delta: u32, start: usize, node: &[u32], code: &Code) -> Option<u32> {
        let run_of = |(owner, delta, _): (StateId, u32, u32)| {
            let begin = if owner == state { start } else { to_index(code.offsets[owner as usize]) };
            &code.words[begin + delta as usize..]
        };
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let hash = hasher.finish();
        if self.known.len() == self.known.capacity() {
            // Rebuilt in the order of the nodes: faster than moving the entries of the old table.
            self.known = HashTable::new();
            self.known = HashTable::with_capacity(2 * self.hashes.len().max(1 << 10));
            for (index, hash) in (0..).zip(&self.hashes) {
                self.known.insert_unique(*hash, index, |known| self.hashes[*known as usize]);
            }
        }
        let Self { nodes, hashes, known, .. } = self;
        let entry = known.entry(
            hash,
            |index| hashes[*index as usize] == hash && run_of(nodes[*index as usize]).starts_with(node),
            |index| hashes[*index as usize],
        );
        match entry {
            Entry::Occupied(known) => {
                self.saved += node.len() - 1;
                Some(*known.get())
            }
            Entry::Vacant(free) => {
                // When the numbers run out, further nodes are stored each time they occur.
                free.insert(u32::try_from(nodes.len()).ok()?);
                nodes.push((state, delta, NOT_SHARED));
                hashes.push(hash);
                if self.nodes.len() >= TRIAL && self.nodes.len().is_power_of_two() {
                    self.given_up = self.saved < self.nodes.len() * WORTH;
                    if self.given_up {
                        *self = Self { given_up: true, ..Self::default() };
                    }
                }
                None
            }
        }
    }
}
