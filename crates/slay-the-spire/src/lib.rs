//! Slay the Spire: the Ironclad against a Cultist, played best, card by card.

mod advise;
mod card;
mod fight;
mod json;
mod odds;
mod pile;
mod position;
mod replay;
mod setup;
mod solved;

pub use advise::{Play, advise};
pub use card::{Card, UnknownCard};
pub use fight::{Fights, Objective, describe_play};
pub use odds::{Odds, odds};
pub use pile::{Pile, PileError};
pub use position::{CARDS_PER_TURN, ENERGY_PER_TURN, Position, attack};
pub use replay::{Event, Record, RecordError, RecordedTurn, ReplayError, Step, replay};
pub use setup::{HIGHEST_HEALTH, HealthRange, NotAHealthRange, Setup, starting_deck};
pub use solved::{FightError, Worth};
