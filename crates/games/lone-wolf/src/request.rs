//! The request to analyse a fight: the figures of hero and enemy, the hero's equipment, and the section's rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use crate::combat::{CombatTable, Conditions};
use crate::fight::Fight;
use crate::fold::MOST_ROUNDS;

/// Combat skills and bonuses beyond this do not occur in games; only differences up to 11 matter anyway.
pub const MOST_SKILL: i32 = 1000;
/// The most ENDURANCE that an action chart has room for.
pub const MOST_ENDURANCE: u8 = 99;

/// The hero's loss in every round from the enemy's Mindblast.
const MINDBLAST: u8 = 2;

/// An enemy's figures, as text `SKILL/ENDURANCE`.
///
/// ```
/// use lone_wolf::Enemy;
///
/// assert_eq!("22/30".parse(), Ok(Enemy { combat_skill: 22, endurance: 30 }));
/// assert!("22/0".parse::<Enemy>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enemy {
    /// From -[`MOST_SKILL`] to [`MOST_SKILL`].
    pub combat_skill: i32,
    /// From 1 to [`MOST_ENDURANCE`].
    pub endurance: u8,
}

impl FromStr for Enemy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(skill, endurance)| {
            let combat_skill = skill.parse().ok().filter(|skill| (-MOST_SKILL..=MOST_SKILL).contains(skill))?;
            let endurance = endurance.parse().ok().filter(|endurance| (1..=MOST_ENDURANCE).contains(endurance))?;
            Some(Self { combat_skill, endurance })
        });
        parsed.ok_or_else(|| {
            format!(
                "write combat skill and ENDURANCE such as 22/30: the skill from -{MOST_SKILL} to {MOST_SKILL}, \
                 ENDURANCE from 1 to {MOST_ENDURANCE}"
            )
        })
    }
}

/// A number of first rounds of a fight, at most [`MOST_ROUNDS`]; for all, as text `always`.
///
/// ```
/// use lone_wolf::Rounds;
///
/// assert_eq!(("2".parse(), "always".parse()), (Ok(Rounds(2)), Ok(Rounds(u32::MAX))));
/// assert!("101".parse::<Rounds>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds(pub u32);

impl FromStr for Rounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(rounds) if rounds <= MOST_ROUNDS => Ok(Self(rounds)),
            _ if text == "always" => Ok(Self(u32::MAX)),
            _ => Err(format!("write a number of rounds up to {MOST_ROUNDS}, or always")),
        }
    }
}

/// Parses a value that JSON has as a text or as a number.
fn as_text<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(deserializer: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a whole number from 0")]
    enum TextOrNumber {
        Text(String),
        Number(u64),
    }
    let text = match TextOrNumber::deserialize(deserializer)? {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    };
    text.parse().map_err(serde::de::Error::custom)
}

impl<'de> Deserialize<'de> for Enemy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_text(deserializer)
    }
}

impl<'de> Deserialize<'de> for Rounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_text(deserializer)
    }
}

/// The request to analyse a fight.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that a hero has or has not")]
pub struct FightRequest {
    /// The hero's combat skill, without the bonuses of other fields.
    pub combat_skill: i32,
    /// The hero's ENDURANCE at the beginning of the fight.
    pub endurance: u8,
    /// The enemy.
    pub enemy: Enemy,
    /// The hero's ENDURANCE at full health.
    #[serde(default)]
    pub max_endurance: Option<u8>,
    /// +2, against an enemy that is not immune.
    #[serde(default)]
    pub mindblast: bool,
    /// +2; not together with `unarmed`.
    #[serde(default)]
    pub weaponskill: bool,
    /// -4.
    #[serde(default)]
    pub unarmed: bool,
    /// +2.
    #[serde(default)]
    pub shield: bool,
    /// Any other bonus for the whole fight; negative for a penalty.
    #[serde(default)]
    pub bonus: i32,
    /// Whether the enemy's loss from the table is doubled.
    #[serde(default)]
    pub double_damage: bool,
    /// Whether the hero loses 2 more in every round.
    #[serde(default)]
    pub enemy_mindblast: bool,
    /// The first rounds in which the hero loses nothing at all.
    #[serde(default)]
    pub untouchable: Rounds,
    /// The first round, from 1 to [`MOST_ROUNDS`], in which the hero may run.
    #[serde(default)]
    pub evade_from: Option<u32>,
}

