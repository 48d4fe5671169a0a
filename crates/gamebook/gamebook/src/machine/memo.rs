//! Chances that are remembered.

use crate::program::{Place, State};

/// A chance that is remembered, with the steps after it that touch no other registers: many states differ only in what
/// it has nothing to do with.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    /// The registers that it reads or writes.
    pub(super) touches: State,
    /// The steps that are remembered with it.
    pub following: Vec<Place>,
}
