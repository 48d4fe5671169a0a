//! The labels that an analysis against the direction of play visits, until nothing changes any more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Budget, Stage, Stopped};

use super::reachability::postorder;
use crate::program::{Edges, Label, Program};

/// The labels that are still to be visited, successors first: what holds in a loop is known before what leads into it is visited.
pub(super) struct Worklist {
    order: Vec<Label>,
    /// The index of every label in the order.
    ranks: Vec<usize>,
    /// Whether a label is to be visited.
    is_open: Vec<bool>,
    /// The ranks of these labels.
    open: BinaryHeap<Reverse<usize>>,
}

impl Worklist {
    /// All labels of a program.
    pub(super) fn new(program: &Program, successors: &Edges) -> Self {
        let order = postorder(program, successors);
        let mut ranks = vec![0; order.len()];
        for (rank, place) in order.iter().enumerate() {
            ranks[*place as usize] = rank;
        }
        let (is_open, open) = (vec![true; order.len()], (0..order.len()).map(Reverse).collect());
        Self { order, ranks, is_open, open }
    }

    /// The next label to be visited; `None` once nothing changes any more.
    pub(super) fn next(&mut self, budget: &Budget<'_>) -> Result<Option<Label>, Stopped> {
        let Some(Reverse(rank)) = self.open.pop() else { return Ok(None) };
        let place = self.order[rank];
        self.is_open[place as usize] = false;
        budget.step(Stage::Compiling, (self.order.len() - self.open.len()) as u64, self.open.len() as u64)?;
        Ok(Some(place))
    }

    /// Labels that must be visited again.
    pub(super) fn revisit(&mut self, places: &[Label]) {
        for place in places {
            if !std::mem::replace(&mut self.is_open[*place as usize], true) {
                self.open.push(Reverse(self.ranks[*place as usize]));
            }
        }
    }
}
