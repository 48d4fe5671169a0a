//! How the situation at the start differs from that of a fresh hero.

use super::Book;
use super::forget::Forget;
use super::making::{Made, Making};
use super::policy::Policy;

/// How the situation at the start differs from that of a fresh hero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// ENDURANCE now; `None`: the maximum.
    pub endurance: Option<u8>,
    /// Flags that are set.
    pub flags: Vec<usize>,
    /// What the hero's sheet says where it does not say what the book does: variables of a system of rules.
    pub values: Vec<(usize, i32)>,
    /// Which readings are not the defaults: which, and how they are read.
    pub readings: Vec<(usize, usize)>,
    /// The policy that the player follows.
    pub policy: Option<Policy>,
    /// What he need not remember: the game is kinder then. Not in a series.
    pub forgets: Vec<Forget>,
    /// What is rolled and chosen before play begins.
    pub making: Option<Making>,
    /// So much of it must be carried out of the book: who comes to its end with less has not won. Not in a series.
    pub leaving: Vec<(Made, i32)>,
    /// Whether the player is asked also where it is surely as good to be asked later: for those who do not play best.
    pub every_question: bool,
}

impl Situation {
    /// How each passage of the book is read that can be disputed.
    pub(crate) fn read_as(&self, book: &Book) -> Vec<usize> {
        let said = |own| self.readings.iter().find(|(reading, _)| *reading == own).map_or(0, |(_, value)| *value);
        (0..book.readings.len()).map(said).collect()
    }
}
