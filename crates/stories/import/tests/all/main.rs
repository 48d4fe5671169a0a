//! The importer on small files of our own, and on the published books where they are at hand.

mod ink_books;
mod later_series;
mod mechanics;
mod project_aon;
mod published;
mod stories;
mod story_truths;
mod two_encodings;
