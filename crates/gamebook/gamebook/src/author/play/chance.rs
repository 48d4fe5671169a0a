//! Chances in a play: what is needed, how input is interpreted, and outcomes in words.

use std::fmt::Write as _;

use lone_wolf::Losses;
use mdp::Value;

use crate::book::Book;
use crate::terms::{Dice as DiceOfSystem, SectionNumber};

/// The current fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightNow {
    /// The enemy's name.
    pub name: String,
    /// The enemy's COMBAT SKILL.
    pub combat_skill: i32,
    /// The enemy's ENDURANCE.
    pub endurance: u16,
    /// The combat ratio of the next round; `None` before the weapon is chosen.
    pub ratio: Option<i32>,
}

/// The immediate effect of an outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// `gold +6`, `death`; empty if nothing is visible.
    pub what: String,
    /// The section that is entered.
    pub section: Option<SectionNumber>,
    /// Its probability.
    pub probability: f64,
    /// The probability of winning after it, if the play has hints.
    pub win: Option<Value>,
}

/// A chance.
#[derive(Clone, Debug, PartialEq)]
pub enum Chance {
    /// Numbers from 0 to 9 are picked.
    Numbers {
        /// The sums: an optional name and the number of picks.
        sums: Vec<(Option<String>, u8)>,
        /// The effect of each number from 0 to 9, if a single number is picked; else empty.
        prospects: Vec<Prospect>,
    },
    /// Dice of a system of rules are rolled.
    Dice {
        /// The sums: an optional name and the dice.
        sums: Vec<(Option<String>, DiceOfSystem)>,
        /// The effect of each total, in ascending order, if there is a single sum; else empty.
        prospects: Vec<(i32, Prospect)>,
    },
    /// A number is picked for a round of a fight.
    Round {
        /// The losses of the hero and the enemy, by the picked number.
        losses: [Losses; 10],
        /// The effect of each number from 0 to 9.
        prospects: Vec<Prospect>,
    },
    /// One of these outcomes.
    Outcomes(Vec<Prospect>),
}

impl Chance {
    /// How many numbers are picked; 0 for other kinds.
    pub fn picks(&self) -> usize {
        match self {
            Self::Numbers { sums, .. } => sums.iter().map(|(_, picks)| usize::from(*picks)).sum(),
            Self::Round { .. } => 1,
            Self::Dice { .. } | Self::Outcomes(_) => 0,
        }
    }

    /// The meaning of numbers typed by the player: picked numbers, faces of dice or sums, or the index of an outcome, counted
    /// from 1. `None` if they have no meaning; whether they are possible is checked by `bring`.
    ///
    /// ```
    /// use gamebook::{Chance, Rolled};
    ///
    /// let chance = Chance::Numbers { sums: vec![(None, 2)], prospects: Vec::new() };
    /// assert_eq!(chance.typed(&[3, 8]), Some(Rolled::Numbers(vec![3, 8])));
    /// assert_eq!(chance.asks(), "Pick 2 numbers from 0 to 9.");
    /// ```
    pub fn typed(&self, numbers: &[u64]) -> Option<Rolled> {
        match self {
            Self::Dice { sums, .. } => {
                let shown = numbers.iter().map(|number| u32::try_from(*number).ok()).collect::<Option<Vec<_>>>()?;
                let dice = sums.iter().flat_map(|(_, dice)| dice.sides()).count();
                Some(if shown.len() == dice { Rolled::Dice(shown) } else { Rolled::Sums(shown) })
            }
            Self::Outcomes(_) => match numbers {
                [number] => usize::try_from(*number).ok()?.checked_sub(1).map(Rolled::Outcome),
                _ => None,
            },
            Self::Numbers { .. } | Self::Round { .. } => {
                numbers.iter().map(|number| u8::try_from(*number).ok()).collect::<Option<_>>().map(Rolled::Numbers)
            }
        }
    }

    /// An instruction to the player, as a sentence.
    pub fn asks(&self) -> String {
        match self {
            Self::Dice { sums, .. } => {
                let named = |(name, dice): &(Option<String>, DiceOfSystem)| match name {
                    Some(name) => format!("{dice} for {name}"),
                    None => dice.to_string(),
                };
                let named: Vec<String> = sums.iter().map(named).collect();
                format!("Roll {}.", named.join(", "))
            }
            Self::Outcomes(outcomes) => format!("Pick one of 1 to {}.", outcomes.len()),
            chance if chance.picks() > 1 => {
                let sums = match chance {
                    Self::Numbers { sums, .. } => &sums[..],
                    _ => &[],
                };
                let named: Vec<String> =
                    sums.iter().filter_map(|(name, picks)| Some(format!("{picks} for {}", name.as_ref()?))).collect();
                let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
                format!("Pick {} numbers from 0 to 9{named}.", chance.picks())
            }
            _ => "Pick a number from 0 to 9.".into(),
        }
    }

