//! Tables of solved cases: heroes of a book or of a fight, decks of cards. This crate knows nothing about what was
//! solved, or how. Start reading at `table.rs`, and at `sqlite.rs` for a table that grows in a file.
//!
//! The [`Cell`]s of a line identify a solved case, whose values lie within [`Bounds`]. [`write_csv`] and [`write_json`]
//! write tables; with the feature `sqlite`, [`TableFile`] stores one in a file as it grows, so that a run that was ended can
//! be resumed; [`read_csv`] and [`TableFile::look`] read them again. A [`Roster`] is a table of heroes with summaries.

mod about;
mod read;
mod roster;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(not(feature = "sqlite"))]
#[path = "no_sqlite.rs"]
mod sqlite;
mod table;
mod worth;
mod write;

pub use about::{About, TableFileError};
pub use read::{LONGEST_FILE, MOST_LINES, Table, TableError, read_csv};
pub use roster::{Roster, RosterNumber, RosterRow, every_roll};
pub use sqlite::TableFile;
pub use table::{Bounds, Cell, Known, Layout, LineValues, Solved};
pub use worth::{Gain, Grid, GridCell, GroupResult};
pub use write::{write_csv, write_json};
