//! The tables of heroes that are offered.

use std::sync::Arc;

use super::table::HeroTable;
use crate::gamebook::Gamebooks;
use crate::question::{Problem, make_distinct};

/// Tables of heroes, and the books of which these may be.
pub struct HeroTables {
    pub tables: Vec<HeroTable>,
    pub gamebooks: Arc<Gamebooks>,
}

impl HeroTables {
    /// Tables of the same name get numbers, so that each can be named.
    pub fn new(mut tables: Vec<HeroTable>, gamebooks: Arc<Gamebooks>) -> Self {
        make_distinct(tables.iter_mut().map(|table| &mut table.name));
        Self { tables, gamebooks }
    }

    /// The table of this name; the first for the empty name.
    pub fn table(&self, name: &str) -> Result<&HeroTable, Problem> {
        let found = self.tables.iter().find(|table| name.is_empty() || table.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.tables.iter().map(|table| table.name.as_str()).collect();
            let there =
                if names.is_empty() { "there is none".into() } else { format!("there are {}", names.join(", ")) };
            Problem::impossible(
                format_args!("there is no table {name:?} here"),
                format_args!("{there}; tables are named to bestplay serve: heroes.csv, heroes.sqlite"),
            )
        })
    }
}
