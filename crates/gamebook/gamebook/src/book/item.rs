//! Items.

use std::ops::Range;

/// The index of an item in [`Book::items`](super::Book::items).
pub type ItemId = usize;

/// An item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its powers as a weapon, if it is one.
    pub weapon: Option<Weapon>,
    /// Whether it is food.
    pub food: bool,
    /// The ENDURANCE it restores, and when it may be used.
    pub heals: Option<(u8, When)>,
    /// The flag that is cleared when it is used to heal.
    pub cures: Option<usize>,
    /// The reading, and its value, under which it may heal before a fight in the same section; `None` if it always may.
    pub before_fights: Option<(usize, usize)>,
    /// Its bonus to COMBAT SKILL in a fight before which it is used.
    pub strengthens: u8,
    /// Its bonus to COMBAT SKILL while it is carried.
    pub combat_skill: i8,
    /// Its bonus to the maximum of ENDURANCE while it is worn.
    pub endurance: u8,
    /// The number of backpack places it takes.
    pub places: u8,
    /// The largest count in the backpack.
    pub most: u8,
    /// The number of backpack items it holds, if it is a container.
    pub holds: u8,
    /// The span of its declaration.
    pub span: Range<usize>,
}

/// The kind of an item: where it is carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A weapon: as many as the rules allow.
    Weapon,
    /// An item in the backpack.
    Backpack,
    /// A special item: one of each.
    Special,
    /// A permanent mark, one of each, which only its name removes: a wound for life, a memory.
    Permanent,
    /// A container for backpack items.
    Container,
}

impl Kind {
    /// Whether there is at most one of an item of this kind.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Special | Self::Permanent | Self::Container)
    }
}

/// The powers of a weapon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Its bonus to COMBAT SKILL while it is used.
    pub bonus: i8,
    /// Other weapons whose Weaponskill applies to it.
    pub counts_as: Vec<String>,
    /// Whether undead enemies lose double.
    pub doubles_undead: bool,
}

/// When a healing item may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Right after a fight.
    AfterCombat,
    /// On entering a section, and right after a fight.
    OnEntering,
    /// On entering a section and between any two events in it.
    AnyTime,
    /// The same, but only after a fight.
    SinceCombat,
}

/// Something to gain or lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// Gold Crowns.
    Gold,
    /// An item.
    Item(ItemId),
}

/// Whether two books mean the same by an item. Flags and readings are left out, since they belong to their book.
pub(crate) fn is_same(own: &Item, other: &Item) -> bool {
    let plain = |item: &Item| {
        let mut plain = Item { before_fights: None, cures: None, span: 0..0, ..item.clone() };
        plain.weapon.iter_mut().for_each(|weapon| weapon.counts_as.sort());
        plain
    };
    plain(own) == plain(other)
}
