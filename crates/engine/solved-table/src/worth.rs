//! Summaries over all heroes: which sets are best, the value of each item or discipline.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::roster::{Roster, RosterNumber, RosterRow};
use crate::table::{Cell, words};

/// The results of a set of disciplines, or of equipment, over all rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupResult {
    /// The index of the group.
    pub group: usize,
    /// The mean over its rolls, weighted by their probabilities.
    pub win: f64,
    /// The number of rolls for which no other group is better.
    pub best_for: usize,
}

/// The value of something: the mean of the heroes who have it, minus that of those who do not.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Its name.
    pub what: String,
    /// The difference.
    pub gain: f64,
}

/// A grid over the first two numbers that vary: for each pair of their values the mean value of the best group over the
/// others.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The index of the number for rows.
    pub down: usize,
    /// The index of the number for columns.
    pub across: usize,
    /// Row by row; `None` where there is no hero.
    pub cells: Vec<Option<GridCell>>,
}

/// The most cells of a grid.
const MOST_CELLS: usize = 1_000_000;

/// A pair of numbers in a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridCell {
    /// The value of the best group.
    pub win: f64,
    /// The best group; of several rolls that of the most likely one.
    pub group: usize,
    /// Its hero with the most likely roll.
    pub row: usize,
}

impl Roster {
    /// The probability of each roll among those in the table; values that are not rolled count equally.
    pub fn chances(&self) -> Vec<f64> {
        let own = |(number, place): (&RosterNumber, usize)| number.chances[place];
        let chance = |roll: &Vec<usize>| self.numbers.iter().zip(roll.iter().copied()).map(own).product();
        let chances: Vec<f64> = self.rolls.iter().map(chance).collect();
        let sum: f64 = chances.iter().sum();
        // Numbers that are chosen count equally.
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

    /// All groups, best first. A group that lacks some rolls counts with those that it has.
    pub fn groups(&self) -> Vec<GroupResult> {
        let chances = self.chances();
        let mut most = vec![f64::NEG_INFINITY; self.rolls.len()];
        for row in &self.rows {
            most[row.roll] = most[row.roll].max(row.found.value());
        }
        let mut all: BTreeMap<usize, (GroupResult, f64, usize)> = BTreeMap::new();
        for row in &self.rows {
            let nothing = || (GroupResult { group: row.group, win: 0.0, best_for: 0 }, 0.0, 0);
            let (own, chance, rolls) = all.entry(row.group).or_insert_with(nothing);
            own.win += chances[row.roll] * row.found.value();
            own.best_for += usize::from(row.found.value() >= most[row.roll]);
            *chance += chances[row.roll];
            *rolls += 1;
        }
        let result = |(mut own, chance, rolls): (GroupResult, f64, usize)| {
            if rolls < self.rolls.len() && chance > 0.0 {
                own.win /= chance;
            }
            own
        };
        let mut all: Vec<GroupResult> = all.into_values().map(result).collect();
        all.sort_by(|left, right| right.win.total_cmp(&left.win));
        all
    }

    /// The mean over all heroes.
    pub fn mean(&self) -> f64 {
        mean(self.groups().iter().map(|own| own.win)).unwrap_or(0.0)
    }

    /// The gain of having each of these names in a column (`tracking`, also as `tracking=3`), largest first; without
    /// names that all groups have, or none.
    pub fn gains<'n>(&self, column: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<Gain> {
        let Some(column) = self.layout.cells.iter().position(|own| own == column) else { return Vec::new() };
        let mut cells: Vec<&str> = vec![""; self.groups.len()];
        for row in &self.rows {
            if let Cell::Names(names) = &row.cells[column] {
                cells[row.group] = names;
            }
        }
        let all = self.groups();
        // For each name how many groups have it, and the sum of their values.
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

    /// The gain of each number: the mean difference of one more.
    pub fn points(&self) -> Vec<Gain> {
        let (rows, rolls) = (self.indices(), self.roll_indices());
        let mut gains = Vec::new();
        for (place, number) in self.numbers.iter().enumerate() {
            // Heroes who differ in this number only.
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

    /// The first two numbers that vary against each other; `None` if fewer do, or if they have more than a million
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
            // Of several rolls the most likely one determines the group.
            if chance > *most {
                (*most, cell.group, cell.row) = (chance, row.group, place);
            }
        }
        let file_error = |(win, chance, _, cell): (f64, f64, f64, GridCell)| GridCell {
            win: if chance > 0.0 { win / chance } else { 0.0 },
            ..cell
        };
        Some(Grid { down, across, cells: sums.into_iter().map(|own| own.map(file_error)).collect() })
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, many) = numbers.fold((0.0, 0usize), |(sum, many), number| (sum + number, many + 1));
    (many > 0).then(|| sum / count(many))
}

fn count(many: usize) -> f64 {
    f64::from(u32::try_from(many).expect("a table has fewer rows"))
}
