//! The two dice rolls: an attack round and a test of luck.

use mdp::{Rational, ratio};

/// In how many of the 6^4 rolls of four dice (two for each side) the hero's sum exceeds the enemy's by -10, -9, ... 10:
/// the sextinomial coefficients of the paper's equation 2.
const MARGINS: [u16; 21] = [1, 4, 10, 20, 35, 56, 80, 104, 125, 140, 146, 140, 125, 104, 80, 56, 35, 20, 10, 4, 1];

/// The outcomes of an attack round: both sides roll two dice and add their skill, the higher sum wounds the other side.
///
/// The three numbers count rolls and sum to [`RoundOdds::ROLLS`].
///
/// ```
/// use fighting_fantasy::RoundOdds;
///
/// let level = RoundOdds::new(0);
/// assert_eq!((level.won, level.drawn, level.lost), (575, 146, 575));
/// // Dice alone never make up for ten points of skill.
/// assert_eq!(RoundOdds::new(-10).won, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundOdds {
    /// Rolls with which the hero wounds the enemy.
    pub won: u16,
    /// Rolls without effect.
    pub drawn: u16,
    /// Rolls with which the enemy wounds the hero.
    pub lost: u16,
}

impl RoundOdds {
    /// How many equally likely rolls there are: 6^4.
    pub const ROLLS: u16 = 1296;

    /// The odds for a hero whose skill exceeds the enemy's by `skill_difference`.
    ///
    /// Any difference is allowed: from 11 on every round is won, from -11 down every round is lost.
    pub fn new(skill_difference: i32) -> Self {
        let mut odds = Self { won: 0, drawn: 0, lost: 0 };
        for (margin, rolls) in (-10..=10).zip(MARGINS) {
            match skill_difference.saturating_add(margin) {
                1.. => odds.won += rolls,
                0 => odds.drawn += rolls,
                _ => odds.lost += rolls,
            }
        }
        odds
    }

    /// The chance that a round that is not drawn is won, as a fraction in lowest terms:
    /// the paper's p = P(win) / (1 - P(draw)).
    pub fn decisive_win(self) -> Rational {
        ratio(i64::from(self.won), u64::from(self.won + self.lost))
    }
}

/// In how many of the 36 rolls of two dice a test of luck succeeds: the sum must not exceed `luck`.
///
/// ```
/// use fighting_fantasy::lucky_rolls;
///
/// assert_eq!([1, 2, 7, 11, 12, 40].map(lucky_rolls), [0, 1, 21, 35, 36, 36]);
/// ```
pub fn lucky_rolls(luck: u32) -> u8 {
    const UP_TO: [u8; 13] = [0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36];
    UP_TO[luck.min(12) as usize]
}

/// The possible numbers of a new hero, with the ways in which this many dice and a constant give them.
fn rolled(dice: u32, constant: u32) -> Vec<(u32, u32)> {
    let mut ways = vec![(constant, 1)];
    for _ in 0..dice {
        let (least, most) = (ways[0].0 + 1, ways[ways.len() - 1].0 + 6);
        let sum = |total: u32| {
            ways.iter().filter(|(own, _)| (own + 1..=own + 6).contains(&total)).map(|(_, ways)| ways).sum()
        };
        ways = (least..=most).map(|total| (total, sum(total))).collect();
    }
    ways
}

/// The possible skills of a new hero, and his lucks, each with the number of ways in which a die and 6 give it.
///
/// ```
/// assert_eq!(fighting_fantasy::rolled_skill(), [(7, 1), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1)]);
/// ```
pub fn rolled_skill() -> Vec<(u32, u32)> {
    rolled(1, 6)
}

/// The possible staminas of a new hero, with the number of ways in which two dice and 12 give each.
///
/// ```
/// let ways = fighting_fantasy::rolled_stamina();
/// assert_eq!((ways[0], ways[5], ways[10]), ((14, 1), (19, 6), (24, 1)));
/// ```
pub fn rolled_stamina() -> Vec<(u32, u32)> {
    rolled(2, 12)
}

#[cfg(test)]
mod tests;
