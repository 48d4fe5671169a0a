//! Where the search is, and what is chosen there.

/// A before node with a health. Where health has no limit it is 0.
pub(crate) type Place = (u32, i16);

/// The choice of a decision: an edge, or a play left to chance, by its place in the graph's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Edge(usize),
    Chance(usize),
}
