//! Series: several books in which the hero keeps possessions from one to the next.

use std::ops::Range;

use super::discipline::Discipline;
use super::item::ItemId;
use super::{Book, Section};
use crate::terms::SectionNumber;

/// The name for backpack items that mean nothing in any later book: they still take a place and can be given up.
pub(crate) const OTHER_THINGS: &str = "other things";

/// A series of books with the same hero.
#[derive(Clone, Debug)]
pub struct Series {
    /// The title.
    pub title: String,
    /// The books in order.
    pub books: Vec<SeriesBook>,
    /// A hash of the content of the file and of all its books, like that of a [book](Book::mark).
    pub mark: u64,
}

/// A book of a series.
#[derive(Clone, Debug)]
pub struct SeriesBook {
    /// The name of its file, or of the built-in book.
    pub name: String,
    /// The book, with items of earlier books that can matter in it or later, and with as many disciplines as a hero can have
    /// learned on the way.
    pub book: Book,
    /// The disciplines learned before it begins. For the first book: those that it allows beyond its hero's, chosen before the
    /// start.
    pub learns: Learns,
    /// Renamed items: the item of an earlier book and that of this one; in a system of rules, variables.
    pub renamed: Vec<(ItemId, ItemId)>,
    /// What visits to certain sections leave behind: special items, or variables of a system of rules, that later books test.
    pub remembered: Vec<(ItemId, Vec<SectionNumber>)>,
    /// What happens before it begins.
    pub arrival: Section,
    /// Whether the hero then starts as the book describes it: rolls are added to what he has, and he chooses his equipment.
    pub sets_out: bool,
    /// The span of its name in the series.
    pub span: Range<usize>,
}

/// The disciplines that a hero learns between two books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learns {
    /// Those that are given.
    pub given: Vec<Discipline>,
    /// The number of further ones that the player chooses.
    pub chosen: usize,
    /// The weapon for weaponskill; without one it cannot be chosen.
    pub weapon: Option<String>,
}
