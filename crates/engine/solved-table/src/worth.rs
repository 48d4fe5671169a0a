//! What can be said of all heroes together: which sets are best, what each thing is worth.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::roster::{Roster, RosterNumber, RosterRow};
use crate::table::{Cell, words};

/// How a set of disciplines, or an equipment, fares over all rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupFares {
    /// Which group.
    pub group: usize,
    /// The mean over its rolls, each as likely as it is rolled.
    pub win: f64,
    /// For how many rolls no other group is better.
    pub best_for: usize,
}

/// What something is worth: the mean of those who have it, less that of those who have not.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// What it is.
    pub what: String,
    /// What it brings.
    pub gain: f64,
}

/// The first two numbers that vary: for each pair of their values the mean over the rest of what the best group is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Which number goes down.
    pub down: usize,
    /// Which number goes across.
    pub across: usize,
    /// Row by row; `None` where there is no hero.
    pub cells: Vec<Option<GridCell>>,
}

/// A grid has no more cells than this.
const MOST_CELLS: usize = 1_000_000;

/// A pair of numbers in a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridCell {
    /// What the best are worth.
    pub win: f64,
    /// The best group; of several rolls that of the likeliest.
    pub group: usize,
    /// Its hero with the likeliest roll.
    pub row: usize,
}

impl Roster {
    /// How likely each roll is among those that are in the table; what is not rolled counts alike.
    pub fn chances(&self) -> Vec<f64> {
        let own = |(number, place): (&RosterNumber, usize)| number.chances[place];
        let chance = |roll: &Vec<usize>| self.numbers.iter().zip(roll.iter().copied()).map(own).product();
        let chances: Vec<f64> = self.rolls.iter().map(chance).collect();
        let sum: f64 = chances.iter().sum();
        // Who chooses what cannot be rolled counts each alike.
        chances.iter().map(|chance| if sum > 0.0 { chance / sum } else { 1.0 / count(self.rolls.len()) }).collect()
    }

    /// For each roll the row of the group that is best for it, the first of several.
    pub fn best(&self) -> Vec<usize> {
        let mut best: Vec<Option<usize>> = vec![None; self.rolls.len()];
        for (place, row) in self.rows.iter().enumerate() {
            let own = &mut best[row.roll];
            if own.is_none_or(|known| self.rows[known].found.value() < row.found.value()) {
                *own = Some(place);
            }
        }
        best.into_iter().flatten().collect()
    }

    /// All groups, best first. A group that is not there with every roll counts by those with which it is.
    pub fn groups(&self) -> Vec<GroupFares> {
        let chances = self.chances();
        let mut most = vec![f64::NEG_INFINITY; self.rolls.len()];
        for row in &self.rows {
            most[row.roll] = most[row.roll].max(row.found.value());
        }
        let mut all: BTreeMap<usize, (GroupFares, f64, usize)> = BTreeMap::new();
        for row in &self.rows {
            let nothing = || (GroupFares { group: row.group, win: 0.0, best_for: 0 }, 0.0, 0);
            let (own, chance, rolls) = all.entry(row.group).or_insert_with(nothing);
            own.win += chances[row.roll] * row.found.value();
            own.best_for += usize::from(row.found.value() >= most[row.roll]);
            *chance += chances[row.roll];
            *rolls += 1;
        }
        let fares = |(mut own, chance, rolls): (GroupFares, f64, usize)| {
            if rolls < self.rolls.len() && chance > 0.0 {
                own.win /= chance;
            }
            own
        };
        let mut all: Vec<GroupFares> = all.into_values().map(fares).collect();
        all.sort_by(|left, right| right.win.total_cmp(&left.win));
        all
    }

    /// The mean over all heroes.
    pub fn mean(&self) -> f64 {
        mean(self.groups().iter().map(|own| own.win)).unwrap_or(0.0)
    }

