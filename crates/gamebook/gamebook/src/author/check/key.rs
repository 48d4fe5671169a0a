//! Keys: what a way can require.

use crate::book::{Book, Thing};

/// A key: a hero who has it, or has done it, may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Item(usize),
    Flag(usize),
    /// An item or a flag of a system of rules.
    Own(usize),
}

impl Key {
    /// The key that an item or gold is.
    pub(super) fn of(thing: Thing) -> Option<Self> {
        match thing {
            Thing::Item(item) => Some(Self::Item(item)),
            Thing::Gold => None,
        }
    }

    pub(super) fn name(self, book: &Book) -> &str {
        match self {
            Self::Item(item) => &book.items[item].name,
            Self::Flag(flag) => &book.flags[flag],
            Self::Own(own) => book.system.as_ref().map_or("", |system| &system.variables[own].name),
        }
    }
}
