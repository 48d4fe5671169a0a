//! The question about a board.

/// The question about a board. The default asks for all plans, by the rules of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Forbid entering a room twice, as the report's program does; the rules of the game allow it.
    pub no_revisit: bool,
    /// Open no hatch that would let water flow.
    pub avoid_flooding: bool,
    /// Only plans of at most this many minutes.
    pub within: Option<u32>,
    /// Only plans that end in this room, an index into [`Board::rooms`](crate::Board::rooms).
    pub to: Option<usize>,
    /// Only plans that make all these rooms low: flood a burning one, drain one under high water.
    pub make_low: Vec<usize>,
    /// Only the cheapest of the plans. The search then stops as soon as it has it.
    pub cheapest: bool,
}
