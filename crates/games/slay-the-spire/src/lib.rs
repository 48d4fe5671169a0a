//! Slay the Spire: the Ironclad against a Cultist, played best, card by card.
//!
//! How much health does best play keep, and how likely is it to survive? [`odds`] answers before
//! the fight, exactly:
//!
//! ```
//! use mdp::{ExploreOptions, nearest};
//! use slay_the_spire::{Objective, Setup, odds};
//!
//! let odds = odds(&Setup::default(), Objective::Health, &ExploreOptions::default())?;
//! assert_eq!(nearest(&odds.worth.health), 63.547677967061674);
//! assert_eq!(odds.worth.health.to_string(), "32627274131/513429840");
//! # Ok::<(), slay_the_spire::FightError>(())
//! ```
//!
//! [`advise`] values every play of a turn, and [`replay`] tells luck from mistakes in a fight that
//! was played. All three put a [`Position`], which knows the rules card by card, into [`Fights`],
//! which is the game that the engine ([`mdp`]) solves.

pub mod act1;
mod advise;
mod answer;
mod card;
mod fight;
mod json;
mod odds;
mod pile;
mod position;
mod replay;
mod replayed;
mod saved;
mod setup;
mod solved;
mod whole_number;

pub use advise::{Play, advise};
pub use answer::{AdviceAnswer, OddsAnswer, Worths};
pub use card::{Card, UnknownCard};
pub use fight::{Fights, Objective, Plays, describe_play};
pub use odds::{Odds, SolvedFight, odds};
pub use pile::{Pile, PileError};
pub use position::{CARDS_PER_TURN, ENERGY_PER_TURN, Position, attack};
pub use replay::{Event, Record, RecordError, RecordedTurn, ReplayError, Step, replay};
pub use replayed::{ReplayAnswer, changes, luck_and_mistakes};
pub use saved::{NotInThisFight, SavedFight};
pub use setup::{HIGHEST_HEALTH, HealthRange, NotAHealthRange, Setup, starting_deck};
pub use solved::{FightError, Worth};
