//! Books of others: the XML of [Project Aon](https://www.projectaon.org), which readers download themselves, and
//! stories in Twee and ink. How a book is solved, and how answers are printed, it must never know. Start reading at
//! `mechanics.rs`, a page as a section of our language, and at `story.rs` for stories.
//!
//! [`Prose`] is the text of a book as it is shown beside the choices; [`project_aon`] makes a book in our
//! language of it, as far as the text is plain. Both stand on the same reader, which fetches nothing,
//! expands no entities, and refuses what is hostile before it costs anything.

mod asked;
mod book;
mod characters;
mod draft;
mod fight;
mod formula;
mod head;
mod hunting;
mod ink;
mod line;
mod mechanics;
mod objects;
mod pieces;
mod prose;
mod readable;
mod sentence;
mod source;
mod story;
mod twee;
mod unreadable;
mod xml;

pub use book::{Extras, Imported, Summary, project_aon};
pub use ink::ink;
pub use prose::{Paragraph, Prose};
pub use story::ImportedStory;
pub use twee::twee;
pub use unreadable::Unreadable;
