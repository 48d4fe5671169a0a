//! The gamebooks and models that are offered, and the answers about them that are kept.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gamebook::{BUILT_IN, Book, Layout, Machine, Outline, Problems, SectionNumber, Solved, layout, read};
use import::{Paragraph, Prose};
use serde_json::value::RawValue;

use crate::gamebook::Index;
use crate::heroes::HeroTable;
use crate::jobs::Ceilings;
use crate::model::{OfferedModel, Solved as SolvedModel};
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

/// The books and models, and the shelves.
pub struct Library {
    pub books: Vec<OfferedBook>,
    /// Tables of heroes.
    pub tables: Vec<HeroTable>,
    pub shelf: Shelf<Told>,
    /// Books that are solved, and books that are only ready to be played, for those who walk through them.
    pub solved: Shelf<Solved>,
    pub ready: Shelf<Machine>,
    pub models: Vec<OfferedModel>,
    /// Models that are solved.
    pub solved_models: Shelf<Box<dyn SolvedModel>>,
}

impl Library {
    /// Books of the same name get numbers, so that each can be named; tables and models likewise.
    pub fn new(
        mut books: Vec<OfferedBook>,
        mut tables: Vec<HeroTable>,
        mut models: Vec<OfferedModel>,
        ceilings: &Ceilings,
    ) -> Self {
        apart(books.iter_mut().map(|book| &mut book.name));
        apart(tables.iter_mut().map(|table| &mut table.name));
        apart(models.iter_mut().map(|model| &mut model.name));
        if books.is_empty() {
            books.extend(OfferedBook::built_in());
        }
        Self {
            books,
            tables,
            shelf: Shelf::new(ceilings.shelf),
            solved: Shelf::new(ceilings.solved),
            ready: Shelf::new(ceilings.shelf),
            models,
            solved_models: Shelf::new(ceilings.solved),
        }
    }

    /// The model of this name; the first for the empty name.
    pub fn model(&self, name: &str) -> Result<&OfferedModel, Problem> {
        if self.models.is_empty() {
            let help = "name a DRN, UMB or PRISM file to bestplay serve, or give a game to Options::models";
            return Err(Problem::impossible("no model was given to this server", help));
        }
        let found = self.models.iter().find(|model| name.is_empty() || model.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
            Problem::impossible(
                format_args!("there is no model {name:?} here"),
                format_args!("there are {}; further ones are named to bestplay serve", names.join(", ")),
            )
        })
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

/// Gives names numbers where the same came before.
fn apart<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        if taken.contains(name) {
            // Of so many names one is free.
            let mut numbered = (2..=taken.len() + 2).map(|number| format!("{name}-{number}"));
            *name = numbered.find(|numbered| !taken.contains(numbered)).unwrap_or_default();
        }
        taken.push(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let library = Library::new(
            OfferedBook::built_in().chain(OfferedBook::built_in()).collect(),
            Vec::new(),
            Vec::new(),
            &Ceilings::default(),
        );
        assert_eq!(library.book("").unwrap().name, "fire-on-the-water");
        assert!(library.book("crypt-of-the-sorcerer").unwrap().book.system.is_some());
        assert_eq!(library.book("fire-on-the-water-2").unwrap().name, "fire-on-the-water-2");
        assert!(library.book("../etc/passwd").unwrap_err().message.contains("there is no book"));
    }
}