/// An invalid request: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongFight {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for WrongFight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

impl std::error::Error for WrongFight {}

impl FightRequest {
    /// The fight.
    ///
    /// # Errors
    /// When a figure is out of its range, or two fields exclude each other.
    ///
    /// ```
    /// use lone_wolf::{FightRequest, analyse};
    ///
    /// let request: FightRequest = serde_json::from_str(
    ///     r#"{"combat_skill": 10, "endurance": 20, "unarmed": true, "enemy": "17/26"}"#,
    /// )?;
    /// let analysis = analyse(&request.fight()?, &mdp::ExploreOptions::default())?;
    /// assert_eq!(analysis.death, mdp::ratio(992_003, 1_000_000));
    /// assert!(FightRequest { endurance: 0, ..request }.fight().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fight(&self) -> Result<Fight<'static>, WrongFight> {
        self.check()?;
        Ok(Fight {
            table: CombatTable::standard(),
            conditions: Conditions {
                ratio: self.hero_skill() - self.enemy.combat_skill,
                mindforce: if self.enemy_mindblast { MINDBLAST } else { 0 },
                untouchable: self.untouchable.0,
                double_damage: self.double_damage,
                ..Conditions::default()
            },
            hero: self.endurance,
            enemy: self.enemy.endurance,
            evade_from: self.evade_from,
        })
    }

    fn check(&self) -> Result<(), WrongFight> {
        let wrong = |message: String, help: String| Err(WrongFight { message, help });
        for (name, skill) in [("combat_skill", self.combat_skill), ("bonus", self.bonus)] {
            if !(-MOST_SKILL..=MOST_SKILL).contains(&skill) {
                return wrong(format!("{name} is {skill}"), format!("it is from -{MOST_SKILL} to {MOST_SKILL}"));
            }
        }
        let endurances = [("endurance", Some(self.endurance)), ("max_endurance", self.max_endurance)];
        for (name, endurance) in endurances {
            if let Some(endurance) = endurance.filter(|endurance| !(1..=MOST_ENDURANCE).contains(endurance)) {
                return wrong(format!("{name} is {endurance}"), format!("it is from 1 to {MOST_ENDURANCE}"));
            }
        }
        if self.max_endurance.is_some_and(|most| self.endurance > most) {
            let help = "ENDURANCE never rises above what the hero has at full health";
            return wrong(format!("endurance {} is more than max_endurance", self.endurance), help.into());
        }
        if let Some(round) = self.evade_from.filter(|round| !(1..=MOST_ROUNDS).contains(round)) {
            return wrong(format!("evade_from is {round}"), format!("it is a round from 1 to {MOST_ROUNDS}"));
        }
        if self.weaponskill && self.unarmed {
            let help = "Weaponskill is about a weapon: leave out one of them";
            return wrong("weaponskill does not go with unarmed".into(), help.into());
        }
        Ok(())
    }

    /// The bonuses of the hero, by name.
    pub fn bonuses(&self) -> impl Iterator<Item = (i32, &'static str)> {
        [
            (self.mindblast, 2, "Mindblast"),
            (self.weaponskill, 2, "Weaponskill"),
            (self.unarmed, -4, "unarmed"),
            (self.shield, 2, "shield"),
            (self.bonus != 0, self.bonus, if self.bonus > 0 { "bonus" } else { "penalty" }),
        ]
        .into_iter()
        .filter_map(|(there, bonus, name)| there.then_some((bonus, name)))
    }

    /// The hero's combat skill with all bonuses.
    pub fn hero_skill(&self) -> i32 {
        self.combat_skill + self.bonuses().map(|(bonus, _)| bonus).sum::<i32>()
    }
}
