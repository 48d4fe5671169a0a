//! The creation of a hero: rolls and choices.

use super::item::ItemId;
use crate::terms::Dice;

/// The creation of a hero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeroCreation {
    /// The rolled quantities with their dice.
    pub rolled: Vec<(HeroQuantity, Dice)>,
    /// The choice after the roll.
    pub chosen: Option<Bundles>,
}

/// A choice of bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundles {
    /// How many different bundles may be chosen.
    pub count: usize,
    /// The content of each.
    pub bundles: Vec<Vec<(HeroQuantity, i32)>>,
}

/// A quantity of a hero: a stat, the gold, the count of an item, a number of a system of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeroQuantity {
    /// COMBAT SKILL.
    CombatSkill,
    /// ENDURANCE.
    Endurance,
    /// Gold Crowns.
    Gold,
    /// The count of an item.
    Item(ItemId),
    /// A variable of a system of rules.
    Variable(usize),
}

impl HeroCreation {
    /// The creation without quantities that are known already, and optionally without the choice.
    #[must_use]
    pub fn without(&self, known: &[HeroQuantity], nothing_to_choose: bool) -> Self {
        let rolled = self.rolled.iter().filter(|(quantity, _)| !known.contains(quantity)).cloned().collect();
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
