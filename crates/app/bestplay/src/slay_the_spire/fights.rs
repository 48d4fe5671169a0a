//! Fights of Act 1 as arguments.

use std::path::PathBuf;

use clap::Args;
use mdp::nearest;
use slay_the_spire::{Amount, Encounters, FightRequest, Goal, Interval, RequestError, RulesError};

use super::input::read_json;
use crate::output::Failure;

/// The player and his enemies.
#[derive(Args, Clone)]
pub struct FightArgs {
    /// The ascension, 0 to 20 [default: 0]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=20))]
    ascension: Option<u8>,
    /// The highest health the Ironclad can have [default: 80; 75 from ascension 14]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(i16).range(1..=250))]
    pub max_hp: Option<i16>,
    /// Relics, separated by commas: anchor,vajra
    #[arg(long, value_name = "RELICS", value_delimiter = ',')]
    pub relics: Vec<String>,
    /// Potions, separated by commas: fire,weak
    #[arg(long, value_name = "POTIONS", value_delimiter = ',')]
    pub potions: Vec<String>,
    /// The fights of Act 1 so far, in order, separated by commas: jaw-worm,two-louses. `next` and `next-elite` are then the
    /// pools of fights that can still come
    #[arg(long, value_name = "ENCOUNTERS", value_delimiter = ',')]
    pub met: Vec<String>,
    /// Add 6 health after a won fight, as the relic does
    #[arg(long)]
    pub burning_blood: bool,
    /// Each enemy's health in order, separated by commas: 40..=44, or 42, or - for its own range
    #[arg(long, alias = "cultist-hp", value_name = "HPS")]
    pub enemy_hp: Option<String>,
    /// Each enemy's Curl Up in order, separated by commas: 3..=7, or 5, or - for its own range
    #[arg(long, value_name = "BLOCKS")]
    pub curl_up: Option<String>,
    /// Groups of enemies with their weights, a JSON file
    #[arg(long, value_name = "FILE")]
    pub encounters: Option<PathBuf>,
    /// Another sum to play for, of health, `max_hp`, survival and potion: "health + 8 * survival"
    #[arg(long, value_name = "SUM")]
    pub value: Option<String>,
}

/// What to play for.
#[derive(Args)]
pub struct GoalArgs {
    /// What to play for: health, survival, "at-least 40" (the chance to keep so much), turns (the fewest; a defeat costs
    /// 1,000), or loss (of a hero who cannot die)
    #[arg(long, value_name = "OBJECTIVE", default_value_t)]
    pub objective: Goal,
}

/// The failure of an argument that names something unknown.
fn wrong(message: impl std::fmt::Display) -> Failure {
    Failure::bad_input(
        message,
        "docs/slay-the-spire-act-1.md and docs/slay-the-spire-rules.md list what is modelled, by its names",
    )
}

/// The failure of a request from options.
pub(super) fn bad_request(error: RequestError) -> Failure {
    match error.field {
        Some(field) => wrong(format_args!("--{}: {}", field.replace('_', "-"), error.message)),
        None => wrong(error.message),
    }
}

impl FightArgs {
    /// The request with these options; what they leave out is as in `base`.
    pub fn request(&self, base: FightRequest) -> FightRequest {
        let or = |own: &[String], base: Vec<String>| if own.is_empty() { base } else { own.to_vec() };
        FightRequest {
            ascension: self.ascension.unwrap_or(base.ascension),
            max_hp: self.max_hp.or(base.max_hp),
            relics: or(&self.relics, base.relics),
            potions: or(&self.potions, base.potions),
            met: or(&self.met, base.met),
            burning_blood: self.burning_blood,
            enemy_hp: self.enemy_hp.clone().or(base.enemy_hp),
            curl_up: self.curl_up.clone().or(base.curl_up),
            value: self.value.clone().or(base.value),
            ..base
        }
    }

    /// The groups of enemies, by names or from a file, with their shares.
    pub fn encounters(&self, request: &FightRequest) -> Result<Encounters, Failure> {
        let Some(path) = &self.encounters else { return request.encounters().map_err(bad_request) };
        let right = "expected [{\"weight\": \"1/8\", \"enemies\": [{\"kind\": \"cultist\", \"hp\": [48, 54]}]}, ...]";
        let groups = Some(read_json(path, right)?);
        // The file describes its enemies completely.
        let request = FightRequest { groups, enemy_hp: None, curl_up: None, ..request.clone() };
        request.encounters().map_err(|error| Failure::bad_input(error.message, right))
    }
}

/// The bounds of a number, with the digits in which they agree.
pub fn interval_text(interval: Interval) -> String {
    match (interval.lower.is_finite(), interval.upper.is_finite()) {
        (true, true) if interval.width() < 1e-8 => format!("{:.8}", unsigned_zero(interval.middle())),
        (true, true) => format!("{:.6} to {:.6}", interval.lower, interval.upper),
        (true, false) => format!("at least {:.6}", interval.lower),
        (false, true) => format!("at most {:.6}", interval.upper),
        (false, false) => "not known".into(),
    }
}

/// The same for a number that may be known exactly: then with all its digits.
pub(super) fn amount_text(amount: &Amount) -> String {
    amount.exact.as_ref().map_or_else(|| interval_text(amount.bounds), |exact| nearest(exact).to_string())
}

/// The failure of a fight with something that is not modelled.
pub(super) fn not_modelled(error: RulesError) -> Failure {
    Failure::bad_input(error, "see docs/slay-the-spire-rules.md for what is modelled")
}

/// A number shown with eight decimals: never negative zero.
fn unsigned_zero(number: f64) -> f64 {
    if number.abs() < 5e-9 { 0.0 } else { number }
}
