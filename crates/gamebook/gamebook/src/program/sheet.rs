//! The hero's sheet: the registers of his numbers and possessions.

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
    /// Whether the hero dies at 0.
    pub vital: bool,
}

/// Heroes who began with less ENDURANCE than the strongest, in steps of one point, and are solved with him.
///
/// Each of them has as many points less than the strongest everywhere as at the beginning, and is dead where the strongest has
/// no more points left than that. Sections in which more than that depends on ENDURANCE split the heroes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weaker {
    /// Their number.
    pub count: u8,
    /// The difference of the current hero to the strongest: reads as 0, whichever hero it is.
    pub short: Register,
    /// The same in a section that splits the heroes, where ENDURANCE is the hero's own.
    pub apart: Register,
    /// The initial ENDURANCE of the strongest.
    pub most: Register,
    /// The current hero's COMBAT SKILL above the least, if there are several: read where more than fights depends on it.
    pub skill: Register,
}

impl Weaker {
    /// The test that the current hero has no ENDURANCE left.
    pub(crate) fn has_fallen(self, endurance: Register) -> Test {
        Test::compare(Comparison::AtMost, Value::Register(endurance), Value::Register(self.short))
    }
}

/// The hero's sheet: the registers shown in reports.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    /// Replaces ENDURANCE and gold in a system of rules.
    pub stats: Option<Vec<Stat>>,
    pub endurance: Register,
    pub max_endurance: Value,
    pub gold: Register,
    /// The items by name, in the order of reports.
    pub items: Vec<(String, Register)>,
    pub flags: Vec<(String, Register)>,
    /// The registers of fights.
    pub fight: Vec<Register>,
    /// The weaker heroes who are solved with this one, if any.
    pub weaker: Option<Weaker>,
    /// The heroes with more COMBAT SKILL who are solved with this one, if any.
    pub skills: Option<Arc<Skills>>,
}

impl Sheet {
    /// Whether a test only asks whether a Lone Wolf hero has no ENDURANCE left.
    pub(crate) fn has_fallen(&self, test: &Test) -> bool {
        let endurance = self.endurance;
        *test == Value::Register(endurance).at_most(0)
            || self.weaker.is_some_and(|weaker| *test == weaker.has_fallen(endurance))
    }

    /// The register at whose 0 the hero dies.
    pub(crate) fn vital(&self) -> Option<Register> {
        match &self.stats {
            Some(stats) => stats.iter().find(|stat| stat.vital).map(|stat| stat.register),
            None => Some(self.endurance),
        }
    }
}
