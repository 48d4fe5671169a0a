//! The hero's sheet: which registers hold what.

use std::sync::Arc;

use super::skills::Skills;
use super::state::Register;
use super::value::{Test, Value};
use crate::terms::Comparison;

/// A number of a hero of a system of rules.
#[derive(Clone, Debug)]
pub(crate) struct Stat {
    pub name: String,
    pub register: Register,
    /// The register of its initial value.
    pub initial: Option<Register>,
    /// Whether the hero dies without it.
    pub vital: bool,
}

/// Heroes who began with less ENDURANCE, one with a point less than the other, and are told with the strongest of them.
///
/// What he has, they have with as many points less as they began with; so each of them is dead where the strongest has no
/// more points left than that. Only sections in which more than that depends on ENDURANCE are told for each of them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weaker {
    /// How many they are.
    pub count: u8,
    /// How many points less the hero began with who is told: 0, whatever is told of.
    pub short: Register,
    /// The same where each is told apart, and ENDURANCE is his own.
    pub apart: Register,
    /// ENDURANCE at the start of the strongest.
    pub most: Register,
    /// How much more COMBAT SKILL than the least the hero has who is told, where several are: asked where more than fights
    /// depends on it.
    pub skill: Register,
}

impl Weaker {
    /// Whether the hero who is told has no ENDURANCE left.
    pub(crate) fn has_fallen(self, endurance: Register) -> Test {
        Test::compare(Comparison::AtMost, Value::Register(endurance), Value::Register(self.short))
    }
}

/// The hero's sheet: which registers hold what is told of him.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    /// What is told in place of ENDURANCE and gold, where a system of rules says what a hero has.
    pub stats: Option<Vec<Stat>>,
    pub endurance: Register,
    pub max_endurance: Value,
    pub gold: Register,
    /// The items with their names, in the order in which they are told.
    pub items: Vec<(String, Register)>,
    pub flags: Vec<(String, Register)>,
    /// The registers that belong to a fight.
    pub fight: Vec<Register>,
    /// The weaker heroes who are told with this one, if there are any.
    pub weaker: Option<Weaker>,
    /// The heroes with more COMBAT SKILL who are told with this one, if there are any.
    pub skills: Option<Arc<Skills>>,
}

impl Sheet {
    /// Whether a test asks nothing but whether the hero of Lone Wolf has no ENDURANCE left.
    pub(crate) fn has_fallen(&self, test: &Test) -> bool {
        let endurance = self.endurance;
        *test == Value::Register(endurance).at_most(0)
            || self.weaker.is_some_and(|weaker| *test == weaker.has_fallen(endurance))
    }

    /// What the hero dies without.
    pub(crate) fn vital(&self) -> Option<Register> {
        match &self.stats {
            Some(stats) => stats.iter().find(|stat| stat.vital).map(|stat| stat.register),
            None => Some(self.endurance),
        }
    }
}
