//! A table of heroes: its rows, and how it is written.

use std::io::{self, Write};

use gamebook::{Book, HeroChoice, Question};
use serde_json::json;
use solved_table::{Cell, Found, Layout, write_csv, write_json};

use crate::gamebook::book_file::section_json;

/// A hero.
#[derive(Debug)]
pub struct Row {
    /// What he is, column by column.
    pub cells: Vec<Cell>,
    pub found: Found,
    /// Which group he is of, and which of its rolls is his.
    pub group: usize,
    pub roll: usize,
}

/// Heroes, and how they fare.
pub struct Table<'a> {
    pub book: &'a Book,
    pub question: &'a Question,
    pub choice: &'a HeroChoice,
    /// What heroes are told by.
    pub layout: &'a Layout,
    /// In the order of [`HeroChoice::groups`].
    pub rows: Vec<Row>,
}

impl Table<'_> {
    fn lines(&self) -> impl Iterator<Item = (&[Cell], &Found)> {
        self.rows.iter().map(|row| (&row.cells[..], &row.found))
    }

    /// As CSV.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        write_csv(self.layout, self.lines(), out)
    }

    /// As JSON, a row a line.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let goals: Vec<_> = self.question.goals.iter().map(|goal| section_json(self.book, *goal)).collect();
        let head = serde_json::Map::from_iter([
            ("format".into(), json!(1)),
            ("book".into(), json!(self.book.title)),
            ("start".into(), json!(section_json(self.book, self.question.start))),
            ("goals".into(), json!(goals)),
        ]);
        write_json(head, self.layout, self.lines(), out)
    }
}
