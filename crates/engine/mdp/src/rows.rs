//! Games whose states form rows. **Unstable**: gamebooks are explored in this way, and it changes with them.
//!
//! States that differ in one small number only (a hero's remaining health) form a *row*. A game that defines rows
//! ([`RowGame`]) is explored row by row, in a fraction of the time and the memory; where play leads from smaller ranks
//! to larger ones, it can be explored in parts ([`explore_part`]).

pub use crate::explore::rows::{FirstPart, RowSet, RowSpace, explore, explore_by_rows, explore_part, explore_rows};
pub use crate::game::{Checkpoint, InRow, RecordedRow, RowGame, RowTarget, RowTurns};
