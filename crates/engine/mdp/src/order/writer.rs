//! Writes the states of rows into a stream, block by block.

use budget::{Budget, Stopped};
use rayon::prelude::*;

use super::nodes::Nodes;
use super::row_graph::RowGraph;
use crate::model::{BlockWriter, MOVES, StateId};
use crate::order::emitted::{BlockStates, Numbered};
use crate::support::{FEW_STATES, id, look};

/// The emitted states, and their numbers in a stream.
pub(super) struct Stream<'a> {
    emitted: &'a Numbered<'a>,
    /// The numbering of each row's states: small enough to stay in the cache.
    rows: Vec<RowNumbers>,
    /// The number of each state, where its row does not determine it.
    numbers: &'a [StateId],
}

/// The numbers of the states of a row.
#[derive(Clone, Copy)]
enum RowNumbers {
    /// They are consecutive from this one on.
    Following(StateId),
    /// All have this one: they are one node.
    One(u32),
    /// Each has its own.
    Each,
}

impl<'a> Stream<'a> {
    /// A stream of nodes, by their own numbers.
    pub(super) fn of_nodes(emitted: &'a Numbered<'a>, rows: &RowGraph, nodes: &Nodes) -> Self {
        let own = |row: &u32| {
            let first = nodes.of_row(*row).start;
            if nodes.is_cyclic(*row) { RowNumbers::Following(first) } else { RowNumbers::One(first) }
        };
        Self { emitted, rows: rows.positions().iter().map(own).collect(), numbers: &[] }
    }

    /// A stream of states with these numbers.
    pub(super) fn renumbered(emitted: &'a Numbered<'a>, numbers: &'a [StateId]) -> Self {
        let own = |row: u32| {
            let states = emitted.states(row);
            let own = numbers.get(states.start as usize..states.end as usize).unwrap_or(&[]);
            let follow = own.windows(2).all(|two| two[1] == two[0].wrapping_add(1));
            own.first().filter(|_| follow).map_or(RowNumbers::Each, |first| RowNumbers::Following(*first))
        };
        let rows = (0..id(emitted.rows())).into_par_iter().with_min_len(FEW_STATES / 16).map(own).collect();
        Self { emitted, rows, numbers }
    }

    /// The number of the target of a word, and the numbering of its row.
    #[inline]
    fn number(&self, from: &BlockStates<'_>, word: u32, lane: u32) -> (u32, RowNumbers) {
        let position = self.emitted.target(from, word, lane);
        let own = self.rows[position.row as usize];
        let number = match own {
            RowNumbers::One(number) => number,
            RowNumbers::Following(first) => first + self.emitted.before(position),
            RowNumbers::Each => {
                self.numbers[(self.emitted.states(position.row).start + self.emitted.before(position)) as usize]
            }
        };
        (number, own)
    }

    /// Writes states that are consecutive in the stream: `state` gives each by its number in `emitted`. `steps` counts
    /// the checks of the budget.
    pub(super) fn write(
        &self,
        states: u32,
        state: impl Fn(u32) -> StateId,
        steps: &mut u32,
        writer: &mut BlockWriter<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let mut next = 0;
        while next < states {
            // Also at the beginning of each piece.
            look(budget, *steps)?;
            *steps = steps.wrapping_add(1);
            let own = self.emitted.block_states(states - next, |lane| state(next + lane));
            let number = |word: u32, lane: u32| self.number(&own, word, lane).0;
            let moving = |word: u32| {
                let (first, rows) = self.number(&own, word, 0);
                let follow = match rows {
                    RowNumbers::One(_) => return Some((first, 0)),
                    // Consecutive states lead to consecutive states. Otherwise: as many as these, from first to last.
                    RowNumbers::Following(_) => {
                        own.side_by_side || number(word, own.lanes - 1) - first == own.lanes - 1
                    }
                    RowNumbers::Each => (1..own.lanes).all(|lane| number(word, lane) == first + lane),
                };
                follow.then_some((first, MOVES))
            };
            writer.write(own.words, own.lanes, number, moving);
            next += own.lanes;
        }
        Ok(())
    }
}
