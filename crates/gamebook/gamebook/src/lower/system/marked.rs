//! A program with marks where the parts of a book begin.

use std::ops::Range;

use crate::book::Book;
use crate::program::{Label, Program, Register, Value};

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A branch of an `if`, with a condition.
    Branch,
    /// What follows if no condition holds.
    Else,
    /// A choice.
    Choice,
    /// A case of a roll, with a condition.
    Case,
}

/// The beginning of a part of the book.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub part: Part,
    pub span: Range<usize>,
    /// Its place, and that of the enclosing node.
    pub place: Label,
    pub around: Label,
}

/// A program for all heroes and readings.
#[derive(Debug)]
pub(crate) struct Marked {
    pub program: Program,
    pub marks: Vec<Mark>,
    /// The author's questions: places and spans.
    pub questions: Vec<(Label, Range<usize>)>,
    /// Changes written as losses: places, values and spans.
    pub losses: Vec<(Label, Value, Range<usize>)>,
    /// The initial range of each register.
    pub ranges: Vec<(i32, i32)>,
}

/// The marks under construction.
pub(super) struct Marks {
    pub parts: Vec<Mark>,
    pub questions: Vec<(Label, Range<usize>)>,
    pub losses: Vec<(Label, Value, Range<usize>)>,
    /// The registers of readings.
    pub readings: Vec<Option<Register>>,
}

impl Marks {
    pub(super) fn new(book: &Book) -> Self {
        let (parts, questions, losses) = Default::default();
        Self { parts, questions, losses, readings: vec![None; book.readings.len()] }
    }
}

/// A part whose enclosing node is not marked yet.
pub(super) type Waiting = (Part, Range<usize>, Label);
