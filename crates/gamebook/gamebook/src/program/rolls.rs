//! How picked numbers and dice become outcomes of a chance, and the reverse.

use crate::terms::Dice;

/// How picked numbers become an outcome of an [`Instruction::Chance`](super::instruction::Instruction::Chance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roll {
    /// The sums: an optional name and the number of picks.
    pub sums: Vec<(Option<String>, u8)>,
    pub zero_is_ten: bool,
    /// The outcome of every combination of totals, in ascending order; the first sum varies fastest.
    pub outcomes: Vec<u32>,
}

impl Roll {
    /// How many numbers are picked.
    pub(crate) fn picks(&self) -> usize {
        self.sums.iter().map(|(_, picks)| usize::from(*picks)).sum()
    }

    /// The outcome for these picked numbers, each from 0 to 9, in the order of the sums.
    pub(crate) fn outcome(&self, picked: &[u8]) -> Option<usize> {
        let mut picked = picked.iter();
        let (mut place, mut stride) = (0, 1);
        for (_, picks) in &self.sums {
            for number in picked.by_ref().take(usize::from(*picks)) {
                // The offset from the smallest pick.
                let above = if self.zero_is_ten { (usize::from(*number) + 9) % 10 } else { usize::from(*number) };
                place += stride * above;
            }
            stride *= 9 * usize::from(*picks) + 1;
        }
        self.outcomes.get(place).and_then(|outcome| usize::try_from(*outcome).ok())
    }

    /// Numbers that bring about this outcome; `None` if none do.
    pub(crate) fn picked(&self, outcome: usize) -> Option<Vec<u8>> {
        let mut place = self.outcomes.iter().position(|own| *own as usize == outcome)?;
        let mut picked = Vec::new();
        for (_, picks) in &self.sums {
            let stride = 9 * usize::from(*picks) + 1;
            let mut left = place % stride;
            place /= stride;
            for _ in 0..*picks {
                let above = left.min(9);
                left -= above;
                picked.push(u8::try_from((above + usize::from(self.zero_is_ten)) % 10).ok()?);
            }
        }
        Some(picked)
    }
}

/// How dice become an outcome of an [`Instruction::Chance`](super::instruction::Instruction::Chance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Throw {
    /// The sums: an optional name and the dice.
    pub sums: Vec<(Option<String>, Dice)>,
    /// The outcome of every combination of sums, in ascending order; the first sum varies fastest.
    pub outcomes: Vec<u32>,
}

impl Throw {
    /// The sums of dice with these faces, one after another.
    pub(crate) fn shown(&self, shown: &[u32]) -> Option<Vec<i32>> {
        let mut shown = shown.iter();
        let mut sums = Vec::new();
        for (_, dice) in &self.sums {
            let mut sum = 0;
            for sides in dice.sides() {
                sum += shown.next().filter(|face| (1..=sides).contains(*face))?;
            }
            sums.push(sum);
        }
        if shown.next().is_some() { None } else { self.added(&sums) }
    }

    /// The totals for these sums of faces, with what is added to the dice.
    pub(crate) fn added(&self, sums: &[u32]) -> Option<Vec<i32>> {
        if sums.len() != self.sums.len() {
            return None;
        }
        let own = self.sums.iter().zip(sums);
        own.map(|((_, dice), sum)| i32::try_from(*sum).ok()?.checked_add(dice.plus)).collect()
    }

    /// The outcome for these totals.
    pub(crate) fn outcome(&self, totals: &[i32]) -> Option<usize> {
        if totals.len() != self.sums.len() {
            return None;
        }
        let (mut place, mut stride) = (0, 1);
        for ((_, dice), total) in self.sums.iter().zip(totals) {
            let (least, most) = dice.range();
            if *total > most {
                return None;
            }
            place += stride * usize::try_from(total - least).ok()?;
            stride *= usize::try_from(most - least + 1).ok()?;
        }
        self.outcomes.get(place).and_then(|outcome| usize::try_from(*outcome).ok())
    }

    /// Sums of faces that bring about this outcome; `None` if none do.
    pub(crate) fn summed(&self, outcome: usize) -> Option<Vec<u32>> {
        let mut place = self.outcomes.iter().position(|own| *own as usize == outcome)?;
        let mut sums = Vec::new();
        for (_, dice) in &self.sums {
            let (least, most) = dice.range();
            let stride = usize::try_from(most - least + 1).ok()?;
            let total = least.checked_add(i32::try_from(place % stride).ok()?)?;
            place /= stride;
            sums.push(u32::try_from(total.checked_sub(dice.plus)?).ok()?);
        }
        Some(sums)
    }
}
