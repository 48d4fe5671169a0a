//! The successors on the choices that look best.

use crate::graph::choice::SearchState;

/// The successors of a state, or of some of its decisions, on the choices that look best.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The next states.
    pub next: Vec<SearchState>,
    /// The after nodes on the way with their health and the value that each seemed to have.
    pub after: Vec<(u32, i16, f64)>,
    /// Whether an after node was opened: its value may be lower than it seemed.
    pub opened: bool,
}

impl Followed {
    pub(crate) fn clear(&mut self) {
        self.next.clear();
        self.after.clear();
        self.opened = false;
    }
}
