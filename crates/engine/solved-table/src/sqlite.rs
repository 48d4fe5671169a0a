//! Tables stored in a file of `SQLite`.

use std::collections::hash_map::Entry;
use std::fmt::Display;
use std::fs::Metadata;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};
use rustc_hash::FxHasher;

use crate::about::{About, TableFileError};
use crate::read::{LONGEST_FILE, MOST_LINES, Table, TableError, VALUES, too_large};
use crate::table::{Bounds, Cell, Known, Layout, LineValues, Solved};

/// The application id that marks a file of `SQLite` as one of ours.
const APPLICATION: i32 = 0x6865_726f;
/// The version of the layout.
const FORMAT: &str = "1";
/// How long to wait for another process that has the file.
const PATIENCE: Duration = Duration::from_secs(2);

impl TableFileError {
    fn bad(message: impl Display, help: impl Display) -> Self {
        Self { is_bad_input: true, message: message.to_string(), help: help.to_string() }
    }

    fn failed(message: impl Display, help: impl Display) -> Self {
        Self { is_bad_input: false, ..Self::bad(message, help) }
    }
}

const OTHER: &str = "name another file, which will be made";

/// A file that stores a table as it grows.
///
/// ```
/// use solved_table::{About, Cell, LineValues, TableFile, Layout};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("heroes.sqlite");
/// let layout = Layout { lines: "heroes", cells: vec!["skill".into()], values: vec!["win"], exact: false };
/// let about = About { same: vec![("question", "who wins?".into())], repeat: "ask who wins" };
/// let (mut kept, known) = TableFile::open(&path, &layout, &about)?;
/// assert!(known.is_empty());
/// let found = LineValues::from(&mdp::Value { lower: 0.25, upper: 0.25, exact: None });
/// kept.add(&[(vec![Cell::Number(7)], found.clone())])?;
/// drop(kept);
/// let (_, known) = TableFile::open(&path, &layout, &about)?;
/// assert_eq!(known[&vec![Cell::Number(7)]], found);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableFile {
    path: PathBuf,
    /// The file's metadata.
    file: Option<Metadata>,
    connection: Connection,
    layout: Layout,
}

impl TableFile {
    /// Opens a file, or creates it, and reads its content. The file is locked until it is dropped.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged, or has another subject.
    pub fn open(path: &Path, layout: &Layout, about: &About) -> Result<(Self, Known), TableFileError> {
        let is_new = std::fs::metadata(path).map_or(true, |file| file.len() == 0);
        let open = || {
            let connection = Connection::open(path)?;
            connection.busy_timeout(PATIENCE)?;
            connection.execute_batch(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT",
            )?;
            Ok(connection)
        };
        let connection = open().map_err(|error| file_error(path, &error))?;
        let mut table_file =
            Self { path: path.into(), file: std::fs::metadata(path).ok(), connection, layout: layout.clone() };
        let mut same = vec![("format", FORMAT.to_string()), ("version", env!("CARGO_PKG_VERSION").to_string())];
        same.extend(about.same.iter().cloned());
        same.push(("columns", layout.cells.join(" ")));
        if is_new || table_file.is_blank().map_err(|error| table_file.file_error(&error))? {
            table_file.create(&same).map_err(|error| table_file.file_error(&error))?;
            return Ok((table_file, Known::default()));
        }
        table_file.is_ours(&same, about.repeat)?;
        let known = table_file.read()?;
        Ok((table_file, known))
    }

    fn file_error(&self, error: &rusqlite::Error) -> TableFileError {
        file_error(&self.path, error)
    }

    fn wrong(&self, what: impl Display, right: &str) -> TableFileError {
        TableFileError::bad(format_args!("{} cannot be used: {what}", self.path.display()), right)
    }

    /// Whether the process that created it was ended before it wrote anything.
    fn is_blank(&self) -> rusqlite::Result<bool> {
        let tables: i64 = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(tables == 0)
    }

