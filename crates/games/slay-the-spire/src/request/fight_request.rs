//! The request for a fight of Act 1: the arguments of the command, and the fields of pages.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Deserialize;

use super::encounters::Encounters;
use super::group::GroupRequest;
use crate::data::card::Card;
use crate::data::encounter::groups;
use crate::data::enemy::Kind;
use crate::data::name::shown;
use crate::data::next_encounter::{Met, next_elite, next_fight};
use crate::data::potion::Potion;
use crate::data::relic::{Relic, Relics};
use crate::numbers::chance::Chance;
use crate::rules::HIGHEST_HEALTH;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;

/// The most ways in which a group of enemies can begin: by health and Curl Up of each.
const MOST_STARTS: usize = 100_000;

/// The request for a fight of Act 1; fields that are left out are as at the beginning of a run.
///
/// ```
/// use slay_the_spire::FightRequest;
///
/// let request = FightRequest { enemies: vec!["jaw-worm".into()], relics: vec!["vajra".into()], ..FightRequest::default() };
/// assert_eq!((request.hero()?.deck.len(), request.encounters()?.len()), (10, 1));
/// let request = FightRequest { deck: Some("strike=5,bush".into()), ..request };
/// assert!(request.hero().unwrap_err().to_string().contains("no card is called 'bush'"));
/// # Ok::<(), slay_the_spire::RequestError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FightRequest {
    /// The ascension, 0 to 20.
    pub ascension: u8,
    /// The maximum health; that of the ascension if left out.
    pub max_hp: Option<i16>,
    /// The health at the start; the maximum if left out.
    pub hp: Option<i16>,
    /// Cards with their counts: `strike=5,defend=4,bash+=1`; the starting deck if left out.
    pub deck: Option<String>,
    /// The relics.
    pub relics: Vec<String>,
    /// The potions.
    pub potions: Vec<String>,
    /// Whether 6 health is gained after a won fight, as by the relic.
    pub burning_blood: bool,
    /// Enemies of one group, from the left, or the name of an encounter or a pool; `next` and `next-elite` for what can
    /// come after the fights that were `met`.
    pub enemies: Vec<String>,
    /// The fights of the act that were met, in order: `jaw-worm`, `two-louses`.
    pub met: Vec<String>,
    /// Groups with weights, in place of these.
    pub groups: Option<Vec<GroupRequest>>,
    /// Each enemy's health in order: `40..=44,-,42`.
    pub enemy_hp: Option<String>,
    /// Each enemy's Curl Up likewise.
    pub curl_up: Option<String>,
    /// `health`, `survival`, `turns`, `loss` or `at-least 40`.
    pub objective: Goal,
    /// A weighted sum in its place: `health + 8 * survival`.
    pub value: Option<String>,
}

/// An objective as a request names it: `health`, `survival`, `turns`, `loss` or `at-least 40`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Goal {
    /// Expected health after the fight.
    #[default]
    Health,
    /// The chance to survive.
    Survival,
    /// The least loss of health for a player who cannot die.
    Loss,
    /// The fewest turns, where a defeat costs 1,000 more.
    Turns,
    /// The chance to end the fight with at least this much health.
    AtLeast(i16),
}

impl Goal {
    /// The objective for the search.
    pub fn objective(self) -> Objective {
        match self {
            Self::Health => Objective::Health,
            Self::Survival => Objective::Survival,
            Self::Loss => Objective::Loss,
            Self::Turns => Objective::Turns,
            Self::AtLeast(least) => Objective::AtLeast(least),
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    /// ```
    /// use slay_the_spire::Goal;
    ///
    /// assert_eq!("at-least 40".parse(), Ok(Goal::AtLeast(40)));
    /// assert!("at-least 0".parse::<Goal>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let shown = shown(text);
            format!("no objective is called '{shown}'; there are health, survival, turns, loss and \"at-least 40\"")
        };
        match text {
            "health" => Ok(Self::Health),
            "survival" => Ok(Self::Survival),
            "loss" => Ok(Self::Loss),
            "turns" => Ok(Self::Turns),
            _ => {
                let least = text.strip_prefix("at-least").or_else(|| text.strip_prefix("at_least"));
                let least = least.and_then(|least| least.trim_start_matches(['=', ' ']).parse().ok());
                least.filter(|least| (1..=HIGHEST_HEALTH).contains(least)).map(Self::AtLeast).ok_or_else(wrong)
            }
        }
    }
}

