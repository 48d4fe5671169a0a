//! Fights of Act 1 as arguments.

use std::path::PathBuf;

use clap::Args;
use slay_the_spire::act1::{Encounters, FightSaid, Hero, Interval, Objective, RulesError, SaidError};

use super::goal::Goal;
use super::input::read_json;
use crate::output::Failure;

/// The player and his enemies.
#[derive(Args, Clone)]
pub struct FightArgs {
    /// The ascension, 0 to 20 [default: 0]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=20),
        help_heading = "Fights of Act 1")]
    ascension: Option<u8>,
    /// The highest health the Ironclad can have [default: 80; 75 from ascension 14]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(i16).range(1..=250),
        help_heading = "Fights of Act 1")]
    pub max_hp: Option<i16>,
    /// Relics, separated by commas: anchor,vajra
    #[arg(long, value_name = "RELICS", value_delimiter = ',', help_heading = "Fights of Act 1")]
    pub relics: Vec<String>,
    /// Potions, separated by commas: fire,weak
    #[arg(long, value_name = "POTIONS", value_delimiter = ',', help_heading = "Fights of Act 1")]
    pub potions: Vec<String>,
    /// 6 health after a fight that was won, as by the relic
    #[arg(long, help_heading = "Fights of Act 1")]
    pub burning_blood: bool,
    /// Each enemy's health in order, separated by commas: 40..=44, or 42, or - for its own range
    #[arg(long, value_name = "HPS", help_heading = "Fights of Act 1")]
    pub enemy_hp: Option<String>,
    /// Each enemy's Curl Up in order, separated by commas: 3..=7, or 5, or - for its own range
    #[arg(long, value_name = "BLOCKS", help_heading = "Fights of Act 1")]
    pub curl_up: Option<String>,
    /// Groups of enemies with their weights, a JSON file
    #[arg(long, value_name = "FILE", help_heading = "Fights of Act 1")]
    pub encounters: Option<PathBuf>,
    /// What to play for instead, in health, `max_hp`, survival and potion: "health + 8 * survival"
    #[arg(long, value_name = "SUM", help_heading = "Fights of Act 1")]
    pub value: Option<String>,
}

/// What is wrong, and nothing more to say.
fn wrong(message: impl std::fmt::Display) -> Failure {
    Failure::bad_input(message, "see docs/slay-the-spire-act-1.md for what is modelled and how it is called")
}

/// The same of what was said; fields are options.
fn unsaid(error: SaidError) -> Failure {
    match error.field {
        Some(field) => wrong(format_args!("--{}: {}", field.replace('_', "-"), error.message)),
        None => wrong(error.message),
    }
}

impl FightArgs {
    /// Whether anything was said that only fights of Act 1 have.
    pub fn is_asked(&self) -> bool {
        self.ascension.is_some()
            || self.max_hp.is_some()
            || !self.relics.is_empty()
            || !self.potions.is_empty()
            || self.burning_blood
            || self.enemy_hp.is_some()
            || self.curl_up.is_some()
            || self.value.is_some()
    }

    /// The fight as it is said, but for the enemies.
    fn said(&self) -> FightSaid {
        FightSaid {
            ascension: self.ascension.unwrap_or(0),
            max_hp: self.max_hp,
            relics: self.relics.clone(),
            potions: self.potions.clone(),
            burning_blood: self.burning_blood,
            enemy_hp: self.enemy_hp.clone(),
            curl_up: self.curl_up.clone(),
            value: self.value.clone(),
            ..FightSaid::default()
        }
    }

    /// The player.
    pub fn hero(&self, deck: Option<&str>) -> Result<Hero, Failure> {
        FightSaid { deck: deck.map(String::from), ..self.said() }.hero().map_err(unsaid)
    }

    /// What is played for.
    pub fn objective(&self, goal: Goal) -> Result<Objective, Failure> {
        FightSaid { objective: goal.said(), ..self.said() }.objective().map_err(unsaid)
    }

    /// The groups of enemies, by names or from a file, with their shares.
    pub fn encounters(&self, names: &[String]) -> Result<Encounters, Failure> {
        let Some(path) = &self.encounters else {
            return FightSaid { enemies: names.to_vec(), ..self.said() }.encounters().map_err(unsaid);
        };
        let right = "expected [{\"weight\": \"1/8\", \"enemies\": [{\"kind\": \"cultist\", \"hp\": [48, 54]}]}, ...]";
        let groups = Some(read_json(path, right)?);
        // The file says everything of its enemies.
        let said = FightSaid { groups, enemy_hp: None, curl_up: None, ..self.said() };
        said.encounters().map_err(|error| Failure::bad_input(error.message, right))
    }
}

/// A number between its bounds, for people: as many digits as they agree in.
pub fn told(interval: Interval) -> String {
    match (interval.lower.is_finite(), interval.upper.is_finite()) {
        (true, true) if interval.width() < 1e-8 => format!("{:.8}", interval.middle()),
        (true, true) => format!("{:.6} to {:.6}", interval.lower, interval.upper),
        (true, false) => format!("at least {:.6}", interval.lower),
        (false, true) => format!("at most {:.6}", interval.upper),
        (false, false) => "not known".into(),
    }
}

/// The failure of a fight with what the rules do not have.
pub(super) fn not_modelled(error: RulesError) -> Failure {
    Failure::bad_input(error, "see docs/slay-the-spire-act-1.md for what is modelled")
}
