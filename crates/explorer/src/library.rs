//! The gamebooks that are offered, and the answers about them that are kept.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gamebook::{BUILT_IN, Book, Layout, Machine, Outline, Problems, SectionNumber, Solved, layout, read};
use import::{Paragraph, Prose};
use serde_json::value::RawValue;

use crate::gamebook::Index;
use crate::jobs::Ceilings;
use crate::problem::Problem;
use crate::shelf::Shelf;

/// A gamebook on its page.
#[derive(Clone, Debug)]
pub struct OfferedBook {
    /// How addresses and questions call it.
    pub name: String,
    /// The book.
    pub book: Arc<Book>,
    /// Its text, if the reader has it.
    pub prose: Option<Arc<Prose>>,
    /// Where its sections are drawn.
    pub(crate) layout: Arc<Layout>,
    pub(crate) outlines: Arc<BTreeMap<SectionNumber, Outline>>,
    /// What can be looked for in it, once somebody has.
    index: Arc<OnceLock<Index>>,
}

impl OfferedBook {
    /// A book file's text.
    ///
    /// # Errors
    /// When it is no book that can be played.
    ///
    /// ```
    /// let text = r#"book "Doors" format=1 rules="lone-wolf"; start 1; goal 2
    /// hero { combat-skill 15; endurance 25; }
    /// section 1 { goto 2; }
    /// section 2 { victory; }"#;
    /// assert_eq!(explorer::OfferedBook::new("doors.kdl", text)?.name, "doors");
    /// # Ok::<(), gamebook::Problems>(())
    /// ```
    pub fn new(name: &str, text: &str) -> Result<Self, Problems> {
        Ok(Self::of(name, read(text)?.0))
    }

    /// A book that was read, from a file of this name.
    pub fn of(name: &str, book: Book) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".kdl").unwrap_or(name).to_owned();
        let layout = Arc::new(layout(&book, book.start));
        let outlines = book.sections.keys().map(|number| (*number, book.outline(*number)));
        let outlines = Arc::new(outlines.collect());
        Self { name, book: Arc::new(book), prose: None, layout, outlines, index: Arc::default() }
    }

    /// What the reader reads in a section: by the text that he gave, or else by the book's own.
    pub(crate) fn paragraphs(&self, section: SectionNumber) -> Option<Vec<Paragraph>> {
        match &self.prose {
            Some(prose) => prose.section(section).map(<[Paragraph]>::to_vec),
            None => {
                let text =
                    self.book.sections.get(&section).map(|own| own.text.as_str()).filter(|own| !own.is_empty())?;
                Some(text.split("\n\n").map(|own| Paragraph { text: own.into(), to: None }).collect())
            }
        }
    }

    /// What can be looked for in it.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.book))
    }

    /// Whether there is anything to read.
    pub(crate) fn has_text(&self) -> bool {
        self.prose.is_some() || self.book.sections.values().any(|own| !own.text.is_empty())
    }

    /// The address of its page, from `/`.
    pub fn address(&self) -> String {
        let query: String = form_urlencoded::byte_serialize(self.name.as_bytes()).collect();
        format!("/gamebook?book={query}")
    }

    /// The built-in books, Fire on the Water first.
    ///
    /// # Panics
    /// When a book in this program cannot be read; a test sees that all can.
    pub fn built_in() -> impl Iterator<Item = Self> {
        BUILT_IN.iter().map(|(name, text)| Self::new(name, text).expect("the built-in books can be read"))
    }
}

/// What is kept of a solved book: the whole answer, and that of each section.
#[derive(Debug)]
pub struct Told {
    pub whole: Box<RawValue>,
    pub sections: BTreeMap<SectionNumber, Box<RawValue>>,
}

impl Told {
    pub fn bytes(&self) -> usize {
        let sections: usize = self.sections.values().map(|section| section.get().len() + 64).sum();
        self.whole.get().len() + sections
    }
}

/// The books and the shelves.
#[derive(Debug)]
pub struct Library {
    pub books: Vec<OfferedBook>,
    pub shelf: Shelf<Told>,
    /// Books that are solved, and books that are only ready to be played, for those who walk through them.
    pub solved: Shelf<Solved>,
    pub ready: Shelf<Machine>,
}

impl Library {
    /// Books of the same name get numbers, so that each can be named.
    pub fn new(offered: Vec<OfferedBook>, ceilings: &Ceilings) -> Self {
        let mut books: Vec<OfferedBook> = Vec::new();
        for mut book in offered {
            let taken = |name: &str| books.iter().any(|other| other.name == name);
            // Of so many names one is free.
            let numbered = (2..=books.len() + 2).map(|number| format!("{}-{number}", book.name));
            if taken(&book.name) {
                book.name = numbered.into_iter().find(|name| !taken(name)).unwrap_or_default();
            }
            books.push(book);
        }
        if books.is_empty() {
            books.extend(OfferedBook::built_in());
        }
        Self {
            books,
            shelf: Shelf::new(ceilings.shelf),
            solved: Shelf::new(ceilings.solved),
            ready: Shelf::new(ceilings.shelf),
        }
    }

    /// The book of this name; the first for the empty name.
    pub fn book(&self, name: &str) -> Result<&OfferedBook, Problem> {
        let found = self.books.iter().find(|book| name.is_empty() || book.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.books.iter().map(|book| book.name.as_str()).collect();
            Problem::impossible(
                format_args!("there is no book {name:?} here"),
                format_args!("there are {}; further ones are named to bestplay serve", names.join(", ")),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let library =
            Library::new(OfferedBook::built_in().chain(OfferedBook::built_in()).collect(), &Ceilings::default());
        assert_eq!(library.book("").unwrap().name, "fire-on-the-water");
        assert!(library.book("crypt-of-the-sorcerer").unwrap().book.system.is_some());
        assert_eq!(library.book("fire-on-the-water-2").unwrap().name, "fire-on-the-water-2");
        assert!(library.book("../etc/passwd").unwrap_err().message.contains("there is no book"));
    }
}
