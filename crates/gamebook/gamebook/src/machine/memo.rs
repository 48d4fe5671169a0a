//! Cached chances.

use crate::program::{Label, State};

/// A cached chance with the steps after it that use the same registers: many states differ only in registers that it does not
/// use.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    /// The registers that they read or write.
    pub(super) touches: State,
    /// The steps that are cached with it.
    pub following: Vec<Label>,
}
