//! Heroes whom the rules roll or let choose: what a book says of how a hero is made.

use super::item::ItemId;
use crate::terms::Dice;

/// How a hero is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Making {
    /// What is rolled.
    pub rolled: Vec<(Made, Dice)>,
    /// What may be chosen after the roll.
    pub chosen: Option<Bundles>,
}

/// Things of which some may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundles {
    /// How many bundles may be chosen, each once.
    pub count: usize,
    /// What is in each of them.
    pub bundles: Vec<Vec<(Made, i32)>>,
}

/// Something that a hero gets when he is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// COMBAT SKILL.
    CombatSkill,
    /// ENDURANCE.
    Endurance,
    /// Gold Crowns.
    Gold,
    /// An item.
    Item(ItemId),
    /// A number of a system of rules of its own.
    Variable(usize),
}

impl Making {
    /// The same without what is known already: numbers that are not rolled, and whether there is nothing to choose.
    #[must_use]
    pub fn without(&self, known: &[Made], nothing_to_choose: bool) -> Self {
        let rolled = self.rolled.iter().filter(|(made, _)| !known.contains(made)).cloned().collect();
        Self { rolled, chosen: self.chosen.clone().filter(|_| !nothing_to_choose) }
    }
}

/// Every choice of `count` out of `all`, each in ascending order.
pub(crate) fn choices(all: usize, count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let more = |own: &Vec<usize>| {
            let from = own.last().map_or(0, |last| last + 1);
            let own = own.clone();
            (from..all).map(move |next| [&own[..], &[next]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(more).collect();
    }
    found
}

impl Bundles {
    /// How many choices there are; `None` when they are too many to count.
    pub(crate) fn choices(&self) -> Option<usize> {
        (0..self.count).try_fold(1usize, |all, own| {
            let left = self.bundles.len().checked_sub(own)?;
            Some(all.checked_mul(left)? / (own + 1))
        })
    }
}

/// What the question is called in which a hero is completed.
pub(crate) const QUESTION: &str = "what to set out with";
