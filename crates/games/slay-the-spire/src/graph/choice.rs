//! The states of the search, and their choices.

/// A before node with a health. Where health has no limit it is 0.
pub(crate) type SearchState = (u32, i16);

/// The choice of a decision: an edge, or a play with random outcomes, by its index in the graph's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Edge(usize),
    Chance(usize),
}
