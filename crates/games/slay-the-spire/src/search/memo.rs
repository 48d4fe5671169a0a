//! The best choices of the decisions of one turn, while it is looked at.
//!
//! Where cards are drawn within a turn, many ways lead to the same decision, and what follows a decision is looked at
//! before it and with it. So as long as one turn is looked at with one health, each of its decisions is looked at once.
//! What is kept may be worth less meanwhile, when an after node is opened: it is an upper bound all the same, and a backup
//! then looks at the turn again.

use crate::graph::Span;
use crate::graph::choice::Choice;

type Best = (f64, Option<Choice>);

/// What was found in a look at a turn.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The decisions of the turn; none where nothing is kept.
    points: std::ops::Range<usize>,
    /// The number of the look.
    look: u64,
    /// For each decision the look in which it was found, and what was.
    found: Vec<(u64, Best)>,
}

impl Memo {
    /// A new look begins, at the turn with these decisions.
    pub(crate) fn begin(&mut self, points: Span) {
        self.points = points.range();
        self.look += 1;
        if self.found.len() < self.points.len() {
            self.found.resize(self.points.len(), (0, (0.0, None)));
        }
    }

    /// Nothing is kept any more.
    pub(crate) fn end(&mut self) {
        self.points = 0..0;
    }

    /// What was found in this look.
    pub(crate) fn get(&self, point: u32) -> Option<Best> {
        let point = point as usize;
        if !self.points.contains(&point) {
            return None;
        }
        let (look, best) = self.found[point - self.points.start];
        (look == self.look).then_some(best)
    }

    /// Keeps what was found.
    pub(crate) fn set(&mut self, point: u32, best: Best) {
        let point = point as usize;
        if self.points.contains(&point) {
            self.found[point - self.points.start] = (self.look, best);
        }
    }
}
