//! Parsing a combat table.

use kdl::KdlNode;
use lone_wolf::{Cell, ColumnRule, CombatTable, Loss};

use crate::syntax::kdl::{arguments, children, entry_span, integer, name_span, property, shown, shown_name, string};
use crate::syntax::reader::Reader;

impl Reader<'_> {
    /// The whole `combat-table`.
    pub(crate) fn table(&mut self, node: &KdlNode) -> CombatTable {
        const USAGE: &str = "`combat-table columns=standard { row 1 \"0/k\" ...; ...; row 0 ...; }`";
        self.shape(node, 0..=0, &["columns"], true, USAGE);
        let columns = match property(node, "columns").map(|entry| (entry, entry.value().as_string())) {
            None | Some((_, Some("standard"))) => ColumnRule::Standard,
            Some((_, Some("floor-half"))) => ColumnRule::FloorHalf,
            Some((entry, _)) => {
                self.error(
                    entry_span(entry),
                    format!("there is no column rule `{}`", shown(entry)),
                    "write columns=standard or columns=floor-half",
                );
                ColumnRule::Standard
            }
        };
        let nothing = Cell { enemy: Loss::Points(0), hero: Loss::Points(0) };
        let mut rows = [[nothing; 13]; 10];
        let mut seen = [false; 10];
        for child in children(node) {
            if child.name().value() != "row" {
                self.error(
                    name_span(child),
                    format!("`{}` means nothing here", shown_name(child.name().value())),
                    "write `row`",
                );
                continue;
            }
            if !self.shape(child, 14..=14, &[], false, "`row 1` and thirteen cells like \"3/5\" or \"0/k\"") {
                continue;
            }
            let mut entries = arguments(child);
            let Some(first) = entries.next() else { continue };
            let row = integer::<i64>(&mut self.problems, first, 0..=9, "the number of a row");
            let Some(row) = row.and_then(|row| usize::try_from(row).ok()) else { continue };
            if std::mem::replace(&mut seen[row], true) {
                self.error(entry_span(first), format!("row {row} occurs twice"), "keep one");
            }
            for (cell, entry) in rows[row].iter_mut().zip(entries) {
                let Some(text) = string(&mut self.problems, entry, "a cell") else { continue };
                match text.parse() {
                    Ok(read) => *cell = read,
                    Err(error) => self.error(entry_span(entry), format!("{error}"), "write \"3/5\" or \"0/k\""),
                }
            }
        }
        let missing: Vec<String> = (0..10).filter(|row| !seen[*row]).map(|row| row.to_string()).collect();
        if !missing.is_empty() {
            self.error(
                name_span(node),
                format!("the table lacks row {}", missing.join(", ")),
                "a table has rows 0 to 9",
            );
        }
        CombatTable::new(columns, rows)
    }
}
