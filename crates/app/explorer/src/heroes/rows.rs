//! A table of heroes line by line: sorted, filtered, a page at a time.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use solved_table::{Bounds, Cell, Solved};

use super::hero_link::hero_address;
use super::registry::HeroTables;
use super::table::HeroTable;
use crate::question::{Problem, Question, Run};

/// The most heroes of one answer.
const MOST_ROWS: usize = 5_000;
/// The most filters.
const MOST_FILTERS: usize = 40;
/// The default number of heroes in an answer.
const USUAL: usize = 50;

/// Which heroes are in the table?
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsQuestion {
    #[serde(default)]
    table: String,
    #[serde(default)]
    book: String,
    /// A column; by nothing where it is empty.
    #[serde(default)]
    sort: String,
    #[serde(default)]
    descending: bool,
    /// `combat_skill=15..19`, `disciplines=tracking`, `disciplines=-tracking`.
    #[serde(default)]
    filter: Vec<String>,
    /// So many heroes are skipped.
    #[serde(default)]
    from: usize,
    #[serde(default = "usual")]
    count: usize,
}

fn usual() -> usize {
    USUAL
}

/// Heroes of a table.
#[derive(Serialize)]
pub struct RowsAnswer {
    format: u32,
    /// How many there are for these filters.
    found: usize,
    rows: Vec<RowJson>,
}

#[derive(Serialize)]
struct RowJson {
    /// What he is, column by column.
    cells: Map<String, Value>,
    win: f64,
    lower: f64,
    upper: f64,
    exact: Option<String>,
    /// The page of the book with this hero.
    address: Option<String>,
}

/// What a filter wants of a column.
enum Wanted {
    Between(RangeInclusive<i32>),
    /// All of these names, and none of those.
    Names(Vec<String>, Vec<String>),
}

/// What heroes are sorted by.
enum Key {
    Column(usize),
    /// Of the bounds: the value, the lower or the upper.
    Value(fn(&Bounds) -> f64),
}

impl RowsQuestion {
    fn filters(&self, table: &HeroTable) -> Result<Vec<(usize, Wanted)>, Problem> {
        if self.filter.len() > MOST_FILTERS {
            return Err(Problem::impossible("there are too many filters", format_args!("at most {MOST_FILTERS}")));
        }
        self.filter.iter().map(|own| filter(table, own)).collect()
    }

    fn key(&self, table: &HeroTable) -> Result<Option<Key>, Problem> {
        let own = &table.table.layout;
        Ok(match self.sort.as_str() {
            "" => None,
            "lower" => Some(Key::Value(|own| own.lower)),
            "upper" => Some(Key::Value(|own| own.upper)),
            name if own.values.contains(&name) => Some(Key::Value(|own| own.value)),
            name => Some(Key::Column(table.column(name).ok_or_else(|| no_column(table, name))?)),
        })
    }

    fn rows(&self, tables: &HeroTables) -> Result<RowsAnswer, Problem> {
        let table = tables.table(&self.table)?;
        let offered = table.book(&tables.gamebooks, &self.book)?;
        let (filters, key) = (self.filters(table)?, self.key(table)?);
        let holds = |(cells, _): &&Solved| filters.iter().all(|(column, wanted)| wanted.holds(&cells[*column]));
        let mut lines: Vec<&Solved> = table.table.lines.iter().filter(holds).collect();
        if let Some(key) = key {
            // Equal heroes stay in the order of the file.
            lines.sort_by(|left, right| {
                let order = key.compare(left, right);
                if self.descending { order.reverse() } else { order }
            });
        }
        let row = |line: &&Solved| {
            let (cells, found) = line;
            let Bounds { value, lower, upper } = found.bounds[0];
            let cell = |cell: &Cell| match cell {
                Cell::Number(number) => json!(number),
                Cell::Names(names) => json!(names),
            };
            let named = table.table.layout.cells.iter().zip(cells).map(|(name, own)| (name.clone(), cell(own)));
            RowJson {
                cells: named.collect(),
                win: value,
                lower,
                upper,
                exact: found.exact.clone(),
                address: offered.map(|offered| hero_address(table, &tables.gamebooks, offered, cells)),
            }
        };
        let rows = lines.iter().skip(self.from).take(self.count).map(row).collect();
        Ok(RowsAnswer { format: 1, found: lines.len(), rows })
    }
}

fn no_column(table: &HeroTable, name: &str) -> Problem {
    let names = table.table.layout.heads();
    Problem::impossible(format_args!("there is no column {name:?}"), format_args!("there are {}", names.join(", ")))
}

fn filter(table: &HeroTable, text: &str) -> Result<(usize, Wanted), Problem> {
    let wrong = |what: &str| {
        let help = "write combat_skill=15, combat_skill=15..19, disciplines=tracking or disciplines=-tracking";
        Problem::impossible(format_args!("the filter {text:?} {what}"), help)
    };
    let (name, wanted) = text.split_once('=').ok_or_else(|| wrong("has no `=`"))?;
    let column = table.column(name).ok_or_else(|| no_column(table, name))?;
    if table.table.is_number(column) {
        let number = |text: &str| text.trim().parse::<i32>().map_err(|_| wrong("is about a number"));
        let range = match wanted.split_once("..") {
            Some((least, most)) => number(least)?..=number(most)?,
            None => number(wanted)?..=number(wanted)?,
        };
        return Ok((column, Wanted::Between(range)));
    }
    let (mut has, mut lacks) = (Vec::new(), Vec::new());
    for word in wanted.split_whitespace() {
        match word.strip_prefix('-') {
            Some(word) => lacks.push(word.to_owned()),
            None => has.push(word.to_owned()),
        }
    }
    Ok((column, Wanted::Names(has, lacks)))
}

impl Wanted {
    fn holds(&self, cell: &Cell) -> bool {
        match (self, cell) {
            (Self::Between(range), Cell::Number(number)) => range.contains(number),
            (Self::Names(has, lacks), Cell::Names(names)) => {
                // `weaponskill` is there as `weaponskill=sword`, too.
                let is = |wanted: &String| {
                    names.split_whitespace().any(|own| own == wanted || own.split('=').next() == Some(wanted))
                };
                has.iter().all(is) && !lacks.iter().any(is)
            }
            _ => false,
        }
    }
}

impl Key {
    fn compare(&self, left: &Solved, right: &Solved) -> Ordering {
        match self {
            Self::Column(column) => left.0[*column].cmp(&right.0[*column]),
            Self::Value(of) => of(&left.1.bounds[0]).total_cmp(&of(&right.1.bounds[0])),
        }
    }
}

impl Question for RowsQuestion {
    type Context = HeroTables;
    type Answer = RowsAnswer;

    fn check(&self, tables: &HeroTables) -> Result<(), Problem> {
        if tables.tables.is_empty() && self.table.is_empty() && self.filter.is_empty() && self.sort.is_empty() {
            // The page says itself that there is none.
            return Ok(());
        }
        let table = tables.table(&self.table)?;
        table.book(&tables.gamebooks, &self.book)?;
        self.filters(table)?;
        self.key(table)?;
        if self.count > MOST_ROWS {
            let message = format_args!("{} heroes at once", self.count);
            return Err(Problem::impossible(message, format_args!("at most {MOST_ROWS}")));
        }
        Ok(())
    }

    fn is_small(&self) -> bool {
        true
    }

    fn answer(&self, _: &Run<'_>, tables: &HeroTables) -> Result<RowsAnswer, Problem> {
        self.rows(tables)
    }
}
