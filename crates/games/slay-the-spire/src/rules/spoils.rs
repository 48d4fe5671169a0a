//! The result of a won fight, apart from health.

/// The result of a won fight, apart from health: the potions left, and the gain of maximum health.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Spoils {
    pub potions: u8,
    pub gained: u8,
}
