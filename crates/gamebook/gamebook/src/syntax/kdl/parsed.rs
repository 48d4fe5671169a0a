//! Results of parsing, and what is missing.

use std::ops::Range;

use kdl::KdlNode;

use crate::syntax::problem::ProblemList;
use crate::terms::SectionNumber;

/// The valid part of a text.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) nodes: Vec<KdlNode>,
    /// Syntax errors.
    pub(crate) problems: ProblemList,
    pub(crate) missing: Missing,
}

/// What could not be parsed: its declarations are not reported as missing elsewhere.
#[derive(Default)]
pub(crate) struct Missing {
    /// The pieces with something left out.
    pieces: Vec<Range<usize>>,
    /// Whether something may be missing at the top level.
    pub(crate) head: bool,
    /// Sections whose heads exist, even if they could not be parsed.
    sections: Vec<String>,
    /// Whether any other section may be missing, too.
    any_section: bool,
}

impl Parsed {
    /// Appends the results of the following parcel.
    pub(super) fn append(&mut self, mut next: Self) {
        self.nodes.append(&mut next.nodes);
        self.problems.append(next.problems);
        self.missing.pieces.append(&mut next.missing.pieces);
        self.missing.sections.append(&mut next.missing.sections);
        self.missing.head |= next.missing.head;
        self.missing.any_section |= next.missing.any_section;
    }
}

impl Missing {
    /// Anything may be missing.
    pub(super) fn is_everywhere(&mut self) {
        self.head = true;
        self.any_section = true;
    }

    pub(super) fn piece(&mut self, text: &str, piece: Range<usize>) {
        let own = &text[piece.clone()];
        match own.trim_start().strip_prefix("section ") {
            Some(rest) => {
                let number = rest.trim_start();
                let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
                self.sections.push(number[..end].into());
                self.any_section |= rest.contains("section ");
            }
            None => {
                self.head = true;
                self.any_section |= own.contains("section");
            }
        }
        self.pieces.push(piece);
    }

    /// Whether something is missing around a position.
    pub(crate) fn around(&self, at: usize) -> bool {
        self.pieces.iter().any(|piece| piece.contains(&at))
    }

    /// Whether anything is missing.
    pub(crate) fn is_any(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Whether an unparsed section may have this number.
    pub(crate) fn section(&self, number: SectionNumber) -> bool {
        self.any_section || self.sections.iter().any(|section| section.parse() == Ok(number))
    }
}
