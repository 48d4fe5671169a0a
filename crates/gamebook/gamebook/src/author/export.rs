//! Books for others: a page that plays one, and Twee 3.

mod page;
mod script;
mod twee;

pub use twee::Twee;
