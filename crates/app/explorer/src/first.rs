//! The first page: what the solver finds about a book, a fight and a hand of cards, before anybody has asked for it.
//!
//! `answers` finds it in the background, within the limits of the server, once for as long as the server runs; `map` draws
//! the book; `given` lists the files that the server was started with; `page` is the page.

mod answers;
mod given;
mod map;
mod page;

use crate::pages::{Asset, assets};

pub use answers::FirstAnswers;
pub use given::given;
pub use page::page;

/// The modules that only this page loads.
pub const MODULES: &[Asset] = assets!["first.js", "odds-colour.js"];
