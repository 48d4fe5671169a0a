//! How picked numbers and dice become outcomes of chance, and which of them bring an outcome.

use crate::terms::Dice;

/// How picked numbers become an outcome of a [`Instruction::Chance`](super::instruction::Instruction::Chance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roll {
    /// The sums that are picked: a name, if there is one, and of how many picks.
    pub sums: Vec<(Option<String>, u8)>,
    pub zero_is_ten: bool,
    /// The outcome for every combination of totals, smallest totals first; the first sum changes fastest.
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
                // Above the least that a pick can bring.
                let above = if self.zero_is_ten { (usize::from(*number) + 9) % 10 } else { usize::from(*number) };
                place += stride * above;
            }
            stride *= 9 * usize::from(*picks) + 1;
        }
        self.outcomes.get(place).and_then(|outcome| usize::try_from(*outcome).ok())
    }

    /// Numbers that bring this outcome; `None` where none do.
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

/// How dice become an outcome of a [`Instruction::Chance`](super::instruction::Instruction::Chance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Throw {
    /// The sums that are rolled: a name, if there is one, and the dice.
    pub sums: Vec<(Option<String>, Dice)>,
    /// The outcome for every combination of sums, smallest sums first; the first sum changes fastest.
    pub outcomes: Vec<u32>,
}

impl Throw {
    /// The sums of dice that show this, one after another.
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

    /// The sums with what is added to the dice, where the dice show this together.
    pub(crate) fn added(&self, sums: &[u32]) -> Option<Vec<i32>> {
        if sums.len() != self.sums.len() {
            return None;
        }
        let own = self.sums.iter().zip(sums);
        own.map(|((_, dice), sum)| i32::try_from(*sum).ok()?.checked_add(dice.plus)).collect()
    }

    /// The outcome for these sums.
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

    /// What the dice of each sum show together where this outcome comes up; `None` where it never does.
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
