//! The first page: a solved book, fight and hand of cards, shown without a question.
//!
//! `answers` computes them in the background, within the limits of the server, once for as long as the server runs;
//! `solved_book` has the stored answer about the usual book; `map` draws the book; `given` lists the files that the server was
//! started with; `page` is the page.

mod answers;
mod given;
mod map;
mod page;
mod solved_book;

use crate::pages::{Asset, assets};

pub use answers::FirstAnswers;
pub use given::given;
pub use page::page;

/// The modules that only this page loads.
pub const MODULES: &[Asset] = assets!["first.js", "odds-colour.js"];
