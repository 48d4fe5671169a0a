//! A program with marks where what stands in a book begins.

use std::ops::Range;

use crate::book::Book;
use crate::program::{Place, Program, Register, Value};

/// What a mark stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A branch of an `if`, with a condition.
    Branch,
    /// What follows when no condition holds.
    Else,
    /// A choice.
    Choice,
    /// A case of a roll, with a condition.
    Case,
}

/// Where something begins that stands in the book.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub part: Part,
    pub span: Range<usize>,
    /// Where it begins, and where that begins of which it is a part.
    pub place: Place,
    pub around: Place,
}

/// A program for every hero and every reading.
#[derive(Debug)]
pub(crate) struct Marked {
    pub program: Program,
    pub marks: Vec<Mark>,
    /// The questions that the author asks: where each is, and what asks it.
    pub questions: Vec<(Place, Range<usize>)>,
    /// What is written as a loss: where each is, how much it adds, and what it is.
    pub losses: Vec<(Place, Value, Range<usize>)>,
    /// What each register can hold in the beginning.
    pub ranges: Vec<(i32, i32)>,
}

/// The marks that are made.
pub(super) struct Marks {
    pub parts: Vec<Mark>,
    pub questions: Vec<(Place, Range<usize>)>,
    pub losses: Vec<(Place, Value, Range<usize>)>,
    /// The registers of readings.
    pub readings: Vec<Option<Register>>,
}

impl Marks {
    pub(super) fn new(book: &Book) -> Self {
        let (parts, questions, losses) = Default::default();
        Self { parts, questions, losses, readings: vec![None; book.readings.len()] }
    }
}

/// A part that waits for what it is a part of.
pub(super) type Waiting = (Part, Range<usize>, Place);
