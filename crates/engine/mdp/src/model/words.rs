//! The words of a stream: see `stream.rs`.

/// A state's number.
pub type StateId = u32;

pub(crate) const KIND: u32 = 3 << 30;
pub(crate) const CHANCE: u32 = 0;
pub(crate) const REWARD: u32 = 1 << 30;
pub(crate) const SHARED: u32 = 2 << 30;
pub(crate) const FINAL: u32 = 3 << 30;
pub(crate) const LOW: u32 = !KIND;
/// The most states: the highest bit of a target is taken.
pub(crate) const MOST_STATES: u32 = MOVES - 2;
/// In place of a header: a block begins.
pub(crate) const BLOCK: u32 = 1 << 29;
/// Words before those of a block's choices.
pub(crate) const BLOCK_HEADER: usize = 3;
/// In a target of a block: the target moves along with the lanes.
pub(crate) const MOVES: u32 = 1 << 31;

/// The target of a word for a lane of a block.
#[inline]
pub(crate) fn target(word: u32, lane: u32) -> StateId {
    if word & MOVES == 0 { word } else { (word & !MOVES) + lane }
}
