//! Parsing named numbers of a system of rules: tables, and values computed on demand.

use kdl::KdlNode;

use crate::book::{Number, NumberTable};
use crate::syntax::kdl::{arguments, children, entry_span, integer, name_span, shown_name};
use crate::syntax::reader::Reader;

/// The most parts of a value.
const MOST_PARTS: usize = 500;

/// The most rows and columns of a table.
const MOST_LINES: usize = 200;

impl Reader<'_> {
    /// `value attack "skill + carried.bonus"`
    pub(crate) fn value_node(&mut self, node: &KdlNode) {
        self.shape(node, 2..=2, &[], false, "`value attack \"skill + 2\"`");
        let Some(name) = self.declares_anew(node, "the name of a value") else { return };
        let Some(entry) = arguments(node).nth(1) else { return };
        // It may be used in a fight.
        let number = self.in_fight(None, |reader| reader.number(entry));
        let Some(number) = number else { return };
        let values = &mut self.own().system.values;
        let place = values.iter().position(|(own, _)| *own == name);
        // A redefinition must not use itself, through values that use its old definition.
        if place.is_some_and(|place| asks_for(values, &number, place)) {
            self.error(name_span(node), format!("`{name}` is made of itself"), "let it be made of other numbers");
            return;
        }
        match place {
            Some(place) => values[place].1 = number,
            None => values.push((name, number)),
        }
        let large = values.iter().find(|(_, number)| number.parts(values) > MOST_PARTS);
        if let Some(large) = large.map(|(name, _)| shown_name(name)) {
            let message = format!("`{large}` is made of too many numbers");
            self.error(name_span(node), message, format!("up to {MOST_PARTS} are possible, with those of its values"));
            // Avoids further errors in values that use it.
            self.own().system.values.iter_mut().for_each(|(_, number)| *number = Number::Constant(0));
        }
    }

    /// `table loss { columns -11 -5 0 5; row 1 6 5 4 3; row 2 5 4 3 2; }`
    pub(crate) fn number_table(&mut self, node: &KdlNode) {
        const USAGE: &str = "`table loss { columns 0 5 10; row 1 6 5 4; row 2 5 4 3; }`";
        self.shape(node, 1..=1, &[], true, USAGE);
        let Some(name) = self.declares_anew(node, "the name of a table") else { return };
        let mut table = NumberTable { name, rows: Vec::new(), columns: Vec::new(), cells: Vec::new() };
        for line in children(node) {
            let numbers: Vec<i32> =
                arguments(line).filter_map(|own| integer(&mut self.problems, own, -9_999..=9_999, "this")).collect();
            match line.name().value() {
                "columns" if table.columns.is_empty() => {
                    self.shape(line, 1..=MOST_LINES, &[], false, "`columns 0 5 10`");
                    table.columns = numbers;
                    self.increasing(line, &table.columns);
                }
                "row" => {
                    let Some((row, cells)) = numbers.split_first() else { continue };
                    self.shape(line, 2..=MOST_LINES + 1, &[], false, "`row 1 6 5 4`");
                    if cells.len() != table.columns.len() && numbers.len() == arguments(line).count() {
                        let message = format!("{} cells in a row of {} columns", cells.len(), table.columns.len());
                        self.error(name_span(line), message, "a row begins with its number, then a cell a column");
                        continue;
                    }
                    table.rows.push(*row);
                    table.cells.extend(cells);
                    self.increasing(line, &table.rows);
                }
                other => {
                    let message = format!("`{}` means nothing in a table", shown_name(other));
                    self.error(name_span(line), message, format!("write {USAGE}"));
                }
            }
        }
        if table.rows.is_empty() || table.rows.len() > MOST_LINES || table.cells.len() < table.rows.len() {
            let what = if table.rows.is_empty() { "a table without rows" } else { "this table is too large" };
            self.error(name_span(node), what, format!("write {USAGE}"));
            return;
        }
        let tables = &mut self.own().system.tables;
        match tables.iter_mut().find(|own| own.name == table.name) {
            Some(own) => *own = table,
            None => tables.push(table),
        }
    }

    /// Checks that the last of these numbers is the largest.
    fn increasing(&mut self, node: &KdlNode, numbers: &[i32]) {
        if let Some(place) = numbers.windows(2).position(|pair| pair[0] >= pair[1]) {
            let span = arguments(node).next().map_or_else(|| name_span(node), entry_span);
            let message = format!("{} stands before {}", numbers[place], numbers[place + 1]);
            self.error(span, message, "rows and columns stand in order, the smallest number first");
        }
    }
}

/// Whether a number uses one of the values, directly or indirectly.
fn asks_for(values: &[(String, Number)], number: &Number, value: usize) -> bool {
    let mut found = false;
    number.visit(&mut |part| {
        if let Number::Value(own) = part {
            found |= *own == value || asks_for(values, &values[*own].1, value);
        }
    });
    found
}
