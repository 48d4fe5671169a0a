//! Slay the Spire: the Ironclad against a Cultist, played best, card by card.

mod card;
mod fight;
mod json;
mod pile;
mod position;
mod setup;

pub use card::{Card, UnknownCard};
pub use fight::{Fights, Objective, describe_play};
pub use pile::{Pile, PileError};
pub use position::{CARDS_PER_TURN, ENERGY_PER_TURN, Position, attack};
pub use setup::{HIGHEST_HEALTH, HealthRange, NotAHealthRange, Setup, starting_deck};
