//! Without `SQLite` no table is kept.

use std::path::Path;

use crate::about::{About, KeptError};
use crate::read::Table;
use crate::table::{Known, Layout, Solved};

/// A file in which a table is kept as it grows: there is none.
#[derive(Debug)]
pub enum Kept {}

impl Kept {
    /// Refuses a file.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &Path, _: &Layout, _: &About) -> Result<(Self, Known), KeptError> {
        Err(refused("keep nothing"))
    }

    /// Refuses a file.
    ///
    /// # Errors
    /// Always.
    pub fn look(_: &Path) -> Result<Table, KeptError> {
        Err(refused("name a table as CSV"))
    }

    /// There is no file.
    ///
    /// # Errors
    /// Never.
    pub fn is_still_there(&self) -> Result<(), KeptError> {
        match *self {}
    }

    /// There is no file.
    ///
    /// # Errors
    /// Never.
    pub fn add(&mut self, _: &[Solved]) -> Result<(), KeptError> {
        match *self {}
    }
}

fn refused(instead: &str) -> KeptError {
    KeptError {
        is_bad_input: true,
        message: "this program was built without SQLite".into(),
        help: format!("{instead}, or build it with the feature `sqlite`"),
    }
}
