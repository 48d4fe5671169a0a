//! What a thread needs to tell rows.

use super::action::Move;
use super::lane_group::{Led, Stops};
use super::row_cache::RowSettling;
use super::successor_cache::Followed;

/// What a thread needs to tell rows.
#[derive(Default)]
pub(super) struct RowBuffers {
    pub advancing: RowSettling,
    pub followed: Followed,
    pub moves: Vec<Move>,
    pub others: Vec<Move>,
    /// Which answers of a question can be given in states of the row.
    pub possible: Vec<bool>,
    pub stops: Stops,
    pub stops_after_chance: Stops,
    /// What comes up, and where it leads.
    pub outcomes: Vec<(u64, Vec<Led>)>,
    pub cuts: Vec<u32>,
}

impl RowBuffers {
    pub(super) fn clear(&mut self) {
        self.advancing.clear();
        self.followed.clear();
    }
}
