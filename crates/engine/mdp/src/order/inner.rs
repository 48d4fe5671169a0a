//! The graph among the states of a few rows. Each state is a node (`nodes.rs`), whose number represents it here.
//! Successors that all states of a block share, and that are equally deep, are looked up only once.

use std::ops::Range;

use budget::{Budget, Stopped};

use super::row_graph::push_new;
use crate::model::{Block, Code, MOVES, StateId, target};
use crate::support::{id, look};
use graph::{Graph, UNKNOWN};

/// States as a graph, without the successors elsewhere that all states of a block share.
pub(super) struct Inner {
    /// For each node its block; zeros for nodes that are not searched.
    block_of: Vec<u32>,
    blocks: Vec<InnerBlock>,
    /// The words of targets, block by block.
    words: Vec<u32>,
}

/// Consecutive states of a block.
struct InnerBlock {
    /// The first state of the block.
    first: StateId,
    /// The states of the block that are searched.
    states: Range<StateId>,
    words: Range<usize>,
    /// One more than the highest level of the shared successors elsewhere.
    level: u32,
}

/// A cursor over the targets of a state.
pub(super) struct Cursor {
    words: Range<usize>,
    lane: u32,
}

impl Inner {
    /// An empty graph of this many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { block_of: vec![0; nodes], blocks: Vec::new(), words: Vec::new() }
    }

    /// Reads the states of some rows whose levels are not known; the levels of all their other successors are.
    pub(super) fn read(
        &mut self,
        code: &Code,
        levels: &[u32],
        rows: impl Iterator<Item = Range<StateId>>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        self.blocks.clear();
        self.words.clear();
        for Range { start: mut first, end } in rows {
            while first < end {
                look(budget, id(self.blocks.len()))?;
                let Block { first: begin, lanes, words } = code.block(first);
                let lanes = (begin + lanes).min(end) - first;
                self.block_of[first as usize..(first + lanes) as usize].fill(id(self.blocks.len()));
                let from = self.words.len();
                let mut level = 0;
                for word in code.choices_in(words).flat_map(|choice| choice.targets.words) {
                    let next = target(*word, first - begin) as usize;
                    let all = if word & MOVES == 0 { 1 } else { lanes as usize };
                    let own = &levels[next..next + all];
                    // Known levels are less than unknown ones, so these are all the same, and known.
                    if own[0] != UNKNOWN && own.iter().all(|other| *other == own[0]) {
                        level = level.max(own[0] + 1);
                    } else {
                        push_new(&mut self.words, from, *word);
                    }
                }
                let states = first..first + lanes;
                self.blocks.push(InnerBlock { first: begin, states, words: from..self.words.len(), level });
                first += lanes;
            }
        }
        Ok(())
    }

    fn block(&self, state: StateId) -> &InnerBlock {
        &self.blocks[self.block_of[state as usize] as usize]
    }

    /// The same graph with blocks in place of their states, if the states of a block lead to the corresponding states
    /// of the other blocks: then the first states represent all.
    pub(super) fn lockstep(&self) -> Option<Lockstep<'_>> {
        let lanes = self.blocks.first()?.states.len();
        if lanes == 1 {
            return None;
        }
        let in_lockstep = |block: &InnerBlock| {
            let leads_to_first = |word: &u32| {
                let next = target(*word, block.states.start - block.first);
                // The block of a state that is not searched is out of date.
                let own = self.blocks.get(self.block_of[next as usize] as usize);
                *word & MOVES != 0 && own.is_some_and(|own| own.states.start == next)
            };
            block.states.len() == lanes && self.words[block.words.clone()].iter().all(leads_to_first)
        };
        self.blocks.iter().all(in_lockstep).then_some(Lockstep(self))
    }
}

/// A graph of blocks whose states lead to each other in lockstep.
pub(super) struct Lockstep<'a>(&'a Inner);

impl Lockstep<'_> {
    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.0.blocks.len()
    }

    /// The states of a block.
    pub(super) fn states(&self, block: u32) -> Range<StateId> {
        self.0.blocks[block as usize].states.clone()
    }
}

impl Graph for Lockstep<'_> {
    type Cursor = Cursor;

    fn cursor(&self, block: u32) -> Cursor {
        let InnerBlock { first, states, words, .. } = &self.0.blocks[block as usize];
        Cursor { words: words.clone(), lane: states.start - first }
    }

    #[inline]
    fn next(&self, cursor: &mut Cursor) -> Option<u32> {
        cursor.words.next().map(|position| self.0.block_of[target(self.0.words[position], cursor.lane) as usize])
    }

    fn level(&self, block: u32) -> u32 {
        self.0.blocks[block as usize].level
    }
}

impl Graph for Inner {
    type Cursor = Cursor;

    fn cursor(&self, state: StateId) -> Cursor {
        let block = self.block(state);
        Cursor { words: block.words.clone(), lane: state - block.first }
    }

    #[inline]
    fn next(&self, cursor: &mut Cursor) -> Option<StateId> {
        cursor.words.next().map(|position| target(self.words[position], cursor.lane))
    }

    fn level(&self, state: StateId) -> u32 {
        self.block(state).level
    }
}
