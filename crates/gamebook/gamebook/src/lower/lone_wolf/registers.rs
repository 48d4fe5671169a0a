//! The registers that are the same for all Lone Wolf books, and a hero's weapons.

use super::carrier::Carrier;
use crate::book::{Book, Discipline, Hero, Item, MOST_ROUNDS, Weapon};
use crate::program::Register;

/// Combat ratios beyond these count as these.
pub(super) const RATIOS: std::ops::RangeInclusive<i32> = -11..=11;

/// A weapon in the hero's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Arm {
    pub bonus: i32,
    pub doubles_undead: bool,
}

/// A weapon without powers.
pub(super) const PLAIN_WEAPON: Arm = Arm { bonus: 0, doubles_undead: false };

/// ENDURANCE.
pub(super) const ENDURANCE: Register = 0;

/// Gold Crowns.
pub(super) const GOLD: Register = 1;

/// Weapons of which only "a weapon" still matters.
pub(super) const PLAIN: Register = 2;

/// The enemy's ENDURANCE.
pub(super) const ENEMY: Register = 3;

/// Rounds of this fight, as far as they matter.
pub(super) const ROUND: Register = 4;

/// The bonus of this fight's weapon to COMBAT SKILL, and whether it deals double damage to the undead.
pub(super) const ARM: Register = 5;

pub(super) const DOUBLES: Register = 6;

/// Whether the hero lost ENDURANCE in this fight.
pub(super) const WOUNDED: Register = 7;

/// ENDURANCE before a mock fight.
pub(super) const BEFORE: Register = 8;

/// The combat ratio of a round.
pub(super) const RATIO: Register = 9;

/// Units that may still be taken.
pub(super) const LEFT: Register = 10;

/// A temporary number.
pub(super) const NUMBER: Register = 11;

/// Whether a fight has taken place.
pub(super) const FOUGHT: Register = 12;

/// The bonus to COMBAT SKILL of what was used before this fight.
pub(super) const STRENGTH: Register = 13;

/// Backpack items of which only the number still matters.
pub(super) const THINGS: Register = 14;

/// The registers that are the same for all books.
pub(super) fn registers(books: &[Carrier<'_>]) -> Vec<(String, i32, i32)> {
    let endurance = |Carrier { book, hero, .. }: &Carrier<'_>| {
        let armour: i32 = book.items.iter().map(|item| i32::from(item.endurance)).sum();
        i32::from(hero.endurance).max(*book.kai.endurances().end()) + armour
    };
    let most = |own: &dyn Fn(&Carrier<'_>) -> i32| books.iter().map(own).max().unwrap_or(0);
    let endurance = most(&endurance);
    let bonuses = || {
        let own =
            |Carrier { book, hero, .. }: &Carrier<'_>| arms(book, hero).into_iter().flatten().chain([bare_hands(book)]);
        books.iter().flat_map(own).chain([PLAIN_WEAPON]).map(|arm| arm.bonus)
    };
    let (least_arm, most_arm) = (bonuses().min().unwrap_or(0), bonuses().max().unwrap_or(0));
    [
        ("endurance", 0, endurance),
        ("gold", 0, most(&|Carrier { book, .. }| book.kai.most_gold.into())),
        ("plain weapons", 0, most(&|Carrier { book, .. }| book.kai.most_weapons.into())),
        ("the enemy's endurance", 0, most(&|own| own.most.enemy.into())),
        ("rounds", 0, MOST_ROUNDS.into()),
        ("the weapon's bonus", least_arm, most_arm),
        ("the weapon doubles", 0, 1),
        ("wounded", 0, 1),
        ("endurance before", 0, endurance),
        ("ratio", *RATIOS.start() - most(&|own| own.others.skilled.into()), *RATIOS.end()),
        ("left to take", 0, most(&|own| own.most.taken.into())),
        ("number", 0, 255),
        ("has fought", 0, 1),
        ("strength", 0, most(&|Carrier { book, .. }| book.items.iter().map(|item| i32::from(item.strengthens)).sum())),
        ("plain backpack items", 0, most(&|Carrier { book, .. }| book.room().into())),
    ]
    .map(|(name, least, most)| (name.to_string(), least, most))
    .into()
}

/// Bare hands.
pub(super) fn bare_hands(book: &Book) -> Arm {
    Arm { bonus: book.kai.unarmed, doubles_undead: false }
}

/// Whether the hero's Weaponskill applies to an item.
pub(super) fn is_skilled(item: &Item, hero: &Hero) -> bool {
    let counts = |own: &String, weapon: &Weapon| *own == item.name || weapon.counts_as.contains(own);
    let weapon = item.weapon.as_ref().zip(hero.weaponskill.as_ref());
    hero.knows(Discipline::Weaponskill) && weapon.is_some_and(|(weapon, own)| counts(own, weapon))
}

/// For each item the weapon that it is in the hero's hands.
pub(super) fn arms(book: &Book, hero: &Hero) -> Vec<Option<Arm>> {
    let arm = |item: &Item| {
        let weapon = item.weapon.as_ref()?;
        let bonus = i32::from(weapon.bonus) + if is_skilled(item, hero) { book.kai.weaponskill } else { 0 };
        Some(Arm { bonus, doubles_undead: weapon.doubles_undead })
    };
    book.items.iter().map(arm).collect()
}
