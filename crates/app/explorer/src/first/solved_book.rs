//! A book solved for its own hero, and the stored answer about *Fire on the Water*.
//!
//! Solving that book takes a second, or many on a slow machine. The first page shows it at once, so its answer is stored in
//! `fire-on-the-water.json`. A test holds the file against a fresh solve, and writes it anew:
//!
//! ```text
//! BESTPLAY_WRITE_ANSWERS=1 cargo test -p bestplay-explorer --lib stored
//! ```

use gamebook::{Journey, SectionNumber, SectionVisit};
use serde::{Deserialize, Serialize};

use crate::gamebook::OfferedBook;

/// A book solved for its own hero.
#[derive(Clone)]
pub struct SolvedBook {
    pub offered: OfferedBook,
    pub win: f64,
    /// Where heroes die, the most dangerous section first.
    pub deaths: Vec<(SectionNumber, f64)>,
    pub sections: Vec<SectionVisit>,
    /// The likeliest play that wins.
    pub way: Vec<SectionNumber>,
}

impl SolvedBook {
    pub fn new(offered: OfferedBook, win: f64, journey: Journey) -> Self {
        let Journey { deaths, sections, way, .. } = journey;
        Self { offered, win, deaths, sections, way }
    }

    /// The stored answer, if it is about this very book and solving it would explore no more states than this.
    pub fn stored(offered: &OfferedBook, most_states: u64) -> Option<Self> {
        let StoredAnswer { mark, states, win, deaths, sections, way } =
            serde_json::from_str(include_str!("fire-on-the-water.json")).ok()?;
        let visit = |(section, visited, win_if_here)| SectionVisit { section, visited, win_if_here };
        let sections = sections.into_iter().map(visit).collect();
        let is_valid = mark == offered.book.mark && states <= most_states;
        is_valid.then(|| Self { offered: offered.clone(), win, deaths, sections, way })
    }
}

/// The content of the file.
#[derive(Deserialize, Serialize)]
struct StoredAnswer {
    /// The hash of the book's text.
    mark: u64,
    /// The most states explored at once.
    states: u64,
    win: f64,
    deaths: Vec<(SectionNumber, f64)>,
    /// Of each section: the probability of a visit, and of winning after one.
    sections: Vec<(SectionNumber, f64, f64)>,
    way: Vec<SectionNumber>,
}

#[cfg(test)]
mod tests;
