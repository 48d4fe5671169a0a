//! Tables that are kept: what becomes of the file while it is in use.
#![cfg(feature = "sqlite")]

use std::fs;

use mdp::{Value, ratio};
use solved_table::{About, Cell, Found, Kept, Layout};

#[test]
fn a_file_that_is_removed_while_it_is_in_use_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heroes.sqlite");
    let layout = Layout { lines: "heroes", cells: vec!["skill".into()], values: vec!["win"], exact: true };
    let about = About { same: vec![("question", "who wins?".into())], say: "ask who wins" };
    let hero = |skill: i32| (vec![Cell::Number(skill)], Found::from(&Value::exactly(ratio(1, 4))));
    let (mut kept, _) = Kept::open(&path, &layout, &about).unwrap();
    kept.add(&[hero(7)]).unwrap();
    kept.is_still_there().unwrap();
    fs::remove_file(&path).unwrap();
    let error = kept.add(&[hero(8)]).unwrap_err();
    assert!(error.message.contains("was removed while it was in use") && !error.is_bad_input, "{error}");
    // Nor is another file of this name the one that was opened.
    fs::write(&path, "another").unwrap();
    assert!(kept.is_still_there().is_err() && kept.add(&[hero(8)]).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "another");
    drop(kept);
    fs::remove_file(&path).unwrap();
    let (kept, known) = Kept::open(&path, &layout, &about).unwrap();
    assert!(known.is_empty());
    kept.is_still_there().unwrap();
}
