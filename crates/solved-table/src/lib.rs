//! Tables of what was solved one by one: heroes of a book or of a fight, decks of cards.
//!
//! A line of a table says by its [`Cell`]s what was solved, and what it is worth between [`Bounds`]. [`write_csv`] and
//! [`write_json`] write tables; with the feature `sqlite`, `Kept` keeps one in a file as it grows, so that a run that was
//! ended goes on where it was.

#[cfg(feature = "sqlite")]
mod kept;
mod table;
mod write;

#[cfg(feature = "sqlite")]
pub use kept::{About, Kept, KeptError};
pub use table::{Bounds, Cell, Found, Known, Layout, Solved};
pub use write::{write_csv, write_json};
