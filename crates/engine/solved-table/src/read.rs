//! Reads tables that were written.

use std::fmt::{self, Display};

use rustc_hash::FxHashSet;

use crate::table::{Bounds, Cell, Layout, LineValues, Solved, words};

/// The most lines of a table that is read.
pub const MOST_LINES: usize = 250_000;
/// The longest file of a table that is read, in bytes.
pub const LONGEST_FILE: usize = 64 << 20;
/// The most columns, and the longest cell.
const MOST_COLUMNS: usize = 40;
const LONGEST_CELL: usize = 1000;

/// The names of value columns.
pub(crate) const VALUES: [&str; 2] = ["win", "value"];

/// A table as it was written, without any knowledge of what was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The subject, if the file gives it: the title of a book, the enemies of a fight.
    pub about: Option<String>,
    /// Its columns.
    pub layout: Layout,
    /// Its lines, each once.
    pub lines: Vec<Solved>,
    /// Which columns contain numbers.
    numbers: Vec<bool>,
}

/// Why a file is not a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// What is wrong, and where.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl TableError {
    pub(crate) fn new(message: impl Display, help: impl Display) -> Self {
        Self { message: message.to_string(), help: help.to_string() }
    }
}

impl Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

impl std::error::Error for TableError {}

const AS_WRITTEN: &str = "name a table as `gamebook heroes --csv` or `--state` writes it";

/// The error for a file that is too large.
pub(crate) fn too_large(what: impl Display) -> TableError {
    TableError::new(what, "make a table of fewer heroes: `gamebook heroes --vary gold=0..50/10`")
}

impl Table {
    /// A table of these lines.
    ///
    /// # Errors
    /// When a line occurs twice, a column has both numbers and names, or a value is invalid.
    pub(crate) fn new(about: Option<String>, layout: Layout, lines: Vec<Solved>) -> Result<Self, TableError> {
        let wrong = |line: usize, what: String| TableError::new(format_args!("hero {}: {what}", line + 1), AS_WRITTEN);
        let Some((first, _)) = lines.first() else {
            return Err(TableError::new("there is no hero in it", AS_WRITTEN));
        };
        let numbers: Vec<bool> = first.iter().map(|cell| matches!(cell, Cell::Number(_))).collect();
        let mut known = FxHashSet::default();
        for (place, (cells, found)) in lines.iter().enumerate() {
            for ((cell, number), column) in cells.iter().zip(&numbers).zip(&layout.cells) {
                match cell {
                    Cell::Number(_) if !number => {
                        return Err(wrong(place, format!("{column} is a number here, and not before")));
                    }
                    Cell::Names(text) if *number => {
                        return Err(wrong(place, format!("{column} is {text:?}, which is no number")));
                    }
                    Cell::Names(text) if text.len() > LONGEST_CELL => {
                        return Err(wrong(place, format!("{column} has more than {LONGEST_CELL} bytes")));
                    }
                    _ => {}
                }
            }
            let Some(Bounds { value, lower, upper }) = found.bounds.first() else {
                return Err(wrong(place, "it has no value".into()));
            };
            if !(value.is_finite() && lower <= value && value <= upper) {
                return Err(wrong(place, format!("{value} does not lie between {lower} and {upper}")));
            }
            if layout.values.first() == Some(&"win") && !(0.0..=1.0).contains(value) {
                return Err(wrong(place, format!("a chance of {value}")));
            }
            if let Some(what) = found.wrong_fraction() {
                return Err(wrong(place, what));
            }
            if !known.insert(cells) {
                return Err(wrong(place, "he is there twice".into()));
            }
        }
        drop(known);
        Ok(Self { about, layout, lines, numbers })
    }

    /// Whether a column of cells contains numbers.
    pub fn is_number(&self, column: usize) -> bool {
        self.numbers.get(column).copied().unwrap_or(false)
    }

    /// The different names in a column, without counts or details, in order.
    pub fn names(&self, column: usize) -> Vec<String> {
        let mut cells = FxHashSet::default();
        let mut names = std::collections::BTreeSet::new();
        for (own, _) in &self.lines {
            if let Some(Cell::Names(text)) = own.get(column)
                && cells.insert(text)
            {
                names.extend(words(text).map(String::from));
            }
        }
        names.into_iter().collect()
    }
}

