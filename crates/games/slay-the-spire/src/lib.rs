//! Slay the Spire: the Ironclad against the enemies of Act 1, with their cards, relics and potions as data, and a
//! search of its own over positions without health. It knows nothing about how answers are printed. Start reading at
//! `rules`, which is the game, and at `answers/solve.rs`, which solves a fight.
//!
//! ```
//! use slay_the_spire::{FightRequest, solve};
//!
//! let request = FightRequest::of_the_talk();
//! let (hero, encounters) = (request.hero()?, request.encounters()?);
//! let (_, foes) = &encounters[0];
//! let solved = solve(&hero, foes, &[request.health(&hero)?], request.objective()?, &budget::Budget::unlimited())?;
//! let value = solved.worths[0].value;
//! assert!(value.lower <= 63.547677967061674 && 63.547677967061674 <= value.upper && value.width() < 1e-10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the bottom up: `numbers` (exact chances, rounding), `data` (what there is in the game), `rules` (the rules of a
//! fight, play by play and turn by turn), `graph` (whole turns as a graph that grows on demand), `search` (best play
//! over the graph, with proved bounds), `request` (requests) and `answers`.
//!
//! Fights that are too large for the search are simulated (`simulate`), with confidence bounds from below and above;
//! simulated and proved values have separate fields everywhere. The test `tests/differential` implements the rules a
//! second time, naively, and compares every transition of random fights. The request for a fight is one type for the
//! command, the pages and the walk, [`FightRequest`].

mod answers;
mod data;
mod graph;
mod numbers;
mod request;
mod rules;
mod search;
mod simulate;

pub use answers::advise::{Advice, advise, soonest_over, unknown_plays};
pub use answers::compare_decks::{compare_decks, reward_worth, unknown_reward};
pub use answers::fight_error::FightError;
pub use answers::json::{FightAnswer, PlaysAnswer, amount, number};
pub use answers::log::play_out;
pub use answers::model::{FightModel, fight_model};
pub use answers::named::Named;
pub use answers::play_loss::{PlayLoss, SimulatedLoss};
pub use answers::replay::{FightRecord, FightReplay, FightReplayAnswer, StepText, replay_fight};
pub use answers::reward::{
    ChangedDeck, DeckChange, Reward, RewardAnswer, RewardShare, RewardWorth, changed_decks, offered_cards,
};
pub use answers::several::{solve_each_health_of_the_enemy, solve_several};
pub use answers::simulate::solve_or_simulate;
pub use answers::simulate_plays::advise_or_simulate;
pub use answers::simulated_plays::{SimulatedGain, SimulatedPlay};
pub use answers::solve::{Counts, Exactness, FightOptions, Solved, solve, solve_exactly};
pub use answers::unknown::unknown_fights;
pub use answers::walk::{FightPhase, FightStep, FightWalk, Standing, WalkError};
pub use answers::walk_worths::{Worths, walk_worths};
pub use answers::worth::{Amount, ExactEnds, Interval, Simulated, Worth};
pub use data::card::{CARDS, Card, CardData, Cost, Effect, Kind as CardKind};
pub use data::encounter::{Groups, NAMES as ENCOUNTERS, groups};
pub use data::enemy::{Act, EnemyData, Kind as EnemyKind, Move, MoveData};
pub use data::name::UnknownName;
pub use data::next_encounter::Met;
pub use data::potion::{Drink, POTIONS, Potion};
pub use data::power::Power;
pub use data::relic::{Relic, Relics};
pub use numbers::chance::Chance;
pub use request::communication::{CommunicationMessage, CommunicationPosition};
pub use request::encounters::Encounters;
pub use request::fight_request::{FightRequest, Goal, RequestError};
pub use request::group::GroupRequest;
pub use request::position::{Position, PositionFile};
pub use request::run_file::{RunFile, RunRequest};
pub use rules::action::Action;
pub use rules::queue::Outcomes;
pub use rules::setup::{Foe, Hero};
pub use rules::state::{Change, Enemy, Pile, Player, State};
pub use rules::{Rules, RulesError};
pub use search::payoff::{DEFEAT, Objective};
pub use simulate::sampled::Simulating;
