//! A summary of all heroes of a table.

use gamebook::Book;
use serde::{Deserialize, Serialize};
use solved_table::{Gain, Roster};

use super::hero_link::hero_address;
use super::registry::HeroTables;
use super::table::HeroTable;
use crate::gamebook::OfferedBook;
use crate::question::{Problem, Question, Run};

/// The most groups in an answer, best first.
const MOST_GROUPS: usize = 50;
/// The most names of a column whose gains are computed.
const MOST_NAMES: usize = 200;
/// The most cells of a picture.
const MOST_CELLS: usize = 2500;

/// Asks for a summary of all heroes of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryQuestion {
    #[serde(default)]
    table: String,
    #[serde(default)]
    book: String,
}

/// A table of heroes summed up.
#[derive(Serialize)]
pub struct SummaryAnswer {
    format: u32,
    table: String,
    title: String,
    /// The book of which they are heroes, if one fits, and all that do.
    book: Option<String>,
    books: Vec<(String, String)>,
    /// Whether they are worth a chance to win; else a plain number.
    is_chance: bool,
    columns: Vec<ColumnJson>,
    heroes: usize,
    /// How many combinations of groups and rolls have no hero.
    missing: usize,
    rolls: usize,
    mean: f64,
    groups: Vec<GroupJson>,
    /// Groups beyond those listed.
    left_out: usize,
    gains: Vec<GainJson>,
    grid: Option<GridJson>,
}

#[derive(Serialize)]
struct ColumnJson {
    name: String,
    /// Its least and its largest number; null for names.
    numbers: Option<[i32; 2]>,
    /// Its names; empty for numbers, and where there are too many.
    names: Vec<String>,
}

#[derive(Serialize)]
struct GroupJson {
    name: String,
    win: f64,
    best_for: usize,
    /// The page of the book with a hero of the group: the one with the likeliest roll.
    address: Option<String>,
}

#[derive(Serialize)]
struct GainJson {
    /// The column of a name; null for a point of a number.
    column: Option<String>,
    what: String,
    gain: f64,
}

#[derive(Serialize)]
struct GridJson {
    down: AxisJson,
    across: AxisJson,
    /// Row by row; null where there is no hero.
    cells: Vec<Option<CellJson>>,
}

#[derive(Serialize)]
struct AxisJson {
    name: String,
    values: Vec<i32>,
}

#[derive(Serialize)]
struct CellJson {
    win: f64,
    group: String,
    address: Option<String>,
}

impl SummaryQuestion {
    fn sum_up(&self, tables: &HeroTables) -> Result<SummaryAnswer, Problem> {
        let table = tables.table(&self.table)?;
        let offered = table.book(&tables.gamebooks, &self.book)?;
        let roster = table.roster(offered);
        let groups = roster.groups();
        let address = |row: usize| Some(hero_address(table, &tables.gamebooks, offered?, &roster.rows[row].cells));
        let likeliest = likeliest(&roster);
        Ok(SummaryAnswer {
            format: 1,
            table: table.name.clone(),
            title: roster.title.clone(),
            book: offered.map(|own| own.name.clone()),
            books: table
                .books(&tables.gamebooks)
                .into_iter()
                .map(|own| (own.name.clone(), own.book.title.clone()))
                .collect(),
            is_chance: roster.is_chance,
            columns: columns(table, &roster),
            heroes: roster.rows.len(),
            missing: (roster.rolls.len() * roster.groups.len()).saturating_sub(roster.rows.len()),
            rolls: roster.rolls.len(),
            mean: roster.mean(),
            groups: groups
                .iter()
                .take(MOST_GROUPS)
                .map(|own| GroupJson {
                    name: roster.groups[own.group].clone(),
                    win: own.win,
                    best_for: own.best_for,
                    address: address(likeliest[own.group]),
                })
                .collect(),
            left_out: groups.len().saturating_sub(MOST_GROUPS),
            gains: gains(table, &roster, offered),
            grid: grid(&roster, &address),
        })
    }
}

/// For each group the row of its likeliest roll.
fn likeliest(roster: &Roster) -> Vec<usize> {
    let chances = roster.chances();
    let mut rows: Vec<Option<usize>> = vec![None; roster.groups.len()];
    for (place, row) in roster.rows.iter().enumerate() {
        let own = &mut rows[row.group];
        if own.is_none_or(|known| chances[roster.rows[known].roll] < chances[row.roll]) {
            *own = Some(place);
        }
    }
    rows.into_iter().map(Option::unwrap_or_default).collect()
}

fn columns(table: &HeroTable, roster: &Roster) -> Vec<ColumnJson> {
    let numbers = |name: &str| {
        let own = roster.numbers.iter().find(|own| own.name == name)?;
        Some([*own.values.first()?, *own.values.last()?])
    };
    let all = roster.layout.cells.iter().zip(table.names());
    all.map(|(name, names)| ColumnJson {
        name: name.clone(),
        numbers: numbers(name),
        names: if names.len() > MOST_NAMES { Vec::new() } else { names.clone() },
    })
    .collect()
}

fn gains(table: &HeroTable, roster: &Roster, offered: Option<&OfferedBook>) -> Vec<GainJson> {
    let weighed = |name: &str| !is_redundant(name, offered.map(|own| &*own.book));
    let named = roster
        .layout
        .cells
        .iter()
        .zip(table.names())
        .filter(|(name, names)| weighed(name) && names.len() <= MOST_NAMES);
    let of = |column: Option<&String>, Gain { what, gain }| GainJson { column: column.cloned(), what, gain };
    let names = named.flat_map(|(column, names)| {
        roster.gains(column, names.iter().map(String::as_str)).into_iter().map(move |gain| of(Some(column), gain))
    });
    names.chain(roster.points().into_iter().map(|gain| of(None, gain))).collect()
}

/// Whether another column contains it, too: the weapon of weaponskill is one of the disciplines.
fn is_redundant(column: &str, book: Option<&Book>) -> bool {
    column == "weaponskill" && book.is_none_or(|book| book.system.is_none())
}

fn grid(roster: &Roster, address: &dyn Fn(usize) -> Option<String>) -> Option<GridJson> {
    let grid = roster.grid().filter(|grid| grid.cells.len() <= MOST_CELLS)?;
    let axis = |place: usize| {
        let own = &roster.numbers[place];
        AxisJson { name: own.name.clone(), values: own.values.clone() }
    };
    let cell = |own: solved_table::GridCell| CellJson {
        win: own.win,
        group: roster.groups[own.group].clone(),
        address: address(own.row),
    };
    let cells = grid.cells.into_iter().map(|own| own.map(cell)).collect();
    Some(GridJson { down: axis(grid.down), across: axis(grid.across), cells })
}

impl Question for SummaryQuestion {
    type Context = HeroTables;
    type Answer = SummaryAnswer;

    fn check(&self, tables: &HeroTables) -> Result<(), Problem> {
        tables.table(&self.table)?.book(&tables.gamebooks, &self.book).map(|_| ())
    }

    fn answer(&self, _: &Run<'_>, tables: &HeroTables) -> Result<SummaryAnswer, Problem> {
        self.sum_up(tables)
    }
}
