//! Many heroes who differ in numbers, and perhaps in more.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::read::Table;
use crate::table::{Cell, Found, Layout};

/// A number on the heroes' sheets.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterNumber {
    /// What it is called.
    pub name: String,
    /// What it is in turn.
    pub values: Vec<i32>,
    /// How likely each of them is rolled, in proportion; all alike where it is chosen.
    pub chances: Vec<f64>,
}

/// A hero.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterRow {
    /// What he is, column by column.
    pub cells: Vec<Cell>,
    /// How he fares.
    pub found: Found,
    /// Which group he is of.
    pub group: usize,
    /// Which of the rolls is his.
    pub roll: usize,
}

/// Heroes in groups; those of a group differ in their numbers only. What can be said of all of them together:
/// [`groups`](Self::groups), [`best`](Self::best), [`points`](Self::points), [`grid`](Self::grid).
#[derive(Clone, Debug, PartialEq)]
pub struct Roster {
    /// What they are heroes of.
    pub title: String,
    /// What heroes are told by.
    pub layout: Layout,
    /// Their numbers.
    pub numbers: Vec<RosterNumber>,
    /// What is rolled, roll by roll: for each number the place of its value. Each roll is that of a hero.
    pub rolls: Vec<Vec<usize>>,
    /// What each group is called.
    pub groups: Vec<String>,
    /// The heroes.
    pub rows: Vec<RosterRow>,
    /// Whether what they are worth is a chance; else a plain number.
    pub is_chance: bool,
}

/// Every combination of the values of some numbers; those of the last change fastest.
pub fn every_roll(numbers: &[RosterNumber]) -> Vec<Vec<usize>> {
    numbers.iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, number| {
        let with = |own: &Vec<usize>| -> Vec<_> {
            (0..number.values.len()).map(|place| [&own[..], &[place]].concat()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

/// The column that says in which weapon a hero is skilled: his disciplines say it too.
const SAID_TWICE: &str = "weaponskill";

impl Roster {
    /// The heroes of a table that was read. `chance` is how likely a number is rolled so, in proportion, where that is known.
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
                // Where nobody rolls any of them, each counts alike.
                let chances = chances.filter(|own| own.iter().any(|own| *own > 0.0));
                RosterNumber { name: name.clone(), chances: chances.unwrap_or_else(|| vec![1.0; values.len()]), values }
            })
            .collect();
        let (mut rolls, mut groups) = (Places::default(), Places::default());
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
        let told: Vec<usize> = (0..names.len())
            .filter(|place| layout.cells[names[*place]] != SAID_TWICE && (differs(*place) || groups.len() == 1))
            .collect();
        let named = |own: &Vec<Cell>| {
            let name = |place: &usize| match &own[*place] {
                Cell::Names(names) => names.clone(),
                Cell::Number(number) => number.to_string(),
            };
            told.iter().map(name).filter(|name| !name.is_empty()).collect::<Vec<_>>().join("; ")
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
    pub fn lines(&self) -> impl Iterator<Item = (&[Cell], &Found)> {
        self.rows.iter().map(|row| (&row.cells[..], &row.found))
    }

    /// The heroes by group and roll.
    pub(crate) fn places(&self) -> FxHashMap<(usize, usize), usize> {
        self.rows.iter().enumerate().map(|(place, row)| ((row.group, row.roll), place)).collect()
    }

    /// The place of each roll.
    pub(crate) fn roll_places(&self) -> BTreeMap<&[usize], usize> {
        self.rolls.iter().enumerate().map(|(place, roll)| (&roll[..], place)).collect()
    }
}

/// What came up, each once, in the order in which it came.
struct Places<T> {
    all: Vec<T>,
    known: FxHashMap<T, usize>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { all: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Places<T> {
    fn of(&mut self, own: T) -> usize {
        if let Some(place) = self.known.get(&own) {
            return *place;
        }
        self.known.insert(own.clone(), self.all.len());
        self.all.push(own);
        self.all.len() - 1
    }
}
