//! The contents of Act 1 as data: cards, enemies, encounters, relics, potions, powers.

pub mod card;
pub mod encounter;
pub mod enemy;
pub mod moves;
pub mod name;
pub mod next_encounter;
pub mod potion;
pub mod power;
pub mod relic;
