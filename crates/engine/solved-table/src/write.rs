//! Tables as files.

use std::io::{self, Write};

use mdp::decimal_text;
use serde_json::{Map, Value, json};

use crate::table::{Bounds, Cell, Found, Layout};

/// Writes a table as CSV (RFC 4180, but with plain ends of lines).
///
/// ```
/// use solved_table::{Bounds, Cell, Found, Layout, write_csv};
///
/// let layout = Layout { lines: "heroes", cells: vec!["skill".into()], values: vec!["win"], exact: false };
/// let found = Found { bounds: vec![Bounds { value: 0.5, lower: 0.25, upper: 0.75 }], exact: None };
/// let mut out = Vec::new();
/// write_csv(&layout, [(&[Cell::Number(7)][..], &found)], &mut out)?;
/// assert_eq!(String::from_utf8(out).unwrap(), "skill,win,lower,upper\n7,0.5,0.25,0.75\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When `out` has one.
pub fn write_csv<'a>(
    layout: &Layout,
    rows: impl IntoIterator<Item = (&'a [Cell], &'a Found)>,
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

/// Writes a table as JSON, a row a line: one object with what `head` says, the names of the columns, and the rows under what
/// the layout calls them.
///
/// # Errors
/// When `out` has one.
pub fn write_json<'a>(
    mut head: Map<String, Value>,
    layout: &Layout,
    rows: impl IntoIterator<Item = (&'a [Cell], &'a Found)>,
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
    // Without a row nothing of it has been written.
    let left = if before == ",\n" { "\n" } else { &before };
    writeln!(out, "{left}]}}")
}

/// A field of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_field_is_quoted() {
        assert_eq!(["sword meal=2", "a,b", "a\"b"].map(quoted), ["sword meal=2", "\"a,b\"", "\"a\"\"b\""]);
    }

    #[test]
    fn json_is_whole_with_rows_and_without() {
        let layout =
            Layout { lines: "decks", cells: vec!["card".into()], values: vec!["health", "alive"], exact: false };
        let bounds = |value| Bounds { value, lower: 0.0, upper: 1.0 };
        let found = Found { bounds: vec![bounds(0.5), bounds(0.25)], exact: None };
        let card = [Cell::Names("anger".into())];
        for count in 0..3 {
            let mut out = Vec::new();
            let head = Map::from_iter([("format".into(), json!(1))]);
            write_json(head, &layout, vec![(&card[..], &found); count], &mut out).expect("a vector takes it");
            let read: Value = serde_json::from_slice(&out).expect("it is JSON");
            assert_eq!(read["decks"].as_array().map(Vec::len), Some(count));
            if count > 0 {
                assert_eq!(read["decks"][0]["alive"], json!(0.25));
                assert_eq!(read["columns"][5], json!("alive_lower"), "{read}");
            }
        }
    }
}
