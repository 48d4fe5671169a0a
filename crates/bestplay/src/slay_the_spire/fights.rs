//! Fights of Act 1 as arguments.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use slay_the_spire::act1::{Encounters, FightSaid, Foe, Hero, Interval, Objective, SaidError};

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
    /// What to play for instead, in health, survival and potion: "health + 8 * survival"
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

    fn ascension(&self) -> u8 {
        self.ascension.unwrap_or(0)
    }

    /// The fight as it is said, but for the enemies.
    fn said(&self) -> FightSaid {
        FightSaid {
            ascension: self.ascension(),
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
        match &self.encounters {
            Some(path) => from_file(path, self.ascension()),
            None => FightSaid { enemies: names.to_vec(), ..self.said() }.encounters().map_err(unsaid),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EncounterFile {
    weight: Weight,
    enemies: Vec<FoeFile>,
}

/// A number, or a fraction in a string.
#[derive(Deserialize)]
#[serde(untagged)]
enum Weight {
    Number(f64),
    Fraction(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FoeFile {
    kind: String,
    hp: Option<[u16; 2]>,
    curl_up: Option<[u8; 2]>,
}

fn from_file(path: &Path, ascension: u8) -> Result<Encounters, Failure> {
    let right = "expected [{\"weight\": \"1/8\", \"enemies\": [{\"kind\": \"cultist\", \"hp\": [48, 54]}]}, ...]";
    let file: Vec<EncounterFile> = read_json(path, right)?;
    let mut encounters = Vec::new();
    for encounter in &file {
        let weight = match &encounter.weight {
            Weight::Number(number) => Some(*number),
            Weight::Fraction(text) => {
                let (above, below) = text.split_once('/').unwrap_or((text, "1"));
                above
                    .trim()
                    .parse::<f64>()
                    .ok()
                    .zip(below.trim().parse::<f64>().ok())
                    .map(|(above, below)| above / below)
            }
        };
        let weight = weight.filter(|weight| weight.is_finite() && *weight > 0.0);
        let weight = weight.ok_or_else(|| Failure::bad_input("a weight is a number above 0, or a fraction", right))?;
        let foes = encounter.enemies.iter().map(|foe| foe.foe(ascension, right)).collect::<Result<_, _>>()?;
        encounters.push((weight, foes));
    }
    let total: f64 = encounters.iter().map(|(weight, _)| weight).sum();
    if encounters.is_empty() {
        return Err(Failure::bad_input("there are no encounters in the file", right));
    }
    for (weight, _) in &mut encounters {
        *weight /= total;
    }
    Ok(encounters)
}

impl FoeFile {
    fn foe(&self, ascension: u8, right: &str) -> Result<Foe, Failure> {
        let mut foe = Foe::of(self.kind.parse().map_err(wrong)?, ascension);
        if let Some([first, last]) = self.hp {
            foe.health = first..=last;
        }
        if let Some([first, last]) = self.curl_up {
            foe.curl_up = first..=last;
        }
        if foe.health.is_empty()
            || foe.curl_up.is_empty()
            || !(1..=999).contains(foe.health.start())
            || *foe.health.end() > 999
        {
            return Err(Failure::bad_input(
                format_args!("{}: hp goes from 1 to 999, the lower number first", foe.kind),
                right,
            ));
        }
        Ok(foe)
    }
}

/// A number between its bounds, for people: as many digits as they agree in.
pub fn told(interval: Interval) -> String {
    if interval.width() < 1e-8 {
        format!("{:.8}", interval.middle())
    } else {
        format!("{:.6} to {:.6}", interval.lower, interval.upper)
    }
}
