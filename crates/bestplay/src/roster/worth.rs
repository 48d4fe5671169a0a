//! What can be said of all heroes together: which sets are best, what each thing is worth.

use std::collections::BTreeMap;

use super::{Number, Roster, Row};

/// How a set of disciplines, or an equipment, fares over all rolls.
pub struct GroupFares {
    /// Which group.
    pub group: usize,
    /// The mean over its rolls, each as likely as it is rolled.
    pub win: f64,
    /// For how many rolls no other group is better.
    pub best_for: usize,
}

/// What something is worth: the mean of the odds of those who have it, less that of those who have not.
pub struct Gain {
    pub what: String,
    pub gain: f64,
}

impl Roster {
    /// How likely each roll is among those that are in the table; what is not rolled counts alike.
    pub fn chances(&self) -> Vec<f64> {
        let own = |(number, place): (&Number, usize)| number.chances[place];
        let all = self.rolls();
        let chance = |roll: &Vec<usize>| self.numbers.iter().zip(roll.iter().copied()).map(own).product();
        let chances: Vec<f64> = all.iter().map(chance).collect();
        let sum: f64 = chances.iter().sum();
        // Who chooses what cannot be rolled counts each alike.
        chances.iter().map(|chance| if sum > 0.0 { chance / sum } else { 1.0 / count(all.len()) }).collect()
    }

    /// What is rolled, roll by roll: for each number the place of its value.
    pub fn rolls(&self) -> Vec<Vec<usize>> {
        self.numbers.iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, number| {
            let with = |own: &Vec<usize>| -> Vec<_> {
                (0..number.values.len()).map(|place| [&own[..], &[place]].concat()).collect()
            };
            all.iter().flat_map(with).collect()
        })
    }

    /// For each roll the row of the group that is best for it, the first of several.
    pub fn best(&self) -> Vec<usize> {
        let rolls = self.rolls().len();
        let mut best: Vec<Option<usize>> = vec![None; rolls];
        for (place, row) in self.rows.iter().enumerate() {
            let own = &mut best[row.roll];
            if own.is_none_or(|known| self.rows[known].found.value() < row.found.value()) {
                *own = Some(place);
            }
        }
        best.into_iter().flatten().collect()
    }

    /// All groups, best first.
    pub fn groups(&self) -> Vec<GroupFares> {
        let chances = self.chances();
        let most: Vec<f64> = self.best().into_iter().map(|row| self.rows[row].found.value()).collect();
        let mut all: BTreeMap<usize, GroupFares> = BTreeMap::new();
        for row in &self.rows {
            let own = all.entry(row.group).or_insert(GroupFares { group: row.group, win: 0.0, best_for: 0 });
            own.win += chances[row.roll] * row.found.value();
            own.best_for += usize::from(row.found.value() >= most[row.roll]);
        }
        let mut all: Vec<GroupFares> = all.into_values().collect();
        all.sort_by(|left, right| right.win.total_cmp(&left.win));
        all
    }

    /// The mean over all heroes.
    pub fn mean(&self) -> f64 {
        mean(self.groups().iter().map(|own| own.win)).unwrap_or(0.0)
    }

    /// What it is worth to be of such a group; nothing where all are, or none.
    pub fn gain(&self, what: String, has: impl Fn(usize) -> bool) -> Option<Gain> {
        let all = self.groups();
        let of = |wanted: bool| mean(all.iter().filter(|own| has(own.group) == wanted).map(|own| own.win));
        Some(Gain { what, gain: of(true)? - of(false)? })
    }

    /// What each number is worth: the mean of what one more brings.
    pub fn points(&self) -> Vec<Gain> {
        let rolls = self.rolls();
        let mut gains = Vec::new();
        for (place, number) in self.numbers.iter().enumerate() {
            // Those who differ in this number only.
            let after: usize = self.numbers[place + 1..].iter().map(|number| number.values.len()).product();
            let more = |row: usize| {
                let (own, next) = (self.rows.get(row)?, self.rows.get(row + after)?);
                let value = |row: &Row| number.values[rolls[row.roll][place]];
                let (from, to) = (value(own), value(next));
                (own.group == next.group && to > from)
                    .then(|| (next.found.value() - own.found.value()) / (f64::from(to) - f64::from(from)))
            };
            if number.values.len() > 1
                && let Some(gain) = mean((0..self.rows.len()).filter_map(more))
            {
                gains.push(Gain { what: format!("a point of {}", number.name), gain });
            }
        }
        gains
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, many) = numbers.fold((0.0, 0usize), |(sum, many), number| (sum + number, many + 1));
    (many > 0).then(|| sum / count(many))
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
fn count(many: usize) -> f64 {
    many as f64
}
