//! Dice: `d6`, `2d6 + 12`, and the distribution of their sum.

use std::collections::BTreeMap;
use std::fmt;

use dashu_int::UBig;

/// The most dice of a sum, and the most sides of a die.
const MOST_DICE: u32 = 20;
/// See [`MOST_DICE`].
const MOST_SIDES: u32 = 1000;
/// The most different sums.
const MOST_TOTALS: i64 = 1000;

/// A sum of dice and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dice {
    /// The number of dice and their sides.
    pub dice: Vec<(u32, u32)>,
    /// The constant.
    pub plus: i32,
}

impl Dice {
    /// Reads `2d6`, `d6+6`, `2d6 + d10 - 1`.
    ///
    /// # Errors
    /// A description of the error.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut dice = Self::default();
        let mut rest = text.trim();
        let mut sign = 1;
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let part = rest[..end].trim();
            dice.add(part, sign)?;
            let Some(next) = rest[end..].chars().next() else { break };
            sign = if next == '-' { -1 } else { 1 };
            rest = &rest[end + 1..];
        }
        let all = dice.dice.iter().fold(0u32, |sum, (count, _)| sum.saturating_add(*count));
        if all == 0 {
            return Err("there are no dice in it".into());
        }
        let (least, most) = dice.range();
        if all > MOST_DICE || i64::from(most) - i64::from(least) >= MOST_TOTALS {
            return Err(format!("up to {MOST_DICE} dice and {MOST_TOTALS} different sums are possible"));
        }
        Ok(dice)
    }

    /// Adds a part of a sum.
    fn add(&mut self, part: &str, sign: i32) -> Result<(), String> {
        let Some((count, sides)) = part.split_once('d') else {
            match part.parse::<i32>() {
                Ok(number @ 0..=1000) => self.plus += sign * number,
                _ => return Err(format!("`{part}` are no dice")),
            }
            return Ok(());
        };
        let count = if count.is_empty() { Ok(1) } else { count.parse::<u32>() };
        let (Ok(count), Ok(sides)) = (count, sides.parse::<u32>()) else {
            return Err(format!("`{part}` are no dice"));
        };
        if !(1..=MOST_DICE).contains(&count) || !(1..=MOST_SIDES).contains(&sides) {
            return Err(format!("1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides are possible"));
        }
        if sign < 0 {
            return Err("dice cannot be taken away".into());
        }
        self.dice.push((count, sides));
        Ok(())
    }

    /// The sides of each die, one after another.
    pub fn sides(&self) -> impl Iterator<Item = u32> {
        self.dice.iter().flat_map(|(count, sides)| std::iter::repeat_n(*sides, usize::try_from(*count).unwrap_or(0)))
    }

    /// The smallest and the largest sum.
    pub(crate) fn range(&self) -> (i32, i32) {
        self.dice.iter().fold((self.plus, self.plus), |(least, most), (count, sides)| {
            let of = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
            (least.saturating_add(of(*count)), most.saturating_add(of(count.saturating_mul(*sides))))
        })
    }

    /// The sums, each with the number of ways to roll it.
    pub(crate) fn totals(&self) -> Vec<(i32, UBig)> {
        let mut totals = vec![(self.plus, UBig::ONE)];
        for (count, sides) in &self.dice {
            for _ in 0..*count {
                let mut next: BTreeMap<i32, UBig> = BTreeMap::new();
                for (total, ways) in &totals {
                    for side in 1..=i32::try_from(*sides).unwrap_or(0) {
                        *next.entry(total + side).or_insert(UBig::ZERO) += ways;
                    }
                }
                totals = next.into_iter().collect();
            }
        }
        totals
    }

    /// The expected sum, rounded down.
    pub(crate) fn mean(&self) -> i32 {
        let (least, most) = self.range();
        least.saturating_add(most).div_euclid(2)
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (count, sides)) in self.dice.iter().enumerate() {
            let sign = if place == 0 { "" } else { " + " };
            match count {
                1 => write!(f, "{sign}d{sides}")?,
                _ => write!(f, "{sign}{count}d{sides}")?,
            }
        }
        match self.plus {
            0 => Ok(()),
            plus if plus < 0 => write!(f, " - {}", plus.unsigned_abs()),
            plus => write!(f, " + {plus}"),
        }
    }
}

#[cfg(test)]
mod tests;
