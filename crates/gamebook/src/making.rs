//! Heroes whom the rules roll or let choose: what a book says of how a hero is made.

use crate::book::{Book, ItemId};
use crate::rules::dice::Dice;
use crate::solved::Question;

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

impl Made {
    /// What it is called.
    pub fn name(self, book: &Book) -> String {
        match self {
            Self::CombatSkill => "combat-skill".into(),
            Self::Endurance => "endurance".into(),
            Self::Gold => "gold".into(),
            Self::Item(item) => book.items[item].name.clone(),
            Self::Variable(own) => {
                book.system.as_ref().map(|system| system.variables[own].name.clone()).unwrap_or_default()
            }
        }
    }
}

impl Made {
    /// Gives the hero of a question so much of it before his book is compiled.
    pub(crate) fn give(self, book: &Book, question: &mut Question, number: i32) {
        match self {
            Self::CombatSkill => question.hero.combat_skill = number,
            Self::Endurance => question.hero.endurance = u8::try_from(number).unwrap_or(u8::MAX),
            Self::Gold => question.hero.gold = u8::try_from(number).unwrap_or(u8::MAX),
            Self::Item(item) => {
                question.hero.items.retain(|(own, _)| *own != item);
                question.hero.items.push((item, u8::try_from(number).unwrap_or(u8::MAX)));
            }
            Self::Variable(own) => {
                let initial = book.system.as_ref().and_then(|system| system.variables[own].initial);
                question.situation.values.extend(initial.into_iter().chain([own]).map(|own| (own, number)));
            }
        }
    }
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
    /// Every choice of so many bundles: what it is called, and what it brings.
    pub(crate) fn combinations(&self, book: &Book) -> Vec<(String, Vec<(Made, i32)>)> {
        let told = |(made, count): &(Made, i32)| match count {
            1 => made.name(book),
            count => format!("{} {count}", made.name(book)),
        };
        choices(self.bundles.len(), self.count)
            .into_iter()
            .map(|own| {
                let things: Vec<(Made, i32)> = own.iter().flat_map(|bundle| self.bundles[*bundle].clone()).collect();
                let label: Vec<String> = things.iter().map(told).collect();
                (label.join(", "), things)
            })
            .collect()
    }

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
