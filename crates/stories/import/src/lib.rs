//! Imports books of others: the XML of [Project Aon](https://www.projectaon.org), which readers download themselves, and
//! stories in Twee and ink. It does not know how a book is solved or how answers are printed. Start reading at
//! `mechanics.rs`, which turns a page into a section of the book language, and at `story.rs` for stories.
//!
//! [`Prose`] is the text of a book, shown beside the choices; [`project_aon`] turns that text into a book in the book
//! language, as far as the text is plain. Both use the same XML reader, which fetches nothing, expands no entities, and
//! refuses hostile files early.
//!
//! Project Aon: `xml.rs` alone reads XML. `prose.rs` (the text beside the choices) and `source.rs` (the parts of each section)
//! use it. `sentence.rs` recognizes the sentences that are plain enough to be understood alone, and
//! guesses nothing; `draft.rs` makes a section of them, with a `todo` for everything else; `mechanics.rs` makes one from rules
//! written for another program, and `hunting.rs` follows all paths through the book to find where a rule of theirs holds.
//! `target.rs` has the words in which the rules of the series differ, and `fight.rs` the fights in both languages.
//! `book.rs` makes the whole book, `line.rs` writes it. Twee: `twee.rs` (Harlowe and `SugarCube`) only produces passages of
//! steps (set, if, link, goto); `story.rs` has their expressions, the bounds of variables, and the section that a passage
//! becomes. `ink.rs` makes a section of every situation of a running story.

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
mod target;
mod trade;
mod twee;
mod unreadable;
mod xml;

pub use self::ink::ink;
pub use book::{Extras, Imported, Summary, project_aon};
pub use line::quoted;
pub use prose::{Paragraph, Prose};
pub use story::ImportedStory;
pub use twee::twee;
pub use unreadable::Unreadable;
