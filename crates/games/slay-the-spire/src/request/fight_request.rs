//! A fight of Act 1 as people say it: what the command takes as arguments, and pages as fields.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::encounters::Encounters;
use super::group::GroupSaid;
use crate::data::card::Card;
use crate::data::encounter::groups;
use crate::data::enemy::Kind;
use crate::data::potion::Potion;
use crate::data::relic::{Relic, Relics};
use crate::numbers::chance::Chance;
use crate::rules::HIGHEST_HEALTH;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;

/// A group of enemies begins in at most so many ways: by health and Curl Up of each.
const MOST_STARTS: usize = 100_000;

/// A fight of Act 1 as it is said; what is not said is as at the beginning of a run.
///
/// ```
/// use slay_the_spire::FightSaid;
///
/// let said = FightSaid { enemies: vec!["jaw-worm".into()], relics: vec!["vajra".into()], ..FightSaid::default() };
/// assert_eq!((said.hero()?.deck.len(), said.encounters()?.len()), (10, 1));
/// let said = FightSaid { deck: Some("strike=5,bush".into()), ..said };
/// assert!(said.hero().unwrap_err().to_string().contains("no card is called 'bush'"));
/// # Ok::<(), slay_the_spire::SaidError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FightSaid {
    /// The ascension, 0 to 20.
    pub ascension: u8,
    /// The highest health; of the ascension where it is left out.
    pub max_hp: Option<i16>,
    /// The health at the start; the highest where it is left out.
    pub hp: Option<i16>,
    /// Cards with their counts: `strike=5,defend=4,bash+=1`; the starting deck where it is left out.
    pub deck: Option<String>,
    /// The relics.
    pub relics: Vec<String>,
    /// The potions.
    pub potions: Vec<String>,
    /// Whether 6 health is gained after a fight that was won, as by the relic.
    pub burning_blood: bool,
    /// Enemies of one group, from the left, or the name of an encounter or a pool.
    pub enemies: Vec<String>,
    /// Groups with weights, in place of these.
    pub groups: Option<Vec<GroupSaid>>,
    /// Each enemy's health in order: `40..=44,-,42`.
    pub enemy_hp: Option<String>,
    /// Each enemy's Curl Up likewise.
    pub curl_up: Option<String>,
    /// `health`, `survival` or `loss`.
    pub objective: Goal,
    /// A sum in its place: `health + 8 * survival`.
    pub value: Option<String>,
}

/// What is played for, in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Expected health after the fight.
    #[default]
    Health,
    /// The chance to survive.
    Survival,
    /// The least loss of health by who cannot die.
    Loss,
}

/// What was said means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidError {
    /// The field, as [`FightSaid`] calls it, where the message is about one.
    pub field: Option<&'static str>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for SaidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            Some(field) => write!(f, "{field}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for SaidError {}

/// Something else is wrong, said in words.
fn wrong(message: impl fmt::Display) -> SaidError {
    SaidError { field: None, message: message.to_string() }
}

fn wrong_in(field: &'static str, message: impl fmt::Display) -> SaidError {
    SaidError { field: Some(field), message: message.to_string() }
}

impl FightSaid {
    /// The fight of the talk "Min-maxing Slay the Spire with Haskell".
    ///
    /// ```
    /// use slay_the_spire::{Asked, Exactness, FightSaid, solve_several};
    ///
    /// let said = FightSaid::of_the_talk();
    /// let (hero, encounters) = (said.hero()?, said.encounters()?);
    /// let asked = Asked { exact: Exactness::Everything, ends: true };
    /// let health = said.health(&hero)?;
    /// let budget = budget::Budget::unlimited();
    /// let solved = solve_several(&hero, &encounters, &[health], said.objective()?, asked, &budget)?;
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
    pub fn hero(&self) -> Result<Hero, SaidError> {
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

    /// The health with which this player begins.
    ///
    /// # Errors
    /// When he cannot have it.
    pub fn health(&self, hero: &Hero) -> Result<i16, SaidError> {
        let health = self.hp.unwrap_or(hero.max_health);
        if !(1..=HIGHEST_HEALTH).contains(&hero.max_health) {
            return Err(wrong_in("max_hp", format_args!("it goes from 1 to {HIGHEST_HEALTH}")));
        }
        if !(1..=hero.max_health).contains(&health) {
            return Err(wrong_in("hp", format_args!("it goes from 1 to max_hp, {} here", hero.max_health)));
        }
        Ok(health)
    }

    /// What is played for.
    ///
    /// # Errors
    /// When the sum is none.
    pub fn objective(&self) -> Result<Objective, SaidError> {
        match (&self.value, self.objective) {
            (Some(sum), _) => weighted(sum),
            (None, Goal::Health) => Ok(Objective::Health),
            (None, Goal::Survival) => Ok(Objective::Survival),
            (None, Goal::Loss) => Ok(Objective::Loss),
        }
    }

    /// The groups of enemies that can be met, with their shares.
    ///
    /// # Errors
    /// When a name is not known, or the healths are none.
    pub fn encounters(&self) -> Result<Encounters, SaidError> {
        let ranged = self.enemy_hp.is_some() || self.curl_up.is_some();
        if let Some(groups) = &self.groups {
            if ranged {
                return Err(wrong_in("groups", "each of them says its enemies' health and Curl Up itself"));
            }
            let found = GroupSaid::encounters(groups, self.ascension);
            let found = found.map_err(|message| wrong_in("groups", message))?;
            found.iter().try_for_each(|(_, foes)| few_starts(foes, "groups"))?;
            return Ok(found);
        }
        let found = match &self.enemies[..] {
            [] => return Err(wrong_in("enemies", "name an enemy, an encounter or a pool, such as jaw-worm")),
            [name] => groups(name).map_err(wrong)?,
            many => {
                let kinds = many.iter().map(|name| name.parse::<Kind>().map_err(wrong));
                vec![(Chance::ONE, kinds.collect::<Result<_, _>>()?)]
            }
        };
        if ranged && found.len() > 1 {
            return Err(wrong("the enemies' health and Curl Up are said of one group of enemies, not of several"));
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

/// A number that was read as one of at most 99.
fn narrow(bound: u16) -> u8 {
    u8::try_from(bound).expect("it is at most 99")
}

/// Refuses enemies who can begin in too many ways.
fn few_starts(foes: &[Foe], field: &'static str) -> Result<(), SaidError> {
    let ways = foes.iter().map(|foe| foe.health.clone().count().saturating_mul(foe.curl_up.clone().count()));
    if ways.fold(1usize, usize::saturating_mul) > MOST_STARTS {
        let right = format_args!("there are more than {MOST_STARTS} ways to begin: say narrower ranges");
        return Err(wrong_in(field, right));
    }
    Ok(())
}

/// Cards with their counts: `strike=5,defend=4,bash+=1`.
fn deck(text: &str) -> Result<Vec<Card>, SaidError> {
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

/// The entries that are no `-`, with their places.
fn ranges(
    text: Option<&str>,
    count: usize,
    field: &'static str,
    least: u16,
    most: u16,
) -> Result<Vec<(usize, Range)>, SaidError> {
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

/// A sum of health, `max_hp`, survival and potion, each with a factor that is not negative.
fn weighted(text: &str) -> Result<Objective, SaidError> {
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
