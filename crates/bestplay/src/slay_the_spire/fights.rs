//! Fights of Act 1 as arguments.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use slay_the_spire::act1::{
    Card, Encounters, EnemyKind, Foe, Hero, Interval, Objective, Potion, Relic, Relics, groups,
};

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

/// A deck as an argument: `strike=5,defend=4,bash+=1`.
pub fn deck(text: &str) -> Result<Vec<Card>, Failure> {
    let mut cards = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, count) = part.rsplit_once('=').unwrap_or((part, "1"));
        let count: usize = count.trim().parse::<usize>().ok().filter(|count| *count <= 99).ok_or_else(|| {
            let shown: String = part.chars().take(40).collect();
            wrong(format_args!("--deck: expected a card and a count up to 99, not '{}'", shown.escape_debug()))
        })?;
        let card: Card = name.parse().map_err(wrong)?;
        cards.extend(std::iter::repeat_n(card, count));
    }
    Ok(cards)
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

    /// The player.
    pub fn hero(&self, deck_text: Option<&str>) -> Result<Hero, Failure> {
        let start = Hero::new(self.ascension());
        let mut relics: Relics =
            self.relics.iter().map(|name| name.parse::<Relic>().map_err(wrong)).collect::<Result<_, _>>()?;
        if self.burning_blood {
            relics = relics.with(Relic::BurningBlood);
        }
        Ok(Hero {
            ascension: self.ascension(),
            max_health: self.max_hp.unwrap_or(start.max_health),
            deck: deck_text.map_or(Ok(start.deck), deck)?,
            relics,
            potions: self.potions.iter().map(|name| name.parse::<Potion>().map_err(wrong)).collect::<Result<_, _>>()?,
        })
    }

    /// What is played for.
    pub fn objective(&self, goal: Goal) -> Result<Objective, Failure> {
        match (&self.value, goal) {
            (Some(sum), _) => weighted(sum),
            (None, Goal::Health) => Ok(Objective::Health),
            (None, Goal::Survival) => Ok(Objective::Survival),
            (None, Goal::Loss) => Ok(Objective::Loss),
        }
    }

    /// The groups of enemies, by names or from a file, with their shares.
    pub fn encounters(&self, names: &[String]) -> Result<Encounters, Failure> {
        if let Some(path) = &self.encounters {
            return from_file(path, self.ascension());
        }
        let found = match names {
            [name] => groups(name).map_err(wrong)?,
            many => {
                let kinds = many.iter().map(|name| name.parse::<EnemyKind>().map_err(wrong));
                vec![(slay_the_spire::act1::Chance::ONE, kinds.collect::<Result<_, _>>()?)]
            }
        };
        let ranged = self.enemy_hp.is_some() || self.curl_up.is_some();
        if ranged && found.len() > 1 {
            return Err(wrong("--enemy-hp and --curl-up are for one group of enemies, not for several"));
        }
        found
            .into_iter()
            .map(|(chance, kinds)| {
                let mut foes: Vec<Foe> = kinds.into_iter().map(|kind| Foe::of(kind, self.ascension())).collect();
                for (index, range) in ranges(self.enemy_hp.as_deref(), foes.len(), "--enemy-hp", 1, 999)? {
                    foes[index].health = range;
                }
                for (index, range) in ranges(self.curl_up.as_deref(), foes.len(), "--curl-up", 0, 99)? {
                    let narrow = |bound: u16| u8::try_from(bound).unwrap_or(u8::MAX);
                    foes[index].curl_up = narrow(*range.start())..=narrow(*range.end());
                }
                Ok((chance.as_f64(), foes))
            })
            .collect()
    }
}

type Range = std::ops::RangeInclusive<u16>;

/// The entries that are no `-`, with their places.
fn ranges(
    text: Option<&str>,
    count: usize,
    option: &str,
    least: u16,
    most: u16,
) -> Result<Vec<(usize, Range)>, Failure> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let bad = || {
        wrong(format_args!(
            "{option}: expected one entry for each of {count} enemies, each a number from {least} to {most}, a range such as 40..=44, or -"
        ))
    };
    if parts.len() != count {
        return Err(bad());
    }
    let mut found = Vec::new();
    for (index, part) in parts.into_iter().enumerate().filter(|(_, part)| *part != "-") {
        let (first, last) = part.split_once("..=").or_else(|| part.split_once('-')).unwrap_or((part, part));
        let bound = |text: &str| text.trim().parse::<u16>().map_err(|_| bad());
        let (first, last) = (bound(first)?, bound(last)?);
        if first < least || last > most || first > last {
            return Err(bad());
        }
        found.push((index, first..=last));
    }
    Ok(found)
}

/// A sum of health, survival and potion, each with a factor that is not negative.
fn weighted(text: &str) -> Result<Objective, Failure> {
    let bad = || {
        wrong(
            "--value: expected a sum of health, survival and potion with factors of at least 0, such as \"health + 8 * survival\"",
        )
    };
    let (mut health, mut survival, mut potion) = (0.0, 0.0, 0.0);
    for term in text.split('+') {
        let (mut factor, mut name) = (1.0, None);
        for part in term.split('*').map(str::trim) {
            match part.parse::<f64>() {
                Ok(number) if (0.0..=1e6).contains(&number) => factor *= number,
                Err(_) if name.is_none() => name = Some(part),
                _ => return Err(bad()),
            }
        }
        match name {
            Some("health") => health += factor,
            Some("survival") => survival += factor,
            Some("potion" | "potions") => potion += factor,
            _ => return Err(bad()),
        }
    }
    Ok(Objective::Weighted { health, survival, potion })
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
