//! Reading tables: what was written is read again, and anything else is refused with a clear message.

use std::fmt::Write;

use solved_table::{Bounds, Cell, Layout, LineValues, MOST_LINES, Roster, read_csv, write_csv};

const HEADS: &str = "skill,items,win,lower,upper";

fn layout(value: &'static str) -> Layout {
    Layout { lines: "heroes", cells: vec!["skill".into(), "items".into()], values: vec![value], exact: true }
}

fn hero(skill: i32, items: &str, value: f64) -> (Vec<Cell>, LineValues) {
    let bounds = Bounds { value, lower: value - 1e-12, upper: value.next_up() };
    let exact = (skill == 7).then(|| if value == 0.25 { "1/4".to_owned() } else { "1/3".to_owned() });
    (vec![Cell::Number(skill), Cell::Names(items.into())], LineValues { bounds: vec![bounds], exact })
}

fn heroes() -> Vec<(Vec<Cell>, LineValues)> {
    vec![hero(7, "rope meal=2", 1.0 / 3.0), hero(7, "", 0.25), hero(12, "a \"b\",c", 1e-300), hero(12, "rope", 0.75)]
}

#[test]
fn what_was_written_is_read_again() {
    for value in ["win", "value"] {
        let (layout, lines) = (layout(value), heroes());
        let mut out = Vec::new();
        write_csv(&layout, lines.iter().map(|(cells, found)| (&cells[..], found)), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        // Also with line ends of spreadsheets.
        for text in [text.replace('\n', "\r\n"), text] {
            let table = read_csv(&text).unwrap();
            assert_eq!((&table.layout, &table.lines), (&layout, &lines));
            assert_eq!((table.is_number(0), table.is_number(1)), (true, false));
        }
    }
}

#[test]
fn files_that_are_not_tables_are_refused() {
    let mut long = String::from("skill,win,lower,upper\n");
    for skill in 0..=MOST_LINES {
        let _ = writeln!(long, "{skill},0.5,0.5,0.5");
    }
    let columns =
        format!("{}win,lower,upper\n", (0..50).map(|own| format!("c{own}")).collect::<Vec<_>>().join(",") + ",");
    let commas = format!("{HEADS}\n{}", ",".repeat(1_000_000));
    let names = format!("{HEADS}\n7,{},0.5,0.5,0.5", "x".repeat(2000));
    for (text, message) in [
        ("", "its first line has no column `win`"),
        ("milk\nbread", "its first line has no column `win`"),
        ("win,lower,upper\n0.5,0.5,0.5", "its first line is not NAMES...,win,lower,upper"),
        ("skill,win,upper,lower\n7,0.5,0.5,0.5", "its first line is not NAMES...,win,lower,upper"),
        ("skill,skill,win,lower,upper\n7,7,0.5,0.5,0.5", "it has the column `skill` twice"),
        (&columns, "it has 53 columns"),
        ("skill,win,lower,upper\n", "there is no hero in it"),
        ("skill,win,lower,upper\n7,0.5,0.5", "line 2 has 3 fields, the first line 4"),
        ("skill,win,lower,upper\n7,\"a\"b,0.5,0.5", "line 2: something follows a closing quote"),
        ("skill,win,lower,upper\n7,\"0.5", "line 2: a quote is not closed"),
        ("skill,win,lower,upper\n7,much,0.5,0.5", "line 2: win is \"much\", which is no number"),
        ("skill,win,lower,upper\n7,NaN,0.5,0.5", "hero 1: NaN does not lie between 0.5 and 0.5"),
        ("skill,win,lower,upper\n7,0.5,0.6,0.7", "hero 1: 0.5 does not lie between 0.6 and 0.7"),
        ("skill,win,lower,upper\n7,1.5,1.5,1.5", "hero 1: a chance of 1.5"),
        ("skill,win,lower,upper\n7,0.5,0.5,0.5\n7,0.6,0.6,0.6", "hero 2: he is there twice"),
        ("skill,win,lower,upper,exact\n7,0.5,0.5,0.5,banana", "hero 1: exact is \"banana\", which is no fraction"),
        ("skill,win,lower,upper,exact\n7,0.5,0.5,0.5,1/0", "hero 1: exact is \"1/0\", which is no fraction"),
        ("skill,win,lower,upper,exact\n7,0.5,0.5,0.5,0.5", "hero 1: exact is \"0.5\", which is no fraction"),
        (
            "skill,win,lower,upper,exact\n7,0.5,0.5,0.5,1/2\n8,0.5,0.5,0.5,9/1",
            "hero 2: exact is \"9/1\", which is not 0.5",
        ),
        ("skill,win,lower,upper,exact\n7,0.5,0.4,0.6,2/5", "hero 1: exact is \"2/5\", which is not 0.5"),
        ("skill,win,lower,upper,exact\n7,0.5,0.5,0.5,-1/2", "hero 1: exact is \"-1/2\", which is not 0.5"),
        (&commas, "line 2 has more than 80 fields"),
        (&names, "hero 1: items has more than 1000 bytes"),
        (&long, "it has more than 250000 heroes"),
    ] {
        let error = read_csv(text).unwrap_err();
        assert_eq!(error.message, message);
        assert!(!error.help.is_empty());
    }
}

/// Fractions agree with the numbers beside them, also where a spreadsheet has rounded these.
#[test]
fn fractions_agree_with_the_numbers_beside_them() {
    for row in [
        "0.3333333333333333,0.3333333333333333,0.33333333333333337,1/3",
        "0.333333333333333,0.333333333333333,0.333333333333333,1/3",
        "0,0,0,0/1",
        "1,1,1,1/1",
    ] {
        assert!(read_csv(&format!("skill,win,lower,upper,exact\n7,{row}")).is_ok(), "{row}");
    }
}

/// Sets and rolls of which some are missing, counted by hand: rolls of 10 are three times as likely as those of 11.
#[test]
fn means_over_rolls_as_they_are_rolled() {
    let text = "skill,luck,disciplines,win,lower,upper\n10,1,a b,0.2,0.2,0.2\n10,2,a b,0.4,0.4,0.4\n11,1,a b,0.6,0.6,0.6\n\
        10,1,a c=2,0.1,0.1,0.1\n10,2,a c=2,0.5,0.5,0.5\n11,1,a c=2,0.2,0.2,0.2\n11,2,a c=2,0.9,0.9,0.9\n";
    let table = read_csv(text).unwrap();
    let roster =
        Roster::of_table("x", &table, |name, value| (name == "skill").then_some(if value == 10 { 3.0 } else { 1.0 }));
    let near = |left: f64, right: f64| assert!((left - right).abs() < 1e-12, "{left} is not {right}");
    // Chances 3, 3, 1, 1 of eight; the first set lacks the last roll.
    let groups = roster.groups();
    near(groups[1].win, (3.0 * 0.2 + 3.0 * 0.4 + 0.6) / 7.0);
    near(groups[0].win, (3.0 * 0.1 + 3.0 * 0.5 + 0.2 + 0.9) / 8.0);
    let named: Vec<_> = groups.iter().map(|own| (roster.groups[own.group].as_str(), own.best_for)).collect();
    assert_eq!(named, [("a c=2", 2), ("a b", 2)]);
    near(roster.mean(), f64::midpoint(groups[0].win, groups[1].win));
    let gains = roster.gains("disciplines", ["a", "b", "c", "d"]);
    assert_eq!(gains.iter().map(|own| own.what.as_str()).collect::<Vec<_>>(), ["c", "b"]);
    near(gains[0].gain, groups[0].win - groups[1].win);
    let points = roster.points();
    near(points[0].gain, (0.4 + 0.1 + 0.4) / 3.0);
    near(points[1].gain, (0.2 + 0.4 + 0.7) / 3.0);
    let grid = roster.grid().unwrap();
    for (cell, (win, group)) in grid.cells.iter().zip([(0.2, 0), (0.5, 1), (0.6, 0), (0.9, 1)]) {
        let cell = cell.as_ref().unwrap();
        near(cell.win, win);
        assert_eq!(cell.group, group);
    }
}

/// Two numbers with a different value for every hero: all pairs of them would not fit into memory.
#[test]
fn a_grid_that_would_be_too_large_is_not_made() {
    let mut text = String::from("skill,luck,win,lower,upper\n");
    for hero in 0..20_000 {
        let _ = writeln!(text, "{hero},{hero},0.5,0.5,0.5");
    }
    let roster = Roster::of_table("x", &read_csv(&text).unwrap(), |_, _| None);
    assert_eq!((roster.grid(), roster.points(), roster.groups().len()), (None, Vec::new(), 1));
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;
    use solved_table::{About, TableFile};

    fn about(book: &str) -> About {
        About { same: vec![("book", book.into()), ("question", "who wins?".into())], repeat: "ask who wins" }
    }

    #[test]
    fn a_file_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        for (value, book, title) in
            [("win", "Ways (of old) (0123456789abcdef)", "Ways (of old)"), ("value", "Ways", "Ways")]
        {
            let path = folder.path().join(value);
            let (mut table_file, _) = TableFile::open(&path, &layout(value), &about(book)).unwrap();
            table_file.add(&heroes()).unwrap();
            if value == "win" {
                assert!(TableFile::look(&path).unwrap_err().message.contains("another process has it"));
            }
            drop(table_file);
            let mut table = TableFile::look(&path).unwrap();
            let mut lines = heroes();
            lines.sort_by(|left, right| left.0.cmp(&right.0));
            table.lines.sort_by(|left, right| left.0.cmp(&right.0));
            assert_eq!((table.lines, table.layout, table.about.as_deref()), (lines, layout(value), Some(title)));
        }
    }

    #[test]
    fn a_hostile_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |name: &str, make: &str, message: &str| {
            let path = folder.path().join(name);
            {
                let (mut table_file, _) = TableFile::open(&path, &layout("win"), &about("Ways")).unwrap();
                table_file.add(&heroes()).unwrap();
            }
            rusqlite::Connection::open(&path).unwrap().execute_batch(make).unwrap();
            let error = TableFile::look(&path).unwrap_err();
            assert!(error.is_bad_input && error.message.contains(message), "{name}: {error}");
        };
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n WHERE i > 1";
        let other = "it is no table of heroes";
        refused("a view", &format!("DROP TABLE heroes; CREATE VIEW heroes AS {endless}"), other);
        refused("about", &format!("DROP TABLE about; CREATE VIEW about AS {endless}"), other);
        refused("columns", "DROP TABLE heroes; CREATE TABLE heroes (skill, items, more)", other);
        refused(
            "computed",
            "DROP TABLE heroes; CREATE TABLE heroes (skill, items AS (hex(zeroblob(500000000))))",
            other,
        );
        refused("nothing", "DELETE FROM about", other);
        refused("number", "UPDATE heroes SET win = 0.5 WHERE skill = 12", "one of its heroes cannot be");
        refused("program", "PRAGMA application_id = 7", "it is a database of another program");
        refused("format", "UPDATE about SET value = '2' WHERE name = 'format'", "it was written by version 2");
        refused("empty", "DELETE FROM heroes", "there is no hero in it");
        let path = folder.path().join("text");
        std::fs::write(&path, "milk, bread, and nothing that any database says".repeat(100)).unwrap();
        assert!(TableFile::look(&path).unwrap_err().message.contains("no SQLite file"));
        assert!(TableFile::look(&folder.path().join("nowhere")).is_err());
        assert!(!folder.path().join("nowhere").exists());
    }
}
