//! Books in a row: what a hero carries out of one he has in the next.

use std::ops::Range;

use super::discipline::Discipline;
use super::item::ItemId;
use super::{Book, Section};
use crate::terms::SectionNumber;

/// What is called so that was carried in the backpack and means nothing in any later book: it still takes its place, and can
/// be given up for something else.
pub(crate) const OTHER_THINGS: &str = "other things";

/// Several books with the same hero.
#[derive(Clone, Debug)]
pub struct Series {
    /// The title.
    pub title: String,
    /// The books in order.
    pub books: Vec<SeriesBook>,
    /// As that of a [book](Book::mark), of the file of the series and of all its books.
    pub mark: u64,
}

/// A book of a series.
#[derive(Clone, Debug)]
pub struct SeriesBook {
    /// The name of its file, or of the built-in book.
    pub name: String,
    /// The book, with the items of books before it that can matter in it or later, and as many disciplines as a hero can
    /// know who has learned them on the way.
    pub book: Book,
    /// What is learned before it begins. In the first book: as far as it allows more disciplines than its hero knows, before
    /// he sets out.
    pub learns: Learns,
    /// What is called otherwise in this book: the item of a book before it, and the item of this one; with a system of rules,
    /// the variables.
    pub renamed: Vec<(ItemId, ItemId)>,
    /// What who has been in one of these sections has from then on: special items, or variables of a system of rules, of
    /// which later books ask.
    pub remembered: Vec<(ItemId, Vec<SectionNumber>)>,
    /// What happens before it begins.
    pub arrival: Section,
    /// Whether its hero then sets out as the book says: what is rolled is added to what he has, and he chooses his
    /// equipment.
    pub sets_out: bool,
    /// Where it is named.
    pub span: Range<usize>,
}

/// The disciplines that a hero learns between two books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learns {
    /// These.
    pub given: Vec<Discipline>,
    /// So many more, which the player chooses.
    pub chosen: usize,
    /// The weapon in which weaponskill is learned; without one it cannot be chosen.
    pub weapon: Option<String>,
}
