//! What is left of a fight that is won, beside health.

/// What is left of a fight that is won, beside health: the potions, and how much higher the highest health is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Spoils {
    pub potions: u8,
    pub gained: u8,
}
