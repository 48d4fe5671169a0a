//! Restriction of sets of heroes by conditions.

use super::{ANY, FIRST, Heroes, KNOWN, MOST_SETS, Range, Space, WOUNDED, count, together};
use crate::book::{Condition, DISCIPLINES, Kind, Number};
use crate::terms::Comparison;

/// Joins sets beyond the limit.
fn few(sets: Vec<Heroes>) -> Vec<Heroes> {
    if sets.len() > MOST_SETS { together(sets).into_iter().collect() } else { sets }
}

impl Space<'_> {
    /// The heroes of a set for whom a condition holds (or does not), as few sets that together contain them; empty if there are
    /// none.
    pub(crate) fn assume(&self, heroes: &Heroes, condition: &Condition, holds: bool) -> Vec<Heroes> {
        self.pay();
        if self.is_exhausted() {
            return vec![heroes.clone()];
        }
        match condition {
            Condition::Constant(constant) => {
                if *constant == holds {
                    vec![heroes.clone()]
                } else {
                    Vec::new()
                }
            }
            Condition::Reading(..) | Condition::Skilled(_) => vec![heroes.clone()],
            Condition::Discipline(discipline) => {
                let place = DISCIPLINES.iter().position(|(own, _)| own == discipline).unwrap_or_default();
                self.fixed(heroes, self.disciplines + place, holds)
            }
            Condition::Flag(flag) => self.fixed(heroes, self.flags + flag, holds),
            Condition::Wounded => self.fixed(heroes, WOUNDED, holds),
            Condition::Compare(comparison, left, right) => {
                let comparison = if holds { *comparison } else { comparison.negated() };
                self.compare(heroes, comparison, left, right)
            }
            Condition::Not(inner) => self.assume(heroes, inner, !holds),
            Condition::And(left, right) | Condition::Or(left, right) => {
                let both = matches!(condition, Condition::And(..)) == holds;
                let mut sets = self.assume(heroes, left, holds);
                if both {
                    sets = self.assume_all(&sets, right, holds);
                } else {
                    // Heroes for whom the first holds are already included.
                    let others = self.assume(heroes, left, !holds);
                    sets.extend(self.assume_all(&others, right, holds));
                }
                few(sets)
            }
        }
    }

    /// The same for several sets.
    pub(crate) fn assume_all(&self, sets: &[Heroes], condition: &Condition, holds: bool) -> Vec<Heroes> {
        few(sets.iter().flat_map(|heroes| self.assume(heroes, condition, holds)).collect())
    }

    fn fixed(&self, heroes: &Heroes, place: usize, holds: bool) -> Vec<Heroes> {
        let value = i32::from(holds);
        self.restricted(heroes, place, (value, value)).into_iter().collect()
    }

    /// The heroes whose number is in a range.
    fn restricted(&self, heroes: &Heroes, place: usize, range: Range) -> Option<Heroes> {
        let (low, high) = heroes.0[place];
        let range = (low.max(range.0), high.min(range.1));
        if range.0 > range.1 {
            return None;
        }
        let mut own = heroes.clone();
        own.0[place] = range;
        self.agreeing(own)
    }

    /// Propagates relations between numbers; `None` if they contradict each other.
    fn agreeing(&self, mut heroes: Heroes) -> Option<Heroes> {
        let known = &heroes.0[self.disciplines..self.locals];
        let certain = known.iter().filter(|range| range.0 == 1).count();
        let possible = known.iter().filter(|range| range.1 == 1).count();
        let (certain, possible) = (count(certain), count(possible));
        let number = &mut heroes.0[KNOWN];
        *number = (number.0.max(certain), number.1.min(possible));
        if number.0 > number.1 {
            return None;
        }
        if number.1 == certain {
            for range in &mut heroes.0[self.disciplines..self.locals] {
                range.1 = range.0;
            }
        }
        let carried = |heroes: &Heroes, kind| -> i32 {
            self.kind(kind).map(|item| heroes.0[FIRST + item].0 * self.places(item)).sum()
        };
        if carried(&heroes, Kind::Weapon) > self.book.kai.most_weapons.into() {
            return None;
        }
        let load = carried(&heroes, Kind::Backpack);
        if load > self.book.room().into() {
            return None;
        }
        if let Some(container) = self.container() {
            let range = &mut heroes.0[FIRST + container];
            range.0 = range.0.max(i32::from(load > 0));
            if range.0 > range.1 {
                return None;
            }
            if range.1 == 0 {
                self.kind(Kind::Backpack).for_each(|item| heroes.0[FIRST + item] = (0, 0));
            }
        }
        Some(heroes)
    }

    fn compare(&self, heroes: &Heroes, comparison: Comparison, left: &Number, right: &Number) -> Vec<Heroes> {
        let (a, b) = (self.value(heroes, left), self.value(heroes, right));
        let of_left = match comparison {
            Comparison::Equal => vec![b],
            Comparison::NotEqual if b.0 == b.1 => {
                vec![(i32::MIN, b.0.saturating_sub(1)), (b.0.saturating_add(1), i32::MAX)]
            }
            Comparison::NotEqual => vec![ANY],
            Comparison::Less => vec![(i32::MIN, b.1.saturating_sub(1))],
            Comparison::AtMost => vec![(i32::MIN, b.1)],
            Comparison::More => vec![(b.0.saturating_add(1), i32::MAX)],
            Comparison::AtLeast => vec![(b.0, i32::MAX)],
        };
        let of_right = match comparison {
            Comparison::Equal => a,
            Comparison::NotEqual => ANY,
            Comparison::Less => (a.0.saturating_add(1), i32::MAX),
            Comparison::AtMost => (a.0, i32::MAX),
            Comparison::More => (i32::MIN, a.1.saturating_sub(1)),
            Comparison::AtLeast => (i32::MIN, a.1),
        };
        of_left
            .into_iter()
            .filter(|range| range.0.max(a.0) <= range.1.min(a.1) && of_right.0.max(b.0) <= of_right.1.min(b.1))
            .filter_map(|range| {
                let heroes = self.with_number(heroes.clone(), left, range)?;
                self.with_number(heroes, right, of_right)
            })
            .collect()
    }

    /// The heroes for whom an expression is in a range, as far as ranges show.
    fn with_number(&self, mut heroes: Heroes, number: &Number, range: Range) -> Option<Heroes> {
        if let Some(place) = self.place(number) {
            return self.restricted(&heroes, place, range);
        }
        if let Number::OfKind(kind) = number {
            for item in self.kind(*kind) {
                let own = &mut heroes.0[FIRST + item];
                own.1 = own.1.min(range.1);
                if own.0 > own.1 {
                    return None;
                }
            }
        }
        self.agreeing(heroes)
    }
}
