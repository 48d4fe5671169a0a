//! The gamebooks and series that are offered, and the answers about them that are kept.

mod book;
mod cached_answer;
mod index;
mod waist;

use std::time::Duration;

use gamebook::{Machine, Solved};

use crate::question::{Ceilings, Problem, Shelf, make_distinct};
pub use book::{OfferedBook, Origin};
pub use cached_answer::CachedAnswer;

/// The gamebooks, and the shelves of what is known of them.
pub struct Gamebooks {
    pub books: Vec<OfferedBook>,
    /// The series.
    pub series: Vec<OfferedBook>,
    pub shelf: Shelf<CachedAnswer>,
    /// Books that are solved, and books that are only ready to be played, for those who walk through them.
    pub solved: Shelf<Solved>,
    pub ready: Shelf<Machine>,
}

impl Gamebooks {
    /// Books and series of the same name get numbers, so that each can be named; without any book the built-in ones are
    /// offered.
    pub fn new(mut books: Vec<OfferedBook>, ceilings: &Ceilings) -> Self {
        make_distinct(books.iter_mut().map(|book| &mut book.name));
        let (series, mut books): (Vec<_>, Vec<_>) = books.into_iter().partition(|book| book.series.is_some());
        if books.is_empty() {
            books.extend(OfferedBook::built_in());
        }
        Self {
            books,
            series,
            shelf: Shelf::new(ceilings.shelf),
            solved: Shelf::new(ceilings.solved),
            ready: Shelf::new(ceilings.shelf),
        }
    }

    /// Gives back what is kept and nobody has asked for so long.
    pub fn expire(&self, idle: Duration) {
        self.shelf.expire(idle);
        self.solved.expire(idle);
        self.ready.expire(idle);
    }

    /// The book of this name; the first for the empty name.
    pub fn book(&self, name: &str) -> Result<&OfferedBook, Problem> {
        let found = self.books.iter().find(|book| name.is_empty() || book.name == name);
        found.ok_or_else(|| {
            if let Some(series) = self.series.iter().find(|series| series.name == name) {
                let message = format_args!("{name:?} is a series of books");
                return Problem::impossible(message, format_args!("its page is {}", series.address()));
            }
            let names: Vec<&str> = self.books.iter().map(|book| book.name.as_str()).collect();
            Problem::impossible(
                format_args!("there is no book {name:?} here"),
                format_args!("there are {}; further ones are named to bestplay serve", names.join(", ")),
            )
        })
    }

    /// The book or the series of this name; the first book for the empty name.
    pub fn walked(&self, name: &str) -> Result<&OfferedBook, Problem> {
        let series = self.series.iter().find(|series| series.name == name);
        series.map_or_else(|| self.book(name), Ok)
    }

    /// The single book of this title.
    pub fn alone(&self, title: &str) -> Option<&OfferedBook> {
        self.books.iter().find(|book| book.book.title == title)
    }

    /// The series of this name; the first for the empty name.
    pub fn series(&self, name: &str) -> Result<&OfferedBook, Problem> {
        let found = self.series.iter().find(|series| name.is_empty() || series.name == name);
        found.ok_or_else(|| match self.series.first() {
            None => Problem::impossible(
                "no series of books was given to this server",
                "name its file to bestplay serve: bestplay serve my-series.kdl",
            ),
            Some(_) => {
                let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
                let message = format_args!("there is no series {name:?} here");
                Problem::impossible(message, format_args!("there are {}", names.join(", ")))
            }
        })
    }
}

#[cfg(test)]
mod tests;
