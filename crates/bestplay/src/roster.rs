//! Many heroes who differ in numbers, and perhaps in more: how they fare, and how that is told.

mod told;
mod worth;

use solved_table::{Cell, Found, Layout};

pub use told::picture;
pub use worth::Gain;

/// A number on the heroes' sheets.
pub struct Number {
    pub name: String,
    /// What it is in turn.
    pub values: Vec<i32>,
    /// How likely each of them is rolled, in proportion; all alike where it is chosen.
    pub chances: Vec<f64>,
}

/// A hero.
#[derive(Debug)]
pub struct Row {
    /// What he is, column by column.
    pub cells: Vec<Cell>,
    pub found: Found,
    /// Which group he is of, and which of its rolls is his.
    pub group: usize,
    pub roll: usize,
}

/// Heroes in groups; those of a group differ in their numbers only.
pub struct Roster {
    pub title: String,
    /// What heroes are told by.
    pub layout: Layout,
    /// Their numbers: each group has a hero for each combination of their values, the last of which changes fastest.
    pub numbers: Vec<Number>,
    /// What each group is called.
    pub groups: Vec<String>,
    pub rows: Vec<Row>,
    /// Whether what they are worth is a chance; else a plain number.
    pub is_chance: bool,
}

impl Roster {
    /// The lines of the table.
    pub fn lines(&self) -> impl Iterator<Item = (&[Cell], &Found)> {
        self.rows.iter().map(|row| (&row.cells[..], &row.found))
    }
}
