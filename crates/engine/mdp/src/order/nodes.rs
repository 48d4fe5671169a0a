//! The nodes of the search for strongly connected components where states form rows: a row as a whole, unless it has
//! cycles. All states of such a row are on one level, and most rows are of this kind, so one node represents many
//! states.

use std::ops::Range;

use super::row_graph::RowGraph;
use crate::model::StateId;
use crate::support::id;

/// The nodes of rows, in the order of the rows: one for all states of a row, or one for each of its states.
pub(super) struct Nodes {
    /// The first state of each node, followed by the number of states.
    first: Vec<StateId>,
    /// The first node of each row, followed by the number of nodes.
    of_rows: Vec<u32>,
    /// For each row whether it has a cycle: then each of its states is a node.
    is_cyclic: Vec<bool>,
}

impl Nodes {
    /// The most bytes stored for a node.
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

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The first state of a node; for the node after the last, the number of states.
    #[inline]
    pub(super) fn first(&self, node: u32) -> StateId {
        self.first[node as usize]
    }

    /// The nodes of a row.
    #[inline]
    pub(super) fn of_row(&self, row: u32) -> Range<u32> {
        self.of_rows[row as usize]..self.of_rows[row as usize + 1]
    }

    /// Whether a row has a cycle.
    #[inline]
    pub(super) fn is_cyclic(&self, row: u32) -> bool {
        self.is_cyclic[row as usize]
    }

    /// Whether any row has a cycle.
    pub(super) fn any_cyclic(&self) -> bool {
        self.is_cyclic.contains(&true)
    }
}
