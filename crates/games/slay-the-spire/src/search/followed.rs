//! What follows on the choices that look best.

use crate::graph::choice::Place;

/// What follows a place, or some of its decisions, on the choices that look best.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The places that follow.
    pub next: Vec<Place>,
    /// The after nodes on the way with the health there, and what each seemed to be worth.
    pub after: Vec<(u32, i16, f64)>,
    /// An after node was opened: it may be worth less than it seemed.
    pub opened: bool,
}

impl Followed {
    pub(crate) fn clear(&mut self) {
        self.next.clear();
        self.after.clear();
        self.opened = false;
    }
}
