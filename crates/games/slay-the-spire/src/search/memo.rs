//! A cache of the best choices of the decisions of one turn, for one visit.
//!
//! Where cards are drawn within a turn, many paths lead to the same decision. So while one turn is visited with one
//! health, each of its decisions is evaluated once. A cached value may have fallen meanwhile, when an after node is
//! opened: it is an upper bound all the same, and a backup then visits the turn again.

use crate::graph::Span;
use crate::graph::choice::Choice;

type Best = (f64, Option<Choice>);

/// The results of a visit of a turn.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The decisions of the turn; empty if nothing is cached.
    points: std::ops::Range<usize>,
    /// The number of the visit.
    look: u64,
    /// For each decision the visit of its result, and the result.
    found: Vec<(u64, Best)>,
}

impl Memo {
    /// Begins a visit, of the turn with these decisions.
    pub(crate) fn begin(&mut self, points: Span) {
        self.points = points.range();
        self.look += 1;
        if self.found.len() < self.points.len() {
            self.found.resize(self.points.len(), (0, (0.0, None)));
        }
    }

    /// Ends caching.
    pub(crate) fn end(&mut self) {
        self.points = 0..0;
    }

    /// The result of this visit.
    pub(crate) fn get(&self, point: u32) -> Option<Best> {
        let point = point as usize;
        if !self.points.contains(&point) {
            return None;
        }
        let (look, best) = self.found[point - self.points.start];
        (look == self.look).then_some(best)
    }

    /// Stores a result.
    pub(crate) fn set(&mut self, point: u32, best: Best) {
        let point = point as usize;
        if self.points.contains(&point) {
            self.found[point - self.points.start] = (self.look, best);
        }
    }
}
