//! Tables as files.

use std::io::{self, Write};

use mdp::decimal_text;
use serde_json::{Map, Value, json};

use crate::table::{Bounds, Cell, Layout, LineValues};

/// Writes a table as CSV (RFC 4180, but with plain ends of lines).
///
/// ```
/// use solved_table::{Bounds, Cell, LineValues, Layout, write_csv};
///
/// let layout = Layout { lines: "heroes", cells: vec!["skill".into()], values: vec!["win"], exact: false };
/// let found = LineValues { bounds: vec![Bounds { value: 0.5, lower: 0.25, upper: 0.75 }], exact: None };
/// let mut out = Vec::new();
/// write_csv(&layout, [(&[Cell::Number(7)][..], &found)], &mut out)?;
/// assert_eq!(String::from_utf8(out).unwrap(), "skill,win,lower,upper\n7,0.5,0.25,0.75\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When `out` fails.
pub fn write_csv<'a>(
    layout: &Layout,
    rows: impl IntoIterator<Item = (&'a [Cell], &'a LineValues)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heads: Vec<String> = layout.heads().iter().map(|head| quoted(head)).collect();
    writeln!(out, "{}", heads.join(","))?;
    for (cells, found) in rows {
        let cell = |cell: &Cell| match cell {
            Cell::Number(number) => number.to_string(),
            Cell::Names(names) => quoted(names),
        };
        let numbers = found.bounds.iter().flat_map(|Bounds { value, lower, upper }| [*value, *lower, *upper]);
        let exact = layout.exact.then(|| found.exact.clone().unwrap_or_default());
        let fields = cells.iter().map(cell).chain(numbers.map(decimal_text)).chain(exact);
        writeln!(out, "{}", fields.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

/// Writes a table as JSON, one row on each line: an object with the fields of `head`, the names of the columns, and the
/// rows under the layout's name for them.
///
/// # Errors
/// When `out` fails.
pub fn write_json<'a>(
    mut head: Map<String, Value>,
    layout: &Layout,
    rows: impl IntoIterator<Item = (&'a [Cell], &'a LineValues)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    head.insert("columns".into(), json!(layout.heads()));
    let head = Value::Object(head).to_string();
    let mut before = format!("{},{}:[\n", head.strip_suffix('}').unwrap_or(&head), json!(layout.lines));
    for (cells, found) in rows {
        let cells = cells.iter().map(|cell| match cell {
            Cell::Number(number) => json!(number),
            Cell::Names(names) => json!(names),
        });
        let numbers = found.bounds.iter().flat_map(|Bounds { value, lower, upper }| [*value, *lower, *upper]);
        let exact = layout.exact.then(|| json!(found.exact));
        let fields = cells.chain(numbers.map(|number| json!(number))).chain(exact);
        let row: Map<String, Value> = layout.heads().into_iter().zip(fields).collect();
        write!(out, "{before}{}", Value::Object(row))?;
        before = ",\n".into();
    }
    // Without any row nothing of it has been written.
    let left = if before == ",\n" { "\n" } else { &before };
    writeln!(out, "{left}]}}")
}

/// A field of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[cfg(test)]
mod tests;
