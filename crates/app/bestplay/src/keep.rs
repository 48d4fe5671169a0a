//! `--state FILE`: what is solved one by one is kept in a file, if there is one.

use std::path::Path;

use solved_table::{About, Kept, KeptError, Known, Layout, Solved, Table};

use crate::output::{Failure, is_kept};

/// The file in which a table is kept; or none.
pub struct Keep {
    file: Option<Kept>,
}

impl Keep {
    /// Opens the file, if one is named, and says what is in it. `same` is what all lines of it have in common, `say` what is
    /// to be said as then where that differs.
    pub fn open(
        path: Option<&Path>,
        layout: &Layout,
        same: impl FnOnce() -> Vec<(&'static str, String)>,
        say: &'static str,
    ) -> Result<(Self, Known), Failure> {
        let Some(path) = path else { return Ok((Self { file: None }, Known::default())) };
        is_kept(path)?;
        let (file, known) = Kept::open(path, layout, &About { same: same(), say }).map_err(unkept)?;
        Ok((Self { file: Some(file) }, known))
    }

    /// Adds what was solved to the file: all of it or nothing.
    pub fn add(&mut self, solved: &[Solved]) -> Result<(), Failure> {
        self.file.as_mut().map_or(Ok(()), |file| file.add(solved).map_err(unkept))
    }

    /// Whether the file is still there at the end, for who goes on from it.
    pub fn is_still_there(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.is_still_there().map_err(unkept))
    }
}

/// What is in a file in which a table of heroes was kept, whatever it is about.
pub fn look(path: &Path) -> Result<Table, Failure> {
    Kept::look(path).map_err(unkept)
}

fn unkept(error: KeptError) -> Failure {
    if error.is_bad_input {
        Failure::bad_input(error.message, error.help)
    } else {
        Failure::failed(error.message, error.help)
    }
}
