//! The creation of a hero: what is rolled and chosen.

use super::item::ItemId;
use crate::terms::Dice;

/// The creation of a hero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Making {
    /// What is rolled.
    pub rolled: Vec<(Made, Dice)>,
    /// What may be chosen after the roll.
    pub chosen: Option<Bundles>,
}

/// A choice of bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundles {
    /// How many different bundles may be chosen.
    pub count: usize,
    /// The content of each.
    pub bundles: Vec<Vec<(Made, i32)>>,
}

/// Something that a hero gets at his creation.
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
    /// A variable of a system of rules.
    Variable(usize),
}

impl Making {
    /// The same without numbers that are known already, and optionally without the choice.
    #[must_use]
    pub fn without(&self, known: &[Made], nothing_to_choose: bool) -> Self {
        let rolled = self.rolled.iter().filter(|(made, _)| !known.contains(made)).cloned().collect();
        Self { rolled, chosen: self.chosen.clone().filter(|_| !nothing_to_choose) }
    }
}

/// All subsets of size `count` of the numbers below `all`, each in ascending order.
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
    /// The number of choices; `None` if it overflows.
    pub(crate) fn choices(&self) -> Option<usize> {
        (0..self.count).try_fold(1usize, |all, own| {
            let left = self.bundles.len().checked_sub(own)?;
            Some(all.checked_mul(left)? / (own + 1))
        })
    }
}

/// The subject of the question that completes a hero.
pub(crate) const QUESTION: &str = "what to set out with";
