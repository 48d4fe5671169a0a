//! How the initial situation differs from that of a fresh hero.

use super::Book;
use super::forget::Forget;
use super::hero_creation::{HeroCreation, HeroQuantity};
use super::policy::Policy;

/// How the initial situation differs from that of a fresh hero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// The current ENDURANCE; `None` for the maximum.
    pub endurance: Option<u8>,
    /// Flags that are set.
    pub flags: Vec<usize>,
    /// Changed variables of a system of rules.
    pub values: Vec<(usize, i32)>,
    /// The readings that are not the defaults: the passage and its value.
    pub readings: Vec<(usize, usize)>,
    /// The policy that the player follows.
    pub policy: Option<Policy>,
    /// What he need not remember, which relaxes the game. Not in a series.
    pub forgets: Vec<Forget>,
    /// What is rolled and chosen before play begins.
    pub creation: Option<HeroCreation>,
    /// What the hero must carry out of the book to win. Not in a series.
    pub leaving: Vec<(HeroQuantity, i32)>,
    /// Whether the player is also asked where a later question is surely as good: for policies that are not optimal.
    pub every_question: bool,
}

impl Situation {
    /// The reading of each disputed passage.
    pub(crate) fn read_as(&self, book: &Book) -> Vec<usize> {
        let chosen = |own| self.readings.iter().find(|(reading, _)| *reading == own).map_or(0, |(_, value)| *value);
        (0..book.readings.len()).map(chosen).collect()
    }
}
