//! What floating point leaves to fractions.

use crate::solution::{Ends, Part};

/// A cyclic part whose bounds floating point could not prove.
#[derive(Clone, Copy)]
pub(crate) struct UnprovedPart<'a> {
    pub(crate) part: &'a Part,
    /// For every node whether going round for ever is a way to play there.
    pub(crate) stays: &'a [bool],
    /// The bounds of what lies behind.
    pub(crate) ends: &'a Ends,
    /// For every node an option that is probably the best, if one is known.
    pub(crate) policy: Option<&'a [u32]>,
}
