//! What can be got, carried and lost.

use std::ops::Range;

/// The place of an item in [`Book::items`](super::Book::items).
pub type ItemId = usize;

/// An item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Whether it can be used as a weapon, and how.
    pub weapon: Option<Weapon>,
    /// Whether it is food.
    pub food: bool,
    /// ENDURANCE that it gives back when used, and when that may be.
    pub heals: Option<(u8, When)>,
    /// The flag that is cleared when it is used to heal.
    pub cures: Option<usize>,
    /// The reading, and its value, by which it may heal in a section with a fight before one was fought there; `None`: it
    /// may, however passages are read.
    pub before_fights: Option<(usize, usize)>,
    /// What it adds to COMBAT SKILL in a fight before which it is used.
    pub strengthens: u8,
    /// What it adds to COMBAT SKILL while he has it.
    pub combat_skill: i8,
    /// What it adds to the maximum of ENDURANCE while he has it.
    pub endurance: u8,
    /// How many places in the backpack it takes.
    pub places: u8,
    /// More of it than this are not carried in the backpack.
    pub most: u8,
    /// How many backpack items it holds (a container).
    pub holds: u8,
    /// Where it is declared.
    pub span: Range<usize>,
}

/// Where things are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As many as the rules allow.
    Weapon,
    /// In the backpack.
    Backpack,
    /// One of each.
    Special,
    /// One of each, and nothing takes it but what names it: a wound for life, what he remembers.
    Permanent,
    /// What backpack items are carried in.
    Container,
}

impl Kind {
    /// Whether there is at most one of an item of this kind.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Special | Self::Permanent | Self::Container)
    }
}

/// A weapon's powers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Added to COMBAT SKILL while it is used.
    pub bonus: i8,
    /// The weapons whose skill counts for it; itself is not listed.
    pub counts_as: Vec<String>,
    /// Undead enemies lose double.
    pub doubles_undead: bool,
}

/// When an item that heals may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Right after a fight.
    AfterCombat,
    /// On entering a section, and right after a fight.
    OnEntering,
    /// On entering a section and between any two things that happen in it.
    AnyTime,
    /// The same once a fight has been fought.
    SinceCombat,
}

/// What can be got and lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// Gold Crowns.
    Gold,
    /// An item.
    Item(ItemId),
}

/// Whether two books mean one thing by an item. Flags and readings belong to their book, and so does which of them it has to
/// do with.
pub(crate) fn is_same(own: &Item, other: &Item) -> bool {
    let plain = |item: &Item| {
        let mut plain = Item { before_fights: None, cures: None, span: 0..0, ..item.clone() };
        plain.weapon.iter_mut().for_each(|weapon| weapon.counts_as.sort());
        plain
    };
    plain(own) == plain(other)
}