impl TryFrom<String> for Goal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Health => f.write_str("health"),
            Self::Survival => f.write_str("survival"),
            Self::Loss => f.write_str("loss"),
            Self::Turns => f.write_str("turns"),
            Self::AtLeast(least) => write!(f, "at-least {least}"),
        }
    }
}

/// An invalid request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// The field of [`FightRequest`], if the message is about one.
    pub field: Option<&'static str>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            Some(field) => write!(f, "{field}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RequestError {}

/// Another error, as text.
fn wrong(message: impl fmt::Display) -> RequestError {
    RequestError { field: None, message: message.to_string() }
}

fn wrong_in(field: &'static str, message: impl fmt::Display) -> RequestError {
    RequestError { field: Some(field), message: message.to_string() }
}

impl FightRequest {
    /// The fight of the talk "Min-maxing Slay the Spire with Haskell".
    ///
    /// ```
    /// use slay_the_spire::{FightOptions, Exactness, FightRequest, solve_several};
    ///
    /// let request = FightRequest::of_the_talk();
    /// let (hero, encounters) = (request.hero()?, request.encounters()?);
    /// let asked = FightOptions { exact: Exactness::Everything, ends: true };
    /// let health = request.health(&hero)?;
    /// let budget = budget::Budget::unlimited();
    /// let solved = solve_several(&hero, &encounters, &[health], request.objective()?, asked, &budget)?;
    /// assert_eq!(solved.worths[0].exact, Some(mdp::ratio(32_627_274_131, 513_429_840)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_the_talk() -> Self {
        Self {
            ascension: 17,
            hp: Some(68),
            deck: Some("strike=5,defend=4,bash=1,ascenders-bane=1".into()),
            enemies: vec!["cultist".into()],
            enemy_hp: Some("50..=56".into()),
            ..Self::default()
        }
    }

    /// The player.
    ///
    /// # Errors
    /// When a card, a relic or a potion is not known.
    pub fn hero(&self) -> Result<Hero, RequestError> {
        let start = Hero::new(self.ascension);
        let mut relics: Relics =
            self.relics.iter().map(|name| name.parse::<Relic>().map_err(wrong)).collect::<Result<_, _>>()?;
        if self.burning_blood {
            relics = relics.with(Relic::BurningBlood);
        }
        Ok(Hero {
            ascension: self.ascension,
            max_health: self.max_hp.unwrap_or(start.max_health),
            deck: self.deck.as_deref().map_or(Ok(start.deck), deck)?,
            relics,
            potions: self.potions.iter().map(|name| name.parse::<Potion>().map_err(wrong)).collect::<Result<_, _>>()?,
        })
    }

    /// The player's health at the start.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn health(&self, hero: &Hero) -> Result<i16, RequestError> {
        let health = self.hp.unwrap_or(hero.max_health);
        if !(1..=HIGHEST_HEALTH).contains(&hero.max_health) {
            return Err(wrong_in("max_hp", format_args!("it goes from 1 to {HIGHEST_HEALTH}")));
        }
        if !(1..=hero.max_health).contains(&health) {
            return Err(wrong_in("hp", format_args!("it goes from 1 to max_hp, {} here", hero.max_health)));
        }
        Ok(health)
    }

    /// The objective.
    ///
    /// # Errors
    /// When the weighted sum is invalid.
    pub fn objective(&self) -> Result<Objective, RequestError> {
        self.value.as_ref().map_or_else(|| Ok(self.objective.objective()), |sum| weighted(sum))
    }

    /// The groups of enemies that can be met, with their shares.
    ///
    /// # Errors
    /// When a name is unknown, or the healths are invalid.
    pub fn encounters(&self) -> Result<Encounters, RequestError> {
        let ranged = self.enemy_hp.is_some() || self.curl_up.is_some();
        if let Some(groups) = &self.groups {
            if ranged {
                return Err(wrong_in("groups", "each group sets its enemies' health and Curl Up itself"));
            }
            let found = GroupRequest::encounters(groups, self.ascension);
            let found = found.map_err(|message| wrong_in("groups", message))?;
            found.iter().try_for_each(|(_, foes)| few_starts(foes, "groups"))?;
            return Ok(found);
        }
        let found = match &self.enemies[..] {
            [] => return Err(wrong_in("enemies", "name an enemy, an encounter or a pool, such as jaw-worm")),
            [name] if matches!(name.as_str(), "next" | "next-elite") => {
                let met: Result<Vec<Met>, _> = self.met.iter().map(|name| name.parse()).collect();
                let met = met.map_err(|error| wrong_in("met", error))?;
                if name == "next" { next_fight(&met) } else { next_elite(&met) }.map_err(wrong)?
            }
            [name] => groups(name).map_err(wrong)?,
            many => {
                let kinds = many.iter().map(|name| name.parse::<Kind>().map_err(wrong));
                vec![(Chance::ONE, kinds.collect::<Result<_, _>>()?)]
            }
        };
        if ranged && found.len() > 1 {
            return Err(wrong(
                "the enemies' health and Curl Up can be given for one group of enemies, not for several",
            ));
        }
        let group = |(chance, kinds): (Chance, Vec<Kind>)| {
            let mut foes: Vec<Foe> = kinds.into_iter().map(|kind| Foe::of(kind, self.ascension)).collect();
            for (index, range) in ranges(self.enemy_hp.as_deref(), foes.len(), "enemy_hp", 1, 999)? {
                foes[index].health = range;
            }
            for (index, range) in ranges(self.curl_up.as_deref(), foes.len(), "curl_up", 0, 99)? {
                foes[index].curl_up = narrow(*range.start())..=narrow(*range.end());
            }
            few_starts(&foes, "enemy_hp")?;
            Ok((chance.exactly(), foes))
        };
        found.into_iter().map(group).collect()
    }
}