/// Reads a table as [`write_csv`](crate::write_csv) writes it, of at most [`MOST_LINES`] lines.
///
/// ```
/// let table = solved_table::read_csv("skill,win,lower,upper\n7,0.5,0.25,0.75\n")?;
/// assert_eq!(table.layout.cells, ["skill"]);
/// let error = solved_table::read_csv("skill,win,lower,upper\n7,0.5\n").unwrap_err();
/// assert_eq!(error.message, "line 2 has 2 fields, the first line 4");
/// # Ok::<(), solved_table::TableError>(())
/// ```
///
/// # Errors
/// When the text is not such a table.
pub fn read_csv(text: &str) -> Result<Table, TableError> {
    if text.len() > LONGEST_FILE {
        return Err(too_large(format_args!("it has more than {} MiB", LONGEST_FILE >> 20)));
    }
    let mut rest = text;
    let mut line = 1;
    let heads = fields(&mut rest, &mut line)?.unwrap_or_default();
    let Some((value, name)) = VALUES.iter().find_map(|name| Some((heads.iter().position(|head| head == name)?, *name)))
    else {
        return Err(TableError::new("its first line has no column `win`", AS_WRITTEN));
    };
    let ends: Vec<&str> = heads[value + 1..].iter().map(String::as_str).collect();
    if !matches!(ends[..], ["lower", "upper"] | ["lower", "upper", "exact"]) || value == 0 {
        let message = format_args!("its first line is not NAMES...,{name},lower,upper");
        return Err(TableError::new(message, AS_WRITTEN));
    }
    if heads.len() > MOST_COLUMNS {
        return Err(TableError::new(
            format_args!("it has {} columns", heads.len()),
            format_args!("{MOST_COLUMNS} at most"),
        ));
    }
    let layout = Layout { lines: "heroes", cells: heads[..value].to_vec(), values: vec![name], exact: ends.len() == 3 };
    if let Some(twice) = layout.cells.iter().enumerate().find(|(place, own)| layout.cells[..*place].contains(own)) {
        return Err(TableError::new(format_args!("it has the column `{}` twice", twice.1), AS_WRITTEN));
    }
    let mut raw = Vec::new();
    loop {
        let at = line;
        let Some(own) = fields(&mut rest, &mut line)? else { break };
        if own.len() != heads.len() {
            let message = format_args!("line {at} has {} fields, the first line {}", own.len(), heads.len());
            return Err(TableError::new(message, AS_WRITTEN));
        }
        if raw.len() == MOST_LINES {
            return Err(too_large(format_args!("it has more than {MOST_LINES} heroes")));
        }
        let number = |place: usize| {
            own[place].parse::<f64>().map_err(|_| {
                TableError::new(
                    format_args!("line {at}: {} is {:?}, which is no number", heads[place], own[place]),
                    AS_WRITTEN,
                )
            })
        };
        let bounds = Bounds { value: number(value)?, lower: number(value + 1)?, upper: number(value + 2)? };
        let exact = own.get(value + 3).filter(|exact| !exact.is_empty()).cloned();
        raw.push((own[..value].to_vec(), LineValues { bounds: vec![bounds], exact }));
    }
    // A column contains numbers if all its cells are numbers.
    let is_number = |column: usize| raw.iter().all(|(cells, _)| cells[column].parse::<i32>().is_ok());
    let numbers: Vec<bool> = (0..value).map(is_number).collect();
    let line = |(cells, found): (Vec<String>, LineValues)| {
        let cell = |(text, number): (String, &bool)| match text.parse() {
            Ok(value) if *number => Cell::Number(value),
            _ => Cell::Names(text),
        };
        (cells.into_iter().zip(&numbers).map(cell).collect(), found)
    };
    Table::new(None, layout, raw.into_iter().map(line).collect())
}

/// The fields of the next line; `None` at the end. `line` is where the next begins.
fn fields(rest: &mut &str, line: &mut usize) -> Result<Option<Vec<String>>, TableError> {
    if rest.is_empty() {
        return Ok(None);
    }
    let (mut all, at) = (Vec::new(), *line);
    loop {
        let mut field = String::new();
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut left = quoted;
            loop {
                let Some(end) = left.find('"') else {
                    return Err(TableError::new(format_args!("line {at}: a quote is not closed"), AS_WRITTEN));
                };
                field.push_str(&left[..end]);
                left = &left[end + 1..];
                let Some(after) = left.strip_prefix('"') else { break };
                field.push('"');
                left = after;
            }
            *rest = left;
        } else {
            let end = rest.find([',', '\n']).unwrap_or(rest.len());
            field.push_str(&rest[..end]);
            *rest = &rest[end..];
        }
        *line += field.matches('\n').count();
        // Spreadsheets end lines with both characters.
        if rest.starts_with('\r') {
            *rest = &rest[1..];
        } else if field.ends_with('\r') && !rest.starts_with(',') {
            field.pop();
        }
        all.push(field);
        if all.len() > 2 * MOST_COLUMNS {
            return Err(TableError::new(
                format_args!("line {at} has more than {} fields", 2 * MOST_COLUMNS),
                AS_WRITTEN,
            ));
        }
        match rest.as_bytes().first() {
            Some(b',') => *rest = &rest[1..],
            Some(b'\n') => {
                *rest = &rest[1..];
                *line += 1;
                return Ok(Some(all));
            }
            None => return Ok(Some(all)),
            Some(_) => {
                return Err(TableError::new(format_args!("line {at}: something follows a closing quote"), AS_WRITTEN));
            }
        }
    }
}
