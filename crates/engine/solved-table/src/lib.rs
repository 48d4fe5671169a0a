//! Tables of what was solved one by one: heroes of a book or of a fight, decks of cards. Who or what was solved, and
//! how, it must never know. Start reading at `table.rs`, which is a table, and at `kept.rs` for one that grows in a
//! file.
//!
//! A line of a table says by its [`Cell`]s what was solved, and what it is worth between [`Bounds`]. [`write_csv`] and
//! [`write_json`] write tables; with the feature `sqlite`, [`Kept`] keeps one in a file as it grows, so that a run that was
//! ended goes on where it was; [`read_csv`] and [`Kept::look`] read them again. A [`Roster`] is a table of heroes and what can be
//! said of all of them together.

mod about;
#[cfg(feature = "sqlite")]
mod kept;
#[cfg(not(feature = "sqlite"))]
#[path = "no_sqlite.rs"]
mod kept;
mod read;
mod roster;
mod table;
mod worth;
mod write;

pub use about::{About, KeptError};
pub use kept::Kept;
pub use read::{LONGEST_FILE, MOST_LINES, Table, TableError, read_csv};
pub use roster::{Roster, RosterNumber, RosterRow, every_roll};
pub use table::{Bounds, Cell, Found, Known, Layout, Solved};
pub use worth::{Gain, Grid, GridCell, GroupFares};
pub use write::{write_csv, write_json};
