//! Tables of numbers by rows and columns, as values.

use std::sync::Arc;

use crate::book::NumberTable;
use crate::program::{Table, Value};

/// A table: the row and the column of a number, and the entries row by row.
pub(super) struct Lookup {
    rows: Arc<Table>,
    columns: Arc<Table>,
    cells: Arc<Table>,
    /// The number of columns.
    width: i32,
}

impl Lookup {
    pub(super) fn new(table: &NumberTable) -> Self {
        Self {
            rows: lines(&table.rows),
            columns: lines(&table.columns),
            cells: Arc::new(Table { first: 0, numbers: table.cells.clone().into() }),
            width: i32::try_from(table.columns.len()).unwrap_or(i32::MAX),
        }
    }

    /// The entry at a row and a column.
    pub(super) fn at(&self, row: Value, column: Value) -> Value {
        let row = at(&self.rows, row).times(Value::Constant(self.width));
        at(&self.cells, row.plus(at(&self.columns, column)))
    }
}

/// The index of the line for each number, given the first number of each line.
fn lines(begins: &[i32]) -> Arc<Table> {
    let (first, last) = (begins.first().copied().unwrap_or(0), begins.last().copied().unwrap_or(0));
    let line = |number: i32| begins.partition_point(|begin| *begin <= number).saturating_sub(1);
    let numbers = (first..=last).map(|number| i32::try_from(line(number)).unwrap_or(i32::MAX));
    Arc::new(Table { first, numbers: numbers.collect() })
}

fn at(table: &Arc<Table>, index: Value) -> Value {
    match index {
        Value::Constant(index) => Value::Constant(table.at(index)),
        index => Value::Lookup(table.clone(), Box::new(index)),
    }
}
