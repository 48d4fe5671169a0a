//! `--state FILE`: what is solved one by one is kept in a file, if there is one.

use std::path::Path;

#[cfg(feature = "sqlite")]
use solved_table::{About, Kept, KeptError};
use solved_table::{Known, Layout, Solved, Table};

use crate::output::Failure;
#[cfg(feature = "sqlite")]
use crate::output::is_kept;

/// The file in which a table is kept; or none.
pub struct Keep {
    #[cfg(feature = "sqlite")]
    file: Option<Kept>,
}

impl Keep {
    /// Opens the file, if one is named, and says what is in it. `same` is what all lines of it have in common, `say` what is
    /// to be said as then where that differs.
    #[cfg(feature = "sqlite")]
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

    /// Refuses a file.
    #[cfg(not(feature = "sqlite"))]
    pub fn open(
        path: Option<&Path>,
        _: &Layout,
        _: impl FnOnce() -> Vec<(&'static str, String)>,
        _: &'static str,
    ) -> Result<(Self, Known), Failure> {
        if path.is_some() {
            return Err(Failure::bad_input(
                "this bestplay was built without SQLite",
                "leave --state out, or build it with the feature `sqlite`",
            ));
        }
        Ok((Self {}, Known::default()))
    }

    /// Adds what was solved to the file: all of it or nothing.
    #[cfg(feature = "sqlite")]
    pub fn add(&mut self, solved: &[Solved]) -> Result<(), Failure> {
        self.file.as_mut().map_or(Ok(()), |file| file.add(solved).map_err(unkept))
    }

    /// Whether the file is still there at the end, for who goes on from it.
    #[cfg(feature = "sqlite")]
    pub fn is_still_there(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.is_still_there().map_err(unkept))
    }

    /// There is no file.
    #[cfg(not(feature = "sqlite"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "with SQLite there is a file")]
    pub fn is_still_there(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// There is no file.
    #[cfg(not(feature = "sqlite"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "with SQLite there is a file")]
    pub fn add(&mut self, _: &[Solved]) -> Result<(), Failure> {
        Ok(())
    }
}

/// What is in a file in which a table of heroes was kept, whatever it is about.
#[cfg(feature = "sqlite")]
pub fn look(path: &Path) -> Result<Table, Failure> {
    Kept::look(path).map_err(unkept)
}

/// Refuses a file.
#[cfg(not(feature = "sqlite"))]
pub fn look(_: &Path) -> Result<Table, Failure> {
    Err(Failure::bad_input(
        "this bestplay was built without SQLite",
        "name a table as CSV, or build it with the feature `sqlite`",
    ))
}

#[cfg(feature = "sqlite")]
fn unkept(error: KeptError) -> Failure {
    if error.is_bad_input {
        Failure::bad_input(error.message, error.help)
    } else {
        Failure::failed(error.message, error.help)
    }
}
