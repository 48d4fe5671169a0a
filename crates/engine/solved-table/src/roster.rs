//! Heroes who differ in numbers, and perhaps in more.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::read::Table;
use crate::table::{Cell, Layout, LineValues};

/// A number on the heroes' sheets.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterNumber {
    /// Its name.
    pub name: String,
    /// Its possible values.
    pub values: Vec<i32>,
    /// The relative probability of rolling each of them; all equal if the number is chosen.
    pub chances: Vec<f64>,
}

/// A hero.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterRow {
    /// His cells, column by column.
    pub cells: Vec<Cell>,
    /// His values.
    pub found: LineValues,
    /// The index of his group.
    pub group: usize,
    /// The index of his roll.
    pub roll: usize,
}

/// Heroes in groups; those of a group differ in their numbers only. Summaries: [`groups`](Self::groups),
/// [`best`](Self::best), [`points`](Self::points), [`grid`](Self::grid).
#[derive(Clone, Debug, PartialEq)]
pub struct Roster {
    /// What they are heroes of.
    pub title: String,
    /// The columns of the heroes.
    pub layout: Layout,
    /// Their numbers.
    pub numbers: Vec<RosterNumber>,
    /// The rolls: for each number the index of its value. Each roll belongs to a hero.
    pub rolls: Vec<Vec<usize>>,
    /// The name of each group.
    pub groups: Vec<String>,
    /// The heroes.
    pub rows: Vec<RosterRow>,
    /// Whether values are probabilities; otherwise plain numbers.
    pub is_chance: bool,
}

/// Every combination of the values of some numbers; the last one changes fastest.
pub fn every_roll(numbers: &[RosterNumber]) -> Vec<Vec<usize>> {
    numbers.iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, number| {
        let with = |own: &Vec<usize>| -> Vec<_> {
            (0..number.values.len()).map(|place| [&own[..], &[place]].concat()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

/// The column of the weapon in which a hero is skilled, which his disciplines contain, too.
const REDUNDANT: &str = "weaponskill";

impl Roster {
    /// The heroes of a table that was read. `chance` is the relative probability of rolling a value, where that is
    /// known.
    ///
    /// ```
    /// let text = "combat_skill,disciplines,win,lower,upper\n10,hunting,0.5,0.5,0.5\n11,hunting,0.75,0.75,0.75\n\
    ///             10,tracking,0.25,0.25,0.25\n11,tracking,0.5,0.5,0.5\n";
    /// let table = solved_table::read_csv(text)?;
    /// let roster = solved_table::Roster::of_table("Heroes", &table, |_, _| None);
    /// let best: Vec<_> = roster.groups().iter().map(|own| (roster.groups[own.group].as_str(), own.win)).collect();
    /// assert_eq!(best, [("hunting", 0.625), ("tracking", 0.375)]);
    /// assert_eq!(roster.points()[0].gain, 0.25);
    /// # Ok::<(), solved_table::TableError>(())
    /// ```
    pub fn of_table(title: &str, table: &Table, chance: impl Fn(&str, i32) -> Option<f64>) -> Self {
        let layout = &table.layout;
        let numbered: Vec<usize> = (0..layout.cells.len()).filter(|column| table.is_number(*column)).collect();
        let names: Vec<usize> = (0..layout.cells.len()).filter(|column| !table.is_number(*column)).collect();
        let number = |cells: &[Cell], column: usize| match cells[column] {
            Cell::Number(number) => number,
            Cell::Names(_) => 0,
        };
        let numbers: Vec<RosterNumber> = numbered
            .iter()
            .map(|column| {
                let mut values: Vec<i32> = table.lines.iter().map(|(cells, _)| number(cells, *column)).collect();
                values.sort_unstable();
                values.dedup();
                let name = &layout.cells[*column];
                let chances: Option<Vec<f64>> = values.iter().map(|value| chance(name, *value)).collect();
                // If none of them is ever rolled, all count equally.
                let chances = chances.filter(|own| own.iter().any(|own| *own > 0.0));
                RosterNumber { name: name.clone(), chances: chances.unwrap_or_else(|| vec![1.0; values.len()]), values }
            })
            .collect();
        let (mut rolls, mut groups) = (Distinct::default(), Distinct::default());
        let rows = table.lines.iter().map(|(cells, found)| {
            let place = |(own, column): (&RosterNumber, &usize)| {
                own.values.binary_search(&number(cells, *column)).unwrap_or_default()
            };
            let roll = rolls.of(numbers.iter().zip(&numbered).map(place).collect());
            let group = groups.of(names.iter().map(|column| cells[*column].clone()).collect());
            RosterRow { cells: cells.clone(), found: found.clone(), group, roll }
        });
        let rows = rows.collect();
        let groups = groups.all;
        let differs = |place: usize| groups.iter().any(|own: &Vec<Cell>| own[place] != groups[0][place]);
        let file_error: Vec<usize> = (0..names.len())
            .filter(|place| layout.cells[names[*place]] != REDUNDANT && (differs(*place) || groups.len() == 1))
            .collect();
        let named = |own: &Vec<Cell>| {
            let name = |place: &usize| match &own[*place] {
                Cell::Names(names) => names.clone(),
                Cell::Number(number) => number.to_string(),
            };
            file_error.iter().map(name).filter(|name| !name.is_empty()).collect::<Vec<_>>().join("; ")
        };
        Self {
            title: title.into(),
            layout: layout.clone(),
            numbers,
            rolls: rolls.all,
            groups: groups.iter().map(named).collect(),
            rows,
            is_chance: layout.values.first() == Some(&"win"),
        }
    }

    /// The lines of the table.
    pub fn lines(&self) -> impl Iterator<Item = (&[Cell], &LineValues)> {
        self.rows.iter().map(|row| (&row.cells[..], &row.found))
    }

    /// The index of each hero, by group and roll.
    pub(crate) fn indices(&self) -> FxHashMap<(usize, usize), usize> {
        self.rows.iter().enumerate().map(|(place, row)| ((row.group, row.roll), place)).collect()
    }

    /// The index of each roll.
    pub(crate) fn roll_indices(&self) -> BTreeMap<&[usize], usize> {
        self.rolls.iter().enumerate().map(|(place, roll)| (&roll[..], place)).collect()
    }
}

/// Different values, in the order in which they occurred.
struct Distinct<T> {
    all: Vec<T>,
    known: FxHashMap<T, usize>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self { all: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Distinct<T> {
    fn of(&mut self, own: T) -> usize {
        if let Some(place) = self.known.get(&own) {
            return *place;
        }
        self.known.insert(own.clone(), self.all.len());
        self.all.push(own);
        self.all.len() - 1
    }
}
