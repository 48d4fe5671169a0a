//! Combat of the Lone Wolf gamebooks, solved exactly. This crate knows nothing about the books around it, nor about how
//! answers are printed. Start reading at `combat.rs`, the rules, and at `fold.rs`, a whole fight as one step.
//!
//! ```
//! use lone_wolf::{CombatTable, Conditions, Start, Track, fold};
//!
//! // Combat skill 15 and 20 ENDURANCE against 20 and 12.
//! let conditions = Conditions { ratio: 15 - 20, ..Conditions::default() };
//! let start = Start { enemy: 12, heroes: 20, ..Start::default() };
//! let endings = fold(CombatTable::standard(), &conditions, &start, Track::default())?;
//! let wins = endings.from(20).probabilities().filter(|(ending, _)| ending.hero > 0);
//! let win = wins.fold(mdp::Rational::ZERO, |sum, (_, probability)| sum + probability);
//! assert_eq!(win.to_string(), "21807/25000");
//! # Ok::<(), lone_wolf::EndlessFight>(())
//! ```
//!
//! - [`CombatTable`] and the [`Conditions`] of one fight are the rules.
//! - [`fold`] folds a whole fight into one step: the distribution of its ends, for every ENDURANCE at its start at
//!   once.
//! - [`Fight`] is a fight in which the hero may leave, as a [`mdp::Game`]; [`analyse`] solves it.
//! - [`FightRequest`] is a request to analyse a fight, [`FightAnswer`] the answer as JSON.

mod analysis;
mod answer;
mod combat;
mod fight;
mod fold;
mod request;

pub use analysis::{Analysis, AnalysisError, MOST_ROUNDS_FOLLOWED, Round, Situation, analyse};
pub use answer::FightAnswer;
pub use combat::{Cell, CellError, ColumnRule, CombatTable, Conditions, Loss, Losses, TimedBonus};
pub use fight::{Fight, State};
pub use fold::{Ending, EndlessFight, Folded, MOST_ROUNDS, Start, Track, fold};
pub use request::{Enemy, FightRequest, MOST_ENDURANCE, MOST_SKILL, Rounds, WrongFight};
