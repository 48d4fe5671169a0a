//! What the rules of a section have come to while they are run.

use std::collections::BTreeMap;

use gamebook::SectionNumber;

use crate::fight::{Combat, Hand};
use crate::xml::Element;

/// When rules are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Moment {
    /// The section is entered.
    #[default]
    Entered,
    /// The fight is over; whether it was won.
    Fought(bool),
    /// The hero has run from it.
    Evaded,
    /// A round of it is over.
    Round,
    /// A number was picked.
    Picked,
}

/// What the rules of a section have come to.
#[derive(Clone, Default)]
pub(super) struct State<'r> {
    pub moment: Moment,
    /// Whether each choice can be taken.
    pub enabled: Vec<bool>,
    /// The same before a round.
    pub before: Vec<bool>,
    /// What is known of tests.
    pub known: BTreeMap<String, bool>,
    pub combats: Vec<Combat>,
    pub fights: bool,
    pub fake: bool,
    pub tables: Vec<&'r Element>,
    /// What is added to the number picked.
    pub plus: Vec<String>,
    pub fought: Vec<&'r Element>,
    pub evaded: Vec<&'r Element>,
    pub rounds: Vec<&'r Element>,
    /// What choosing a way does: the way, or all.
    pub selected: Vec<(Option<SectionNumber>, &'r Element)>,
    /// The names of the numbers picked so far.
    pub picked: usize,
    /// What the weapon in hand changes in fights.
    pub hands: Vec<Hand>,
    /// What is looked at again after things were taken.
    pub inventory: Vec<&'r Element>,
    /// Things lie here, or were given up here already.
    pub goods: bool,
}

impl State<'_> {
    /// Whether a condition holds is known from now on; where none of several holds, of each of them.
    pub fn learn(&mut self, condition: &str, holds: bool) {
        let (base, is) = positive(condition);
        self.known.insert(base.into(), is == holds);
        if is != holds && !base.contains('(') {
            self.known.extend(base.split(" or ").map(|alternative| (alternative.to_string(), false)));
        }
    }

    /// After something was got or lost, only what the hero is stays known.
    pub fn forget(&mut self) {
        self.known.retain(|condition, _| {
            let changes =
                ["has ", "gold", "endurance", "meal", "weapons", "backpack", "carried.", "arrow", "special-items"];
            !changes.iter().any(|word| condition.contains(word))
        });
    }
}

/// The name of the number that was picked last.
pub(super) fn name_of(state: &State<'_>) -> String {
    if state.picked <= 1 { "r".into() } else { format!("r{}", state.picked) }
}

/// A condition without `not`, and whether it is asked to hold.
pub(super) fn positive(condition: &str) -> (&str, bool) {
    match condition.strip_prefix("not ") {
        None => (condition, true),
        Some(inner) => (inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(inner), false),
    }
}
