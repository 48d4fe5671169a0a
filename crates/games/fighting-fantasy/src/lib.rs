//! Combat of the Fighting Fantasy gamebooks: the odds of a fight, and the best use of luck in it. This crate knows
//! nothing about solving games or printing answers. Start reading at `rules.rs`, a fight as data, and at `fight.rs`,
//! the fight as a game.
//!
//! Everything is exact: probabilities are fractions, a tie between using luck and keeping it is proved, and the
//! smallest gain counts. The starting point is Iain G. Johnston's paper "Optimal strategies in the Fighting Fantasy
//! gaming system" (2020); "the paper" below is this one.
//!
//! ```
//! use fighting_fantasy::{Decision, Enemy, Fight, Hero, Objective, Player, SpecialRules, analyse};
//!
//! // The best of heroes against a White Dragon.
//! let hero = Hero { skill: 12, stamina: 24, luck: 12 };
//! let dragon = Enemy::new(15, 22);
//! let fight = Fight::new(hero, vec![dragon], SpecialRules::default(), Objective::win(), Player::Free)?;
//! let analysis = analyse(&fight, &mdp::ExploreOptions::default())?;
//! assert_eq!(format!("{:.5}", mdp::nearest(&analysis.value)), "0.04639");
//! assert_eq!(analysis.on_won_round.decision, Decision::UseLuck);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`RoundOdds`], [`lucky_rolls`] and [`Wound`] are the rules themselves, for other programs.
//! - [`Fight`] is any fight, with [`SpecialRules`], as a [`mdp::Game`]; [`analyse`] solves it.
//! - [`LuckMap`] solves all fights without special rules of one skill difference at once, a thousand times faster.
//! - [`HeuristicMap`] compares the rules of thumb ([`Strategy`]) with the best play.
//! - [`win_without_luck`] and [`win_with_constant_luck`] are the paper's closed forms.
//! - [`drawing`] draws maps and histograms; [`FightAnswer`] is the JSON of an analysis.

mod analysis;
mod answer;
mod closed_form;
mod decision;
mod dice;
pub mod drawing;
mod fight;
mod heuristics;
mod map;
mod rules;
mod state;
mod strategy;
mod table;

pub use analysis::{Analysis, AnalysisError, Ends, Opening, Simulated, analyse, play};
pub use answer::FightAnswer;
pub use closed_form::{win_with_constant_defensive_luck, win_with_constant_luck, win_without_luck};
pub use decision::{Decision, Decisions, Question};
pub use dice::{RoundOdds, lucky_rolls, rolled_skill, rolled_stamina};
pub use fight::Fight;
pub use heuristics::{Fighters, HeuristicMap, MOST_LUCK_FOR_STRATEGIES, Score, Scores, win_with_strategy};
pub use map::LuckMap;
pub use rules::{
    Amplify, Armour, Chance, Enemy, Escape, Hero, MOST_ENEMIES, MOST_SKILL, MOST_STAMINA, MOST_TOGETHER, Objective,
    RulesError, SpecialRules, SuddenDeath, Wound,
};
pub use state::{Action, End, Moment, Phase, Player, State};
pub use strategy::{Outcome, Strategy, UnknownStrategy};
pub use table::Extent;
