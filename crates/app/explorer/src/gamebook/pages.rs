//! The pages of a book, of a walk through it, and of a series.

pub mod book;
mod help;
pub mod series;
pub mod walk;

pub use book::template as book_page_template;
