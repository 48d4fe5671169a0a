//! Arguments that name the files of a table of heroes.

use std::path::{Path, PathBuf};

use clap::Args;
use solved_table::{Roster, write_csv};

use crate::output::{self, Failure};
use crate::roster::picture;

/// The files of a table of heroes.
#[derive(Args)]
pub struct TableArgs {
    /// Keep solved heroes in this file; a later run goes on with those that are missing
    #[arg(long, value_name = "FILE.sqlite", help_heading = "Output")]
    pub state: Option<PathBuf>,
    /// Write the table as CSV
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    csv: Option<PathBuf>,
}

impl TableArgs {
    /// Writes the requested files; `svg` is that of the picture.
    pub fn write(&self, roster: &Roster, svg: Option<&Path>) -> Result<(), Failure> {
        if let Some(file) = &self.csv {
            output::write_file(file, |out| write_csv(&roster.layout, roster.lines(), out))?;
        }
        if let Some(file) = svg {
            output::write_file(file, |out| out.write_all(picture(roster).as_bytes()))?;
        }
        Ok(())
    }
}