    fn create(&mut self, same: &[(&str, String)]) -> rusqlite::Result<()> {
        let change = self.connection.transaction()?;
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.execute_batch(ABOUT)?;
        for (name, value) in same {
            change.execute("INSERT INTO about VALUES (?, ?)", [*name, value])?;
        }
        change.execute_batch(&schema(&self.layout))?;
        change.commit()
    }

    /// The content of a file, whatever its subject: a table of heroes of at most [`MOST_LINES`] lines. Nothing is
    /// written.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged, too large, or not a table of heroes.
    pub fn look(path: &Path) -> Result<Table, TableFileError> {
        let file_error = |error: rusqlite::Error| file_error(path, &error);
        let wrong = |TableError { message, help }: TableError| {
            TableFileError::bad(format_args!("{} cannot be used: {message}", path.display()), help)
        };
        if std::fs::metadata(path).is_ok_and(|file| file.len() > LONGEST_FILE as u64) {
            return Err(wrong(too_large(format_args!("it has more than {} MiB", LONGEST_FILE >> 20))));
        }
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(file_error)?;
        connection.busy_timeout(PATIENCE).map_err(file_error)?;
        let other =
            || wrong(TableError::new("it is no table of heroes", "name a file that `gamebook heroes --state` writes"));
        // Only tables created by this program are queried: reading another object may never end.
        let made = |name: &str| -> Result<String, TableFileError> {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? AND length(sql) < 10000";
            connection.query_row(sql, [name], |row| row.get(0)).map_err(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => other(),
                error => file_error(error),
            })
        };
        if made("about")? != ABOUT {
            return Err(other());
        }
        let text_of = |name: &str| -> Result<String, TableFileError> {
            let sql = "SELECT value FROM about WHERE name = ? AND length(value) < 10000";
            connection.query_row(sql, [name], |row| row.get(0)).map_err(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => other(),
                error => file_error(error),
            })
        };
        let cells: Vec<String> = text_of("columns")?.split(' ').map(String::from).collect();
        let of = |value| Layout { lines: "heroes", cells: cells.clone(), values: vec![value], exact: true };
        let own = made("heroes")?;
        let layout = VALUES.into_iter().map(of).find(|layout| schema(layout) == own).ok_or_else(other)?;
        let table_file = Self { path: path.into(), file: None, connection, layout };
        table_file.is_ours(&[("format", FORMAT.to_string())], "")?;
        let mut lines = Vec::new();
        table_file.each(&mut |line| {
            if lines.len() == MOST_LINES {
                return Err(wrong(too_large(format_args!("it has more than {MOST_LINES} heroes"))));
            }
            lines.push(line);
            Ok(())
        })?;
        let about = ["book", "fight"].into_iter().find_map(|name| {
            table_file
                .connection
                .query_row("SELECT value FROM about WHERE name = ?", [name], |row| row.get::<_, String>(0))
                .ok()
        });
        Table::new(about.map(without_version), table_file.layout.clone(), lines).map_err(wrong)
    }

    /// Whether the file was created by this program, is complete, and has the same subject.
    fn is_ours(&self, same: &[(&str, String)], repeat: &str) -> Result<(), TableFileError> {
        let file_error = |error: rusqlite::Error| self.file_error(&error);
        let application: i32 =
            self.connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(file_error)?;
        if application != APPLICATION {
            return Err(self.wrong("it is a database of another program", OTHER));
        }
        let whole: String =
            self.connection.query_row("PRAGMA quick_check", [], |row| row.get(0)).map_err(file_error)?;
        if whole != "ok" {
            return Err(self.damaged(whole));
        }
        for (name, ours) in same {
            let theirs: Result<String, _> =
                self.connection.query_row("SELECT value FROM about WHERE name = ?", [name], |row| row.get(0));
            match theirs {
                Ok(theirs) if theirs == *ours => {}
                Ok(theirs) => return Err(self.differs(name, &theirs, ours, repeat)),
                Err(rusqlite::Error::QueryReturnedNoRows) => {
                    return Err(self.wrong(format_args!("it is about something without a {name}"), OTHER));
                }
                Err(error) => return Err(self.damaged(error)),
            }
        }
        Ok(())
    }

    /// The error for a difference.
    fn differs(&self, name: &str, theirs: &str, ours: &str, repeat: &str) -> TableFileError {
        let lines = self.layout.lines;
        match name {
            "format" | "version" => {
                self.wrong(format_args!("it was written by version {theirs} of this program"), OTHER)
            }
            "columns" => self.wrong(format_args!("its {lines} are identified by {theirs}, these by {ours}"), OTHER),
            "question" => {
                let help = format!("say {repeat} as then, or name another file");
                self.wrong(format_args!("its {lines} were asked another question"), &help)
            }
            _ => {
                let edited = "another one, or the same before it was edited";
                self.wrong(format_args!("it is about the {name} {theirs}, this is {ours}: {edited}"), OTHER)
            }
        }
    }

    fn damaged(&self, what: impl Display) -> TableFileError {
        self.wrong(format_args!("it is damaged ({what})"), "remove it, or name another file, which will be made")
    }

    /// The whole content of the file.
    fn read(&self) -> Result<Known, TableFileError> {
        let mut known = Known::default();
        let lines = self.layout.lines;
        self.each(&mut |(cells, found)| {
            match known.entry(cells) {
                Entry::Vacant(entry) => entry.insert(found),
                Entry::Occupied(_) => return Err(self.damaged(format_args!("one of its {lines} is there twice"))),
            };
            Ok(())
        })?;
        Ok(known)
    }

    /// Each line of the file in turn.
    fn each(&self, found: &mut dyn FnMut(Solved) -> Result<(), TableFileError>) -> Result<(), TableFileError> {
        let damaged = |error: rusqlite::Error| self.damaged(error);
        let Layout { lines, cells, values, .. } = &self.layout;
        let (cells, values) = (cells.len(), values.len());
        let mut all = self.connection.prepare(&format!("SELECT * FROM {lines}")).map_err(damaged)?;
        if all.column_count() != cells + 3 * values + 2 {
            return Err(self.damaged("it has other columns"));
        }
        let mut rows = all.query([]).map_err(damaged)?;
        while let Some(row) = rows.next().map_err(damaged)? {
            let read = line(row, cells, values).map_err(damaged)?;
            let Some(line) = read else {
                return Err(self.damaged(format_args!("one of its {lines} cannot be")));
            };
            found(line)?;
        }
        Ok(())
    }

    /// Whether the file still has its name.
    ///
    /// # Errors
    /// When it was removed, or another one has its name.
    pub fn is_still_there(&self) -> Result<(), TableFileError> {
        let there = std::fs::metadata(&self.path).ok();
        let same = |(own, there)| whole_file::is_same(own, there);
        if self.file.as_ref().zip(there.as_ref()).is_some_and(same) {
            return Ok(());
        }
        let message = format_args!("{} was removed while it was in use", self.path.display());
        Err(TableFileError::failed(message, "leave it where it is, and run the same command again"))
    }

    /// Adds lines: all of them or none.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, solved: &[Solved]) -> Result<(), TableFileError> {
        self.is_still_there()?;
        let Layout { lines, cells, values, .. } = &self.layout;
        let marks = vec!["?"; cells.len() + 3 * values.len() + 2].join(", ");
        let insert = format!("INSERT OR REPLACE INTO {lines} VALUES ({marks})");
        let add = |connection: &mut Connection| {
            let change = connection.transaction()?;
            {
                let mut insert = change.prepare(&insert)?;
                for (cells, found) in solved {
                    let own = cells.iter().map(|cell| match cell {
                        Cell::Number(number) => Value::from(*number),
                        Cell::Names(names) => Value::from(names.clone()),
                    });
                    let numbers =
                        found.bounds.iter().flat_map(|own| [own.value, own.lower, own.upper].map(Value::from));
                    let end = [found.exact.clone().map_or(Value::Null, Value::from), check(cells, found).into()];
                    insert.execute(params_from_iter(own.chain(numbers).chain(end)))?;
                }
            }
            change.commit()
        };
        add(&mut self.connection).map_err(|error| {
            let right = "is the disk full? What was written before is kept: run the same command again to go on";
            TableFileError::failed(format_args!("cannot write {}: {error}", self.path.display()), right)
        })
    }
}

