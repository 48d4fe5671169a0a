//! Heroes who are solved, kept in a file of `SQLite`.

use std::collections::hash_map::Entry;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gamebook::{Book, HeroCell, Question};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};
use rustc_hash::FxHasher;

use super::Known;
use super::table::Found;
use super::work::Solved;
use crate::output::Failure;

/// Says of a file of `SQLite` that it is one of ours.
const APPLICATION: i32 = 0x6865_726f;
/// How the file is laid out.
const FORMAT: &str = "1";
/// So long another process that has the file is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// What all heroes of a file have in common: its heroes are of use only where all of it is the same.
pub struct About(Vec<(&'static str, String)>);

impl About {
    /// What heroes have in common of whom this is asked.
    pub fn new(book: &Book, question: &Question, columns: &[String]) -> Self {
        let Question { situation, start, goals, exact, hero, .. } = question;
        let asked = format!("{start} {goals:?} {exact} {situation:?} {:?}", hero.lost);
        Self(vec![
            ("format", FORMAT.into()),
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("book", format!("{} ({:016x})", book.title, number_of(format!("{book:?}").as_bytes()))),
            ("columns", columns.join(" ")),
            ("question", asked),
        ])
    }
}

/// What is told of a difference in one of these, and what would be right.
fn differs(name: &str, theirs: &str, ours: &str) -> (String, &'static str) {
    const OTHER: &str = "name another file, which will be made";
    match name {
        "format" | "version" => (format!("it was written by version {theirs} of this program"), OTHER),
        "book" => (
            format!("it is about the book {theirs}, this is {ours}: another one, or the same before it was edited"),
            OTHER,
        ),
        "columns" => (format!("its heroes are told by {theirs}, these by {ours}"), OTHER),
        _ => (
            "its heroes were asked another question".into(),
            "say --start, --goal, --lost, --reading, --policy and --exact as then, or name another file",
        ),
    }
}

/// A file of heroes.
pub struct State {
    path: PathBuf,
    connection: Connection,
    insert: String,
}

impl State {
    /// Opens a file, or makes it; says who is in it.
    pub fn open(path: &Path, about: &About) -> Result<(Self, Known), Failure> {
        let is_new = std::fs::metadata(path).map_or(true, |file| file.len() == 0);
        let columns = about.0.iter().find(|(name, _)| *name == "columns").map_or("", |(_, columns)| columns);
        let columns: Vec<String> =
            columns.split(' ').map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
        let open = || {
            let connection = Connection::open(path)?;
            connection.busy_timeout(PATIENCE)?;
            // Whoever has the file has it alone.
            connection.execute_batch(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT",
            )?;
            Ok(connection)
        };
        let connection = open().map_err(|error| told(path, &error))?;
        let marks = vec!["?"; columns.len() + 5].join(", ");
        let insert = format!("INSERT OR REPLACE INTO heroes VALUES ({marks})");
        let mut state = Self { path: path.into(), connection, insert };
        if is_new || state.is_blank().map_err(|error| state.told(&error))? {
            state.create(about, &columns).map_err(|error| state.told(&error))?;
            return Ok((state, Known::default()));
        }
        state.is_ours(about)?;
        let known = state.read(columns.len())?;
        Ok((state, known))
    }

    fn told(&self, error: &rusqlite::Error) -> Failure {
        told(&self.path, error)
    }

    fn wrong(&self, what: impl std::fmt::Display, right: &str) -> Failure {
        Failure::bad_input(format_args!("{} cannot be used: {what}", self.path.display()), right)
    }

    /// Whether nothing was written before the process that made it was ended.
    fn is_blank(&self) -> rusqlite::Result<bool> {
        let tables: i64 = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(tables == 0)
    }

    fn create(&mut self, about: &About, columns: &[String]) -> rusqlite::Result<()> {
        let change = self.connection.transaction()?;
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.execute_batch("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")?;
        for (name, value) in &about.0 {
            change.execute("INSERT INTO about VALUES (?, ?)", [*name, value])?;
        }
        let list = columns.join(", ");
        let comma = if columns.is_empty() { "" } else { ", " };
        let key = if columns.is_empty() { "win".to_string() } else { list.clone() };
        change.execute_batch(&format!(
            "CREATE TABLE heroes ({list}{comma}win REAL NOT NULL, lower REAL NOT NULL, upper REAL NOT NULL, exact TEXT, \
             \"check\" INTEGER NOT NULL, PRIMARY KEY ({key})) WITHOUT ROWID"
        ))?;
        change.commit()
    }

    /// Whether the file is one of this program's, whole, and about the same.
    fn is_ours(&self, about: &About) -> Result<(), Failure> {
        let told = |error: rusqlite::Error| self.told(&error);
        let application: i32 =
            self.connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(told)?;
        if application != APPLICATION {
            return Err(self.wrong("it is a database of another program", "name another file, which will be made"));
        }
        let whole: String = self.connection.query_row("PRAGMA quick_check", [], |row| row.get(0)).map_err(told)?;
        if whole != "ok" {
            return Err(self.damaged(whole));
        }
        for (name, ours) in &about.0 {
            let theirs: Result<String, _> =
                self.connection.query_row("SELECT value FROM about WHERE name = ?", [name], |row| row.get(0));
            let theirs = theirs.map_err(|error| self.damaged(error))?;
            if theirs != *ours {
                let (what, right) = differs(name, &theirs, ours);
                return Err(self.wrong(what, right));
            }
        }
        Ok(())
    }

    fn damaged(&self, what: impl std::fmt::Display) -> Failure {
        self.wrong(format_args!("it is damaged ({what})"), "remove it, or name another file, which will be made")
    }

    /// Everyone who is in the file.
    fn read(&self, columns: usize) -> Result<Known, Failure> {
        let damaged = |error: rusqlite::Error| self.damaged(error);
        let mut known = Known::default();
        let mut all = self.connection.prepare("SELECT * FROM heroes").map_err(damaged)?;
        if all.column_count() != columns + 5 {
            return Err(self.damaged("it has other columns"));
        }
        let mut rows = all.query([]).map_err(damaged)?;
        while let Some(row) = rows.next().map_err(damaged)? {
            let read = hero(row, columns).map_err(damaged)?;
            let Some((cells, found)) = read else { return Err(self.damaged("one of its heroes cannot be")) };
            match known.entry(cells) {
                Entry::Vacant(entry) => entry.insert(found),
                Entry::Occupied(_) => return Err(self.damaged("it has a hero twice")),
            };
        }
        Ok(known)
    }

    /// Adds heroes: all of them or none.
    pub fn add(&mut self, heroes: &[Solved]) -> Result<(), Failure> {
        let add = |connection: &mut Connection| {
            let change = connection.transaction()?;
            {
                let mut insert = change.prepare(&self.insert)?;
                for (cells, found) in heroes {
                    let own = cells.iter().map(|cell| match cell {
                        HeroCell::Number(number) => Value::from(*number),
                        HeroCell::Names(names) => Value::from(names.clone()),
                    });
                    let Found { win, lower, upper, exact } = found;
                    let numbers = [*win, *lower, *upper].map(Value::from);
                    let end = [exact.clone().map_or(Value::Null, Value::from), check(cells, found).into()];
                    insert.execute(params_from_iter(own.chain(numbers).chain(end)))?;
                }
            }
            change.commit()
        };
        add(&mut self.connection).map_err(|error| {
            let right = "is the disk full? What was written before is kept: say the same again to go on";
            Failure::failed(format_args!("cannot write {}: {error}", self.path.display()), right)
        })
    }
}

/// The hero of a row; `None` where there can be none like him.
fn hero(row: &Row<'_>, columns: usize) -> rusqlite::Result<Option<Solved>> {
    let mut cells = Vec::with_capacity(columns);
    for column in 0..columns {
        cells.push(match row.get_ref(column)? {
            ValueRef::Integer(number) => match i32::try_from(number) {
                Ok(number) => HeroCell::Number(number),
                Err(_) => return Ok(None),
            },
            ValueRef::Text(_) => HeroCell::Names(row.get(column)?),
            _ => return Ok(None),
        });
    }
    let number = |place: usize| row.get::<_, f64>(columns + place);
    let found = Found { win: number(0)?, lower: number(1)?, upper: number(2)?, exact: row.get(columns + 3)? };
    let holds = 0.0 <= found.lower && found.lower <= found.win && found.win <= found.upper && found.upper <= 1.0;
    let same = row.get::<_, i64>(columns + 4)? == check(&cells, &found);
    Ok((holds && same).then_some((cells, found)))
}

/// A number that hardly stays the same when something of a hero is changed.
fn check(cells: &[HeroCell], found: &Found) -> i64 {
    let Found { win, lower, upper, exact } = found;
    let bits = [*win, *lower, *upper].map(f64::to_bits);
    number_of(format!("{cells:?} {bits:?} {exact:?}").as_bytes()).cast_signed()
}

fn number_of(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The failure of a file that cannot be opened or read.
fn told(path: &Path, error: &rusqlite::Error) -> Failure {
    use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
    let what = format!("{} cannot be used: ", path.display());
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => {
            Failure::failed(what + "another process has it", "wait until that has ended, or name another file")
        }
        Some(NotADatabase) => Failure::bad_input(
            what + "it is no SQLite file, or a damaged one",
            "remove it, or name another file, which will be made",
        ),
        Some(DatabaseCorrupt) => {
            Failure::bad_input(what + "it is damaged", "remove it, or name another file, which will be made")
        }
        Some(CannotOpen) => Failure::bad_input(what + &error.to_string(), "name a file in a folder that exists"),
        _ => Failure::failed(what + &error.to_string(), "remove it, or name another file, which will be made"),
    }
}
