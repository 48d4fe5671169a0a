//! Components that floating point leaves to fractions.

use crate::solution::{CollapsedScc, Ends};

/// A component whose bounds floating point could not prove.
#[derive(Clone, Copy)]
pub(crate) struct UnprovedScc<'a> {
    pub(crate) scc: &'a CollapsedScc,
    /// For every node whether staying there for ever is allowed.
    pub(crate) stays: &'a [bool],
    /// The bounds of the values of lower levels.
    pub(crate) ends: &'a Ends,
    /// For every node an option that is probably the best, if one is known.
    pub(crate) policy: Option<&'a [u32]>,
}