/// The table of the subject.
const ABOUT: &str = "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";

/// The table of the lines.
fn schema(layout: &Layout) -> String {
    let cells: Vec<String> = layout.cells.iter().map(|name| name_in_sql(name)).collect();
    let numbers: Vec<String> = layout.numbers().map(|name| name_in_sql(&name)).collect();
    let columns = cells.iter().cloned().chain(numbers.iter().map(|name| format!("{name} REAL NOT NULL")));
    // Without columns that distinguish lines there is a single one.
    let key = if cells.is_empty() { &numbers[..1] } else { &cells };
    format!(
        "CREATE TABLE {} ({}, exact TEXT, \"check\" INTEGER NOT NULL, PRIMARY KEY ({})) WITHOUT ROWID",
        layout.lines,
        columns.collect::<Vec<_>>().join(", "),
        key.join(", ")
    )
}

/// The text of a subject, without the number that distinguishes its versions.
fn without_version(about: String) -> String {
    match about.rsplit_once(" (") {
        Some((title, number)) if number.len() == 17 && number.ends_with(')') => title.to_owned(),
        _ => about,
    }
}

/// A name quoted for SQL.
fn name_in_sql(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The content of a row; `None` if it is invalid.
fn line(row: &Row<'_>, columns: usize, values: usize) -> rusqlite::Result<Option<Solved>> {
    let mut cells = Vec::with_capacity(columns);
    for column in 0..columns {
        cells.push(match row.get_ref(column)? {
            ValueRef::Integer(number) => match i32::try_from(number) {
                Ok(number) => Cell::Number(number),
                Err(_) => return Ok(None),
            },
            ValueRef::Text(_) => Cell::Names(row.get(column)?),
            _ => return Ok(None),
        });
    }
    let number = |place: usize| row.get::<_, f64>(columns + place);
    let bounds = |place: usize| {
        Ok(Bounds { value: number(3 * place)?, lower: number(3 * place + 1)?, upper: number(3 * place + 2)? })
    };
    let bounds = (0..values).map(bounds).collect::<rusqlite::Result<Vec<_>>>()?;
    let found = LineValues { bounds, exact: row.get(columns + 3 * values)? };
    let holds = found.bounds.iter().all(|own| own.lower <= own.value && own.value <= own.upper);
    let same = row.get::<_, i64>(columns + 3 * values + 1)? == check(&cells, &found);
    Ok((holds && same).then_some((cells, found)))
}

/// A checksum of a line.
fn check(cells: &[Cell], LineValues { bounds, exact }: &LineValues) -> i64 {
    let bits: Vec<u64> = bounds.iter().flat_map(|own| [own.value, own.lower, own.upper].map(f64::to_bits)).collect();
    let mut hasher = FxHasher::default();
    hasher.write(format!("{cells:?} {bits:?} {exact:?}").as_bytes());
    hasher.finish().cast_signed()
}

/// The error for a file that cannot be opened or read.
fn file_error(path: &Path, error: &rusqlite::Error) -> TableFileError {
    use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
    let what = format!("{} cannot be used: ", path.display());
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => {
            TableFileError::failed(what + "another process has it", "wait until that has ended, or name another file")
        }
        Some(NotADatabase) => TableFileError::bad(
            what + "it is no SQLite file, or a damaged one",
            "remove it, or name another file, which will be made",
        ),
        Some(DatabaseCorrupt) => {
            TableFileError::bad(what + "it is damaged", "remove it, or name another file, which will be made")
        }
        Some(CannotOpen) => TableFileError::bad(what + &error.to_string(), "name a file in a folder that exists"),
        _ => TableFileError::failed(what + &error.to_string(), "remove it, or name another file, which will be made"),
    }
}