    /// What it is worth to have each of these names in a column (`tracking`, also as `tracking=3`), most first; nothing
    /// where all groups have it, or none.
    pub fn gains<'n>(&self, column: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<Gain> {
        let Some(column) = self.layout.cells.iter().position(|own| own == column) else { return Vec::new() };
        let mut cells: Vec<&str> = vec![""; self.groups.len()];
        for row in &self.rows {
            if let Cell::Names(names) = &row.cells[column] {
                cells[row.group] = names;
            }
        }
        let all = self.groups();
        // For each name how many groups have it, and what they are worth together.
        let mut having: FxHashMap<&str, (f64, usize)> = FxHashMap::default();
        for own in &all {
            for word in words(cells[own.group]).collect::<BTreeSet<_>>() {
                let (sum, many) = having.entry(word).or_default();
                (*sum, *many) = (*sum + own.win, *many + 1);
            }
        }
        let whole: f64 = all.iter().map(|own| own.win).sum();
        let gain = |name: &str| {
            let (sum, many) = *having.get(name)?;
            let others = all.len() - many;
            let gain = sum / count(many) - (whole - sum) / count(others);
            (others > 0).then(|| Gain { what: name.to_owned(), gain })
        };
        let mut gains: Vec<Gain> = names.into_iter().filter_map(gain).collect();
        gains.sort_by(|left, right| right.gain.total_cmp(&left.gain));
        gains
    }

    /// What each number is worth: the mean of what one more brings.
    pub fn points(&self) -> Vec<Gain> {
        let (rows, rolls) = (self.places(), self.roll_places());
        let mut gains = Vec::new();
        for (place, number) in self.numbers.iter().enumerate() {
            // Those who differ in this number only.
            let more = |row: &RosterRow| {
                let mut roll = self.rolls[row.roll].clone();
                let from = number.values[roll[place]];
                roll[place] += 1;
                let to = *number.values.get(roll[place])?;
                let next = &self.rows[*rows.get(&(row.group, *rolls.get(&roll[..])?))?];
                (to > from).then(|| (next.found.value() - row.found.value()) / (f64::from(to) - f64::from(from)))
            };
            if number.values.len() > 1
                && let Some(gain) = mean(self.rows.iter().filter_map(more))
            {
                gains.push(Gain { what: format!("a point of {}", number.name), gain });
            }
        }
        gains
    }

    /// The first two numbers that vary against each other; `None` where fewer do, or where they have more than a million
    /// pairs of values.
    pub fn grid(&self) -> Option<Grid> {
        let numbers = &self.numbers;
        let mut varied = (0..numbers.len()).filter(|place| numbers[*place].values.len() > 1);
        let (down, across) = (varied.next()?, varied.next()?);
        let size = numbers[down].values.len().checked_mul(numbers[across].values.len())?;
        if size > MOST_CELLS {
            return None;
        }
        let chances = self.chances();
        let mut sums: Vec<Option<(f64, f64, f64, GridCell)>> = vec![None; size];
        for place in self.best() {
            let row = &self.rows[place];
            let (roll, chance) = (&self.rolls[row.roll], chances[row.roll]);
            let cell = GridCell { win: 0.0, group: row.group, row: place };
            let own = &mut sums[roll[down] * numbers[across].values.len() + roll[across]];
            let (win, all, most, cell) = own.get_or_insert((0.0, 0.0, chance, cell));
            *win += chance * row.found.value();
            *all += chance;
            // Of several rolls the likeliest says which group it is.
            if chance > *most {
                (*most, cell.group, cell.row) = (chance, row.group, place);
            }
        }
        let told = |(win, chance, _, cell): (f64, f64, f64, GridCell)| GridCell {
            win: if chance > 0.0 { win / chance } else { 0.0 },
            ..cell
        };
        Some(Grid { down, across, cells: sums.into_iter().map(|own| own.map(told)).collect() })
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, many) = numbers.fold((0.0, 0usize), |(sum, many), number| (sum + number, many + 1));
    (many > 0).then(|| sum / count(many))
}

fn count(many: usize) -> f64 {
    f64::from(u32::try_from(many).expect("a table has fewer rows"))
}
