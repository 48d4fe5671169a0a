//! Exports: a page that plays a book, and Twee 3.
//!
//! `script.rs` writes a program as JSON, `interpreter.js` executes it and knows no game, and `page.rs` puts both into one file.
//! `twee.rs` writes the book itself, before it is compiled, as a story.

mod page;
mod script;
mod twee;

pub use twee::Twee;
