//! Input: books by name or file, and heroes and questions from arguments.

pub mod book_file;
pub mod hero_args;
pub mod series_file;
pub mod state_folder;
