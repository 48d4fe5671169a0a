//! The gamebooks that are offered, and the answers about them that are kept.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use gamebook::{Book, Outline, Problems, SectionNumber, read};
use serde_json::value::RawValue;

use crate::problem::Problem;
use crate::prose::Prose;
use crate::shelf::Shelf;

/// The text of the built-in book.
const FIRE_ON_THE_WATER: &str = include_str!("../../../books/fire-on-the-water.kdl");

/// A gamebook on its page.
#[derive(Clone, Debug)]
pub struct OfferedBook {
    /// How addresses and questions call it.
    pub name: String,
    /// The book.
    pub book: Arc<Book>,
    /// Its text, if the reader has it.
    pub prose: Option<Arc<Prose>>,
    pub(crate) map: Arc<BTreeMap<SectionNumber, Place>>,
}

/// Where a section is drawn, and what it looks like.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// How many sections after the start it can be come by at the earliest.
    pub layer: usize,
    /// From top to bottom, the middle being 0, in steps of one section.
    pub height: f64,
    pub outline: Outline,
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
        let (book, _) = read(text)?;
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".kdl").unwrap_or(name).to_owned();
        let map = Arc::new(places(&book));
        Ok(Self { name, book: Arc::new(book), prose: None, map })
    }

    /// The address of its page, from `/`.
    pub fn address(&self) -> String {
        let query: String = form_urlencoded::byte_serialize(self.name.as_bytes()).collect();
        format!("/gamebook?book={query}")
    }

    /// Fire on the Water.
    ///
    /// # Panics
    /// When the book in this program cannot be read; a test sees that it can.
    pub fn built_in() -> Self {
        Self::new("fire-on-the-water", FIRE_ON_THE_WATER).expect("the built-in book can be read")
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

/// The books and the shelf.
#[derive(Debug)]
pub struct Library {
    pub books: Vec<OfferedBook>,
    pub shelf: Shelf<Told>,
}

impl Library {
    /// Books of the same name get numbers, so that each can be named.
    pub fn new(offered: Vec<OfferedBook>, shelf: usize) -> Self {
        let mut books: Vec<OfferedBook> = Vec::new();
        for mut book in offered {
            let taken = |name: &str| books.iter().any(|other| other.name == name);
            if taken(&book.name) {
                let free = (2..).map(|number| format!("{}-{number}", book.name)).find(|name| !taken(name));
                book.name = free.unwrap_or_default();
            }
            books.push(book);
        }
        if books.is_empty() {
            books.push(OfferedBook::built_in());
        }
        Self { books, shelf: Shelf::new(shelf) }
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

/// The most sections of a layer of those to which nothing leads.
const TALLEST: usize = 20;

/// How often the order in each layer is improved.
const SWEEPS: usize = 8;

/// Where each section is drawn: in layers by the distance from the start, and in each layer near those it comes from
/// and leads to. Sections to which nothing leads stand after the last layer.
fn places(book: &Book) -> BTreeMap<SectionNumber, Place> {
    let outlines: BTreeMap<SectionNumber, Outline> =
        book.sections.iter().map(|(number, section)| (*number, section.outline())).collect();
    let mut layers: BTreeMap<SectionNumber, usize> = BTreeMap::from([(book.start, 0)]);
    let mut open = VecDeque::from([book.start]);
    while let Some(section) = open.pop_front() {
        let next = layers[&section] + 1;
        for target in outlines.get(&section).into_iter().flat_map(|outline| &outline.targets) {
            if outlines.contains_key(target) && !layers.contains_key(target) {
                layers.insert(*target, next);
                open.push_back(*target);
            }
        }
    }
    let last = layers.values().max().copied().unwrap_or(0);
    let mut columns: Vec<Vec<SectionNumber>> = vec![Vec::new(); last + 1];
    let mut stray = Vec::new();
    for section in outlines.keys() {
        match layers.get(section) {
            Some(layer) => columns[*layer].push(*section),
            None => stray.push(*section),
        }
    }
    columns.extend(stray.chunks(TALLEST).map(<[SectionNumber]>::to_vec));
    let mut neighbours: BTreeMap<SectionNumber, Vec<SectionNumber>> = BTreeMap::new();
    for (section, outline) in &outlines {
        for target in &outline.targets {
            neighbours.entry(*section).or_default().push(*target);
            neighbours.entry(*target).or_default().push(*section);
        }
    }
    let mut heights: BTreeMap<SectionNumber, f64> = BTreeMap::new();
    let settle = |column: &[SectionNumber], heights: &mut BTreeMap<SectionNumber, f64>| {
        for (place, section) in column.iter().enumerate() {
            heights.insert(*section, place as f64 - (column.len() - 1) as f64 / 2.0);
        }
    };
    for column in &columns {
        settle(column, &mut heights);
    }
    for sweep in 0..SWEEPS {
        let forwards = sweep % 2 == 0;
        for step in 0..columns.len() {
            let place = if forwards { step } else { columns.len() - 1 - step };
            let column = &mut columns[place];
            let mean = |section: &SectionNumber| -> f64 {
                let near = neighbours.get(section).map_or(&[][..], Vec::as_slice);
                let known: Vec<f64> = near.iter().filter_map(|other| heights.get(other).copied()).collect();
                if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
            };
            column.sort_by(|left, right| mean(left).total_cmp(&mean(right)));
            settle(column, &mut heights);
        }
    }
    let mut found = BTreeMap::new();
    for (layer, column) in columns.iter().enumerate() {
        for section in column {
            let outline = outlines.get(section).cloned().unwrap_or_default();
            found.insert(*section, Place { layer, height: heights[section], outline });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_book_is_drawn() {
        let book = OfferedBook::built_in();
        assert_eq!(book.map.len(), book.book.sections.len());
        assert_eq!(book.map[&1].layer, 0);
        // No two sections at one place; edges never skip a layer forwards.
        let mut places: Vec<(usize, i64)> =
            book.map.values().map(|place| (place.layer, (place.height * 2.0) as i64)).collect();
        places.sort_unstable();
        let count = places.len();
        places.dedup();
        assert_eq!(places.len(), count);
        for place in book.map.values() {
            for target in &place.outline.targets {
                assert!(book.map[target].layer <= place.layer + 1);
            }
        }
    }

    #[test]
    fn names() {
        let library = Library::new(vec![OfferedBook::built_in(), OfferedBook::built_in()], 0);
        assert_eq!(library.book("").unwrap().name, "fire-on-the-water");
        assert_eq!(library.book("fire-on-the-water-2").unwrap().name, "fire-on-the-water-2");
        assert!(library.book("../etc/passwd").unwrap_err().message.contains("there is no book"));
    }
}
