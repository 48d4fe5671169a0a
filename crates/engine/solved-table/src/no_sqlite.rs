//! Without `SQLite` no table can be stored.

use std::path::Path;

use crate::about::{About, TableFileError};
use crate::read::Table;
use crate::table::{Known, Layout, Solved};

/// A file that stores a table as it grows: there is none.
#[derive(Debug)]
pub enum TableFile {}

impl TableFile {
    /// Refuses a file.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &Path, _: &Layout, _: &About) -> Result<(Self, Known), TableFileError> {
        Err(refused("keep nothing"))
    }

    /// Refuses a file.
    ///
    /// # Errors
    /// Always.
    pub fn look(_: &Path) -> Result<Table, TableFileError> {
        Err(refused("name a table as CSV"))
    }

    /// There is no file.
    ///
    /// # Errors
    /// Never.
    pub fn is_still_there(&self) -> Result<(), TableFileError> {
        match *self {}
    }

    /// There is no file.
    ///
    /// # Errors
    /// Never.
    pub fn add(&mut self, _: &[Solved]) -> Result<(), TableFileError> {
        match *self {}
    }
}

fn refused(instead: &str) -> TableFileError {
    TableFileError {
        is_bad_input: true,
        message: "this program was built without SQLite".into(),
        help: format!("{instead}, or build it with the feature `sqlite`"),
    }
}
