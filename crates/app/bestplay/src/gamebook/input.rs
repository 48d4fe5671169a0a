//! What is asked: books by name or file, and the hero and his way in arguments.

pub mod book_file;
pub mod hero_args;
pub mod series_file;
pub mod state_folder;
