//! How states of rows are written into a stream, block by block.

use budget::{Budget, Stopped};
use rayon::prelude::*;

use super::nodes::Nodes;
use super::row_graph::RowGraph;
use crate::model::{BlockWriter, MOVES, StateId};
use crate::order::emitted::{Numbered, Together};
use crate::support::{FEW_STATES, id, look};

/// States that were told, and their numbers in a stream.
pub(super) struct Stream<'a> {
    told: &'a Numbered<'a>,
    /// How the states of each row are numbered: little, which stays at hand.
    rows: Vec<RowNumbers>,
    /// The number of each state, where rows do not say it.
    numbers: &'a [StateId],
}

/// The numbers of the states of a row.
#[derive(Clone, Copy)]
enum RowNumbers {
    /// They follow each other from this one on.
    Following(StateId),
    /// All have this one: they are one node.
    One(u32),
    /// Each has its own.
    Each,
}

impl<'a> Stream<'a> {
    /// Nodes have the numbers that they have.
    pub(super) fn of_nodes(told: &'a Numbered<'a>, rows: &RowGraph, nodes: &Nodes) -> Self {
        let own = |row: &u32| {
            let first = nodes.of_row(*row).start;
            if nodes.is_cyclic(*row) { RowNumbers::Following(first) } else { RowNumbers::One(first) }
        };
        Self { told, rows: rows.places().iter().map(own).collect(), numbers: &[] }
    }

    /// States have these numbers.
    pub(super) fn renumbered(told: &'a Numbered<'a>, numbers: &'a [StateId]) -> Self {
        let own = |row: u32| {
            let states = told.states(row);
            let own = numbers.get(states.start as usize..states.end as usize).unwrap_or(&[]);
            let follow = own.windows(2).all(|two| two[1] == two[0].wrapping_add(1));
            own.first().filter(|_| follow).map_or(RowNumbers::Each, |first| RowNumbers::Following(*first))
        };
        let rows = (0..id(told.rows())).into_par_iter().with_min_len(FEW_STATES / 16).map(own).collect();
        Self { told, rows, numbers }
    }

    /// The number of the state to which a word leads, and how those of its row are numbered.
    #[inline]
    fn number(&self, from: &Together<'_>, word: u32, lane: u32) -> (u32, RowNumbers) {
        let place = self.told.target(from, word, lane);
        let own = self.rows[place.row as usize];
        let number = match own {
            RowNumbers::One(number) => number,
            RowNumbers::Following(first) => first + self.told.before(place),
            RowNumbers::Each => self.numbers[(self.told.states(place.row).start + self.told.before(place)) as usize],
        };
        (number, own)
    }

    /// Writes so many states, which follow each other in the stream: `state` says which by the numbers with which they were
    /// told. `steps` counts how often the budget was asked.
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
            // At the beginning of each piece, too.
            look(budget, *steps)?;
            *steps = steps.wrapping_add(1);
            let own = self.told.together(states - next, |lane| state(next + lane));
            let number = |word: u32, lane: u32| self.number(&own, word, lane).0;
            let moving = |word: u32| {
                let (first, rows) = self.number(&own, word, 0);
                let follow = match rows {
                    RowNumbers::One(_) => return Some((first, 0)),
                    // What states that lie side by side lead to does so, too. Otherwise: as many as these from first to last.
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
