//! Gamebooks: the books that are offered, a book solved for a hero, its sections, and advice where the reader stands.

mod advise;
mod best_play;
mod book;
mod choice;
mod find;
mod hero;
mod known_bounds;
mod names;
mod pages;
mod policy_fields;
mod registry;
mod section;
mod series;
mod site;
mod solve;
mod walk;
mod walk_answer;
mod walk_session;

pub use hero::own_hero;
pub use pages::book_page_template;
pub use registry::{Gamebooks, OfferedBook};
pub use site::SITE;
pub use solve::SolveQuestion;
