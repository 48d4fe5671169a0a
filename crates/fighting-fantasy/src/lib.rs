//! Fighting Fantasy combat.
mod analysis;
mod closed_form;
mod dice;
pub mod drawing;
mod fight;
mod heuristics;
mod map;
mod rules;
mod strategy;
mod table;

pub use analysis::{Analysis, AnalysisError, Ends, Opening, Question, Simulated, analyse, play};
pub use closed_form::{win_with_constant_defensive_luck, win_with_constant_luck, win_without_luck};
pub use dice::{RoundOdds, lucky_rolls};
pub use fight::{End, Fight, Moment, Phase, Player, State};
pub use heuristics::{Fighters, HeuristicMap, MOST_LUCK_FOR_STRATEGIES, Score, Scores, win_with_strategy};
pub use map::{Amplify, Decision, Decisions, LuckMap, TooLarge};
pub use rules::{
    Armour, Chance, Enemy, Escape, Hero, MOST_ENEMIES, MOST_SKILL, MOST_STAMINA, MOST_TOGETHER, Objective, RulesError,
    SpecialRules, SuddenDeath, Wound,
};
pub use strategy::{Outcome, Strategy, UnknownStrategy};
