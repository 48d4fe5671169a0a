//! Places in a book's file.

use std::ops::Range;

use gamebook::{Book, SectionNumber};
use serde::Serialize;

use crate::gamebook::input::book_file::{BookText, section_json};

/// The lines of a file.
pub struct Lines {
    name: String,
    lines: gamebook::Lines,
}

impl Lines {
    /// The lines of a book's text.
    pub fn new(written: &BookText) -> Self {
        Self { name: written.name.clone(), lines: gamebook::Lines::new(&written.text) }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line of a span, from 1.
    pub fn line(&self, span: &Range<usize>) -> usize {
        self.lines.line(span.start)
    }

    /// The line of a section.
    pub fn of_section(&self, book: &Book, section: SectionNumber) -> Option<usize> {
        book.sections.get(&section).map(|own| self.line(&own.span))
    }
}

/// A section with its line.
#[derive(Serialize)]
pub struct SectionPlace {
    pub section: serde_json::Value,
    pub line: Option<usize>,
}

impl SectionPlace {
    /// A section of a book.
    pub fn new(book: &Book, lines: &Lines, section: SectionNumber) -> Self {
        Self { section: section_json(book, section), line: lines.of_section(book, section) }
    }
}
