//! Where the states of a few rows lead among themselves. Each of them is a node (`nodes.rs`), whose number stands for it here.
//! States of a block that lead elsewhere, to states that are equally deep, need that looked at only once.

use std::ops::Range;

use budget::{Budget, Stopped};

use super::row_graph::push_new;
use crate::model::{Block, Code, MOVES, StateId, target};
use crate::support::{id, look};
use graph::{Graph, UNKNOWN};

/// States as a graph, without what all of a block lead to elsewhere.
pub(super) struct Inner {
    /// For each node its block; zeros for those that are not looked at.
    block_of: Vec<u32>,
    blocks: Vec<InnerBlock>,
    /// The words of targets, block by block.
    words: Vec<u32>,
}

/// States of a block that follow each other.
struct InnerBlock {
    /// The first state of the block.
    first: StateId,
    /// Those that are looked at.
    states: Range<StateId>,
    words: Range<usize>,
    /// One more than the highest level of what all of them lead to elsewhere.
    level: u32,
}

/// How far the targets of a state have been looked at.
pub(super) struct Cursor {
    words: Range<usize>,
    lane: u32,
}

impl Inner {
    /// Nothing, of so many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { block_of: vec![0; nodes], blocks: Vec::new(), words: Vec::new() }
    }

    /// Looks at the states of some rows, whose levels are not known, while all others are to which they lead.
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
                    // Known levels are less: so these are all the same, and known.
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

    /// The same with blocks in place of their states, where each state leads to those of the others that stand where it stands
    /// in its own: so the first states lead to the first ones, and what is true of them is of all.
    pub(super) fn side_by_side(&self) -> Option<SideBySide<'_>> {
        let lanes = self.blocks.first()?.states.len();
        if lanes == 1 {
            return None;
        }
        let is_alike = |block: &InnerBlock| {
            let leads_to_first = |word: &u32| {
                let next = target(*word, block.states.start - block.first);
                // What is said of the block of a state that is not looked at is out of date.
                let own = self.blocks.get(self.block_of[next as usize] as usize);
                *word & MOVES != 0 && own.is_some_and(|own| own.states.start == next)
            };
            block.states.len() == lanes && self.words[block.words.clone()].iter().all(leads_to_first)
        };
        self.blocks.iter().all(is_alike).then_some(SideBySide(self))
    }
}

/// States in blocks that lead to each other side by side: a graph of blocks.
pub(super) struct SideBySide<'a>(&'a Inner);

impl SideBySide<'_> {
    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.0.blocks.len()
    }

    /// The states of a block.
    pub(super) fn states(&self, block: u32) -> Range<StateId> {
        self.0.blocks[block as usize].states.clone()
    }
}

impl Graph for SideBySide<'_> {
    type Cursor = Cursor;

    fn cursor(&self, block: u32) -> Cursor {
        let InnerBlock { first, states, words, .. } = &self.0.blocks[block as usize];
        Cursor { words: words.clone(), lane: states.start - first }
    }

    #[inline]
    fn next(&self, cursor: &mut Cursor) -> Option<u32> {
        cursor.words.next().map(|place| self.0.block_of[target(self.0.words[place], cursor.lane) as usize])
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
        cursor.words.next().map(|place| target(self.words[place], cursor.lane))
    }

    fn level(&self, state: StateId) -> u32 {
        self.block(state).level
    }
}