    /// How dice can be typed; empty if there are none.
    pub fn how_dice_are_typed(&self) -> String {
        let Self::Dice { sums, .. } = self else { return String::new() };
        let dice = sums.iter().flat_map(|(_, dice)| dice.sides()).count();
        match (dice, sums.len()) {
            (1, _) => "Type what it shows.".into(),
            (dice, 1) => format!("Type what the {dice} dice show, or their sum."),
            (dice, sums) if dice == sums => format!("Type what the {dice} dice show."),
            (dice, sums) => format!("Type what the {dice} dice show, or the {sums} sums."),
        }
    }

    /// The outcome in words: `Rolled mine 3 + 4 = 7, theirs 5`; empty if nothing is visible. `fight` is the fight before it.
    pub fn came(&self, book: &Book, fight: Option<&FightNow>, rolled: &Rolled) -> String {
        match (rolled, self) {
            (Rolled::Outcome(place), Self::Outcomes(outcomes)) => {
                let what = outcomes.get(*place).map(|outcome| outcome.text(book)).unwrap_or_default();
                if what.is_empty() { what } else { format!("Chance brings: {what}") }
            }
            (Rolled::Dice(shown), Self::Dice { sums, .. }) => rolled_dice(sums, shown),
            (Rolled::Sums(shown), Self::Dice { sums, .. }) => rolled_sums(sums, shown),
            (Rolled::Numbers(numbers), chance) => picked(numbers, chance, fight),
            _ => String::new(),
        }
    }

    /// The effects of each number, sum or outcome, from the first, if a single one decides; else empty.
    pub fn prospects(self) -> Vec<(i32, Prospect)> {
        match self {
            Self::Outcomes(prospects) => (1..).zip(prospects).collect(),
            Self::Numbers { prospects, .. } | Self::Round { prospects, .. } => (0..).zip(prospects).collect(),
            Self::Dice { prospects, .. } => prospects,
        }
    }
}

impl Prospect {
    /// The effect in words: `gold +6, to 85`; empty if nothing is visible.
    pub fn text(&self, book: &Book) -> String {
        let to = self.section.map(|section| format!("to {}", book.section_text(section)));
        let parts = Some(self.what.clone()).filter(|what| !what.is_empty()).into_iter().chain(to);
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// The outcome of a chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rolled {
    /// The picked numbers.
    Numbers(Vec<u8>),
    /// The faces of the [`Chance::Dice`], in the order of the sums.
    Dice(Vec<u32>),
    /// The sums of faces for [`Chance::Dice`], without additions.
    Sums(Vec<u32>),
    /// The place in [`Chance::Outcomes`].
    Outcome(usize),
}

/// Picked numbers, and the result of a round.
fn picked(numbers: &[u8], chance: &Chance, fight: Option<&FightNow>) -> String {
    let numbers_text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let mut out = format!("Picked {}", numbers_text.join(" "));
    if let (Chance::Round { losses, .. }, [number]) = (chance, numbers)
        && let Some(losses) = losses.get(usize::from(*number))
    {
        let loss = |loss: u8| if loss == Losses::KILLED { "everything".into() } else { loss.to_string() };
        let enemy = fight.map_or("the enemy", |fight| fight.name.as_str());
        let left = fight.map_or(0, |fight| fight.endurance.saturating_sub(losses.enemy.into()));
        let _ =
            write!(out, ": you lose {}, {enemy} loses {} and has {left} left", loss(losses.hero), loss(losses.enemy));
    }
    out
}

/// `Rolled mine 3 + 4 = 7, theirs 5`.
fn rolled_dice(sums: &[(Option<String>, DiceOfSystem)], shown: &[u32]) -> String {
    let mut shown = shown.iter();
    let text = sums.iter().map(|(name, dice)| {
        let own: Vec<String> = shown.by_ref().take(dice.sides().count()).map(ToString::to_string).collect();
        let sum = own.iter().filter_map(|face| face.parse::<i32>().ok()).sum();
        let faces = own.join(" + ");
        (name, if own.len() == 1 && dice.plus == 0 { faces } else { total(&faces, sum, dice) })
    });
    rolled(text)
}

/// `Rolled mine 7, theirs 5`.
fn rolled_sums(sums: &[(Option<String>, DiceOfSystem)], shown: &[u32]) -> String {
    let text = sums.iter().zip(shown).map(|((name, dice), sum)| {
        let text = sum.to_string();
        let number = i32::try_from(*sum).unwrap_or(i32::MAX);
        (name, if dice.plus == 0 { text } else { total(&text, number, dice) })
    });
    rolled(text)
}

/// `3 + 4 + 12 = 19`.
fn total(faces: &str, sum: i32, dice: &DiceOfSystem) -> String {
    let plus = match dice.plus {
        0 => String::new(),
        plus if plus < 0 => format!(" - {}", plus.unsigned_abs()),
        plus => format!(" + {plus}"),
    };
    format!("{faces}{plus} = {}", sum.saturating_add(dice.plus))
}

fn rolled<'a>(text: impl Iterator<Item = (&'a Option<String>, String)>) -> String {
    let text = text.map(|(name, what)| match name {
        Some(name) => format!("{name} {what}"),
        None => what,
    });
    format!("Rolled {}", text.collect::<Vec<_>>().join(", "))
}
