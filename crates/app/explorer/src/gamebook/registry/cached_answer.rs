//! What is kept of a solved book.

use std::collections::BTreeMap;

use crate::question::Problem;
use gamebook::SectionNumber;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What is kept of a solved book: the whole answer, and that of each section.
#[derive(Debug)]
pub struct CachedAnswer {
    pub whole: Box<RawValue>,
    pub sections: BTreeMap<SectionNumber, Box<RawValue>>,
}

impl CachedAnswer {
    /// An answer as it is kept, and how many bytes it takes.
    pub fn of(
        answer: &impl Serialize,
        sections: BTreeMap<SectionNumber, Box<RawValue>>,
    ) -> Result<(Self, u64), Problem> {
        let whole = to_raw_value(answer).map_err(Problem::internal)?;
        let bytes = whole.get().len() + sections.values().map(|section| section.get().len() + 64).sum::<usize>();
        Ok((Self { whole, sections }, bytes as u64))
    }
}
