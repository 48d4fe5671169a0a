//! The input of the compiler: a book, a hero, a start and goals.

use crate::book::{Book, Hero, Situation};
use crate::terms::SectionNumber;

/// A book that a hero plays from `start`; entering one of `goals` wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quest<'a> {
    pub book: &'a Book,
    pub hero: &'a Hero,
    pub situation: &'a Situation,
    pub start: SectionNumber,
    pub goals: &'a [SectionNumber],
}