/// A number that is known to be at most 99.
fn narrow(bound: u16) -> u8 {
    u8::try_from(bound).expect("it is at most 99")
}

/// Refuses enemies with too many possible starts.
fn few_starts(foes: &[Foe], field: &'static str) -> Result<(), RequestError> {
    let ways = foes.iter().map(|foe| foe.health.clone().count().saturating_mul(foe.curl_up.clone().count()));
    if ways.fold(1usize, usize::saturating_mul) > MOST_STARTS {
        let right = format_args!("there are more than {MOST_STARTS} ways to begin: give narrower ranges");
        return Err(wrong_in(field, right));
    }
    Ok(())
}

/// Cards with their counts: `strike=5,defend=4,bash+=1`.
fn deck(text: &str) -> Result<Vec<Card>, RequestError> {
    let mut cards = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, count) = part.rsplit_once('=').unwrap_or((part, "1"));
        let count: usize = count.trim().parse::<usize>().ok().filter(|count| *count <= 99).ok_or_else(|| {
            let shown: String = part.chars().take(40).collect();
            let message =
                format_args!("expected a card and a count up to 99, not '{}'", shown.escape_debug()).to_string();
            wrong_in("deck", message)
        })?;
        let card: Card = name.parse().map_err(wrong)?;
        cards.extend(std::iter::repeat_n(card, count));
    }
    Ok(cards)
}

type Range = RangeInclusive<u16>;

/// The entries other than `-`, with their indices.
fn ranges(
    text: Option<&str>,
    count: usize,
    field: &'static str,
    least: u16,
    most: u16,
) -> Result<Vec<(usize, Range)>, RequestError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let bad = || {
        let right = format_args!(
            "expected one entry for each of {count} enemies, each a number from {least} to {most}, a range such as 40..=44, or -"
        );
        wrong_in(field, right)
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

/// A sum of health, `max_hp`, survival and potion, each with a non-negative factor.
fn weighted(text: &str) -> Result<Objective, RequestError> {
    let bad = || {
        let right = "expected a sum of health, max_hp, survival and potion with factors of at least 0, such as \"health + 8 * survival\"";
        wrong_in("value", right)
    };
    let (mut health, mut survival, mut potion, mut max_health) = (0.0, 0.0, 0.0, 0.0);
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
            Some("max_hp" | "max-hp" | "max hp" | "max_health") => max_health += factor,
            _ => return Err(bad()),
        }
    }
    Ok(Objective::Weighted { health, survival, potion, max_health })
}
