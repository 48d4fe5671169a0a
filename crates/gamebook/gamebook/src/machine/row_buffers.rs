//! The buffers and caches of a thread for rows.

use super::action::Move;
use super::lane_group::{LaneTargets, Stops};
use super::row_cache::RowCache;
use super::successor_cache::SuccessorCache;

/// The buffers and caches of a thread for rows.
#[derive(Default)]
pub(super) struct RowBuffers {
    pub cache: RowCache,
    pub followed: SuccessorCache,
    pub moves: Vec<Move>,
    pub others: Vec<Move>,
    /// The answers that are possible in some state of the row.
    pub possible: Vec<bool>,
    pub stops: Stops,
    pub stops_after_chance: Stops,
    /// The weights of outcomes and their targets.
    pub outcomes: Vec<(u64, Vec<LaneTargets>)>,
    pub cuts: Vec<u32>,
}

impl RowBuffers {
    pub(super) fn clear(&mut self) {
        self.cache.clear();
        self.followed.clear();
    }
}
