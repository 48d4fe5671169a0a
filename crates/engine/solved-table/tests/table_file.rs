//! Stored tables: what happens to the file while it is in use.
#![cfg(feature = "sqlite")]

use std::fs;

use mdp::{Value, ratio};
use solved_table::{About, Cell, Layout, LineValues, TableFile};

#[test]
fn a_file_that_is_removed_while_it_is_in_use_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heroes.sqlite");
    let layout = Layout { lines: "heroes", cells: vec!["skill".into()], values: vec!["win"], exact: true };
    let about = About { same: vec![("question", "who wins?".into())], repeat: "ask who wins" };
    let hero = |skill: i32| (vec![Cell::Number(skill)], LineValues::from(&Value::exactly(ratio(1, 4))));
    let (mut table_file, _) = TableFile::open(&path, &layout, &about).unwrap();
    table_file.add(&[hero(7)]).unwrap();
    table_file.is_still_there().unwrap();
    fs::remove_file(&path).unwrap();
    let error = table_file.add(&[hero(8)]).unwrap_err();
    assert!(error.message.contains("was removed while it was in use") && !error.is_bad_input, "{error}");
    // Another file with this name is not the one that was opened.
    fs::write(&path, "another").unwrap();
    assert!(table_file.is_still_there().is_err() && table_file.add(&[hero(8)]).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "another");
    drop(table_file);
    fs::remove_file(&path).unwrap();
    let (table_file, known) = TableFile::open(&path, &layout, &about).unwrap();
    assert!(known.is_empty());
    table_file.is_still_there().unwrap();
}
