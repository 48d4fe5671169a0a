//! Games whose states stand in rows. **Unstable**: this is how the gamebooks are explored, and changes with them.
//!
//! States that are alike but for one small number (what is left of a hero's health) are a *row*. A game that says which
//! ([`RowGame`]) is explored row by row, in a fraction of the time and the memory; where play leads from smaller ranks to
//! larger ones, it can be explored part by part ([`explore_part`]).

pub use crate::explore::rows::{FirstPart, RowSet, RowSpace, explore, explore_by_rows, explore_part, explore_rows};
pub use crate::game::{InRow, Mark, Next, RowGame, RowTurns, Said};
