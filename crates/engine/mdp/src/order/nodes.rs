//! What is searched for strongly connected components where states have rows: a row as a whole, unless play can go round there.
//! All states of such a row are on one level, and most rows are so: what is known of a node is known of many states.

use std::ops::Range;

use super::row_graph::RowGraph;
use crate::model::StateId;
use crate::support::id;

/// The nodes of rows, which follow each other as the rows do: one for all states of a row, or one for each of its states.
pub(super) struct Nodes {
    /// The first state of each node; at last, how many states there are.
    first: Vec<StateId>,
    /// The first node of each row; at last, how many nodes there are.
    of_rows: Vec<u32>,
    /// Of each row whether play can go round in it: whether each state is a node.
    is_cyclic: Vec<bool>,
}

impl Nodes {
    /// Bytes that are kept of a node, at most.
    pub(super) const BYTES: u64 = 4;

    pub(super) fn new(rows: &RowGraph, is_cyclic: Vec<bool>) -> Self {
        let mut first = Vec::new();
        let mut of_rows = Vec::with_capacity(rows.len() + 1);
        for (row, is_cyclic) in (0..).zip(&is_cyclic) {
            of_rows.push(id(first.len()));
            let states = rows.states(row);
            if *is_cyclic { first.extend(states) } else { first.push(states.start) }
        }
        of_rows.push(id(first.len()));
        first.push(rows.count());
        Self { first, of_rows, is_cyclic }
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The first state of a node; how many states there are, of the one after the last.
    #[inline]
    pub(super) fn first(&self, node: u32) -> StateId {
        self.first[node as usize]
    }

    /// The nodes of a row.
    #[inline]
    pub(super) fn of_row(&self, row: u32) -> Range<u32> {
        self.of_rows[row as usize]..self.of_rows[row as usize + 1]
    }

    /// Whether play can go round in a row.
    #[inline]
    pub(super) fn is_cyclic(&self, row: u32) -> bool {
        self.is_cyclic[row as usize]
    }

    /// Whether there is any such row.
    pub(super) fn any_cyclic(&self) -> bool {
        self.is_cyclic.contains(&true)
    }
}
