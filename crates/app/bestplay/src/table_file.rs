//! `--state FILE`: a file for results that are computed one by one.

use std::path::Path;

use solved_table::{About, Known, Layout, Solved, Table, TableFileError};

use crate::output::{Failure, is_kept};

/// The file of a table, if there is one.
pub struct TableFile {
    file: Option<solved_table::TableFile>,
}

impl TableFile {
    /// Opens the file, if one is named, and reads what is in it. `same` is what all its lines have in common, `say` the options
    /// to repeat if that differs.
    pub fn open(
        path: Option<&Path>,
        layout: &Layout,
        same: impl FnOnce() -> Vec<(&'static str, String)>,
        say: &'static str,
    ) -> Result<(Self, Known), Failure> {
        let Some(path) = path else { return Ok((Self { file: None }, Known::default())) };
        is_kept(path)?;
        let (file, known) =
            solved_table::TableFile::open(path, layout, &About { same: same(), repeat: say }).map_err(unkept)?;
        Ok((Self { file: Some(file) }, known))
    }

    /// Adds results to the file, all or nothing.
    pub fn add(&mut self, solved: &[Solved]) -> Result<(), Failure> {
        self.file.as_mut().map_or(Ok(()), |file| file.add(solved).map_err(unkept))
    }

    /// Checks at the end that the file still exists.
    pub fn is_still_there(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.is_still_there().map_err(unkept))
    }
}

/// The table in a file of heroes, whatever it is about.
pub fn look(path: &Path) -> Result<Table, Failure> {
    solved_table::TableFile::look(path).map_err(unkept)
}

fn unkept(error: TableFileError) -> Failure {
    if error.is_bad_input {
        Failure::bad_input(error.message, error.help)
    } else {
        Failure::failed(error.message, error.help)
    }
}
