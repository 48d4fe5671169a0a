//! Stories in ink (`story.ink`, `story.ink.json`), which some verbs accept like books: a story is run as it is, and has knots
//! and choices instead of sections, no hero and no policies.

mod advise;
mod answer;
mod map;
mod problems;
mod story_file;

pub use advise::{advise, text as advice_text};
pub use answer::{report, solve, unsolved};
pub use map::map;
pub use problems::problems;
pub use story_file::Asked;
