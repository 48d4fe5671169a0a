//! A table of heroes: its rows, and how it is written.

use std::io::{self, Write};

use gamebook::{Book, HeroCell, HeroChoice, Question};
use mdp::{Value, decimal_text, fraction_text};
use serde_json::json;

use crate::gamebook::book_file::section_json;

/// What a hero wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The probability.
    pub win: f64,
    /// Bounds of it that hold.
    pub lower: f64,
    pub upper: f64,
    /// The fraction, if it was asked for.
    pub exact: Option<String>,
}

impl From<&Value> for Found {
    fn from(value: &Value) -> Self {
        let exact = value.exact.as_ref().map(fraction_text);
        Self { win: value.decimal(), lower: value.lower, upper: value.upper, exact }
    }
}

/// A hero.
#[derive(Debug)]
pub struct Row {
    /// What he is, column by column.
    pub cells: Vec<HeroCell>,
    pub found: Found,
    /// Which group he is of, and which of its rolls is his.
    pub group: usize,
    pub roll: usize,
}

/// Heroes, and how they fare.
pub struct Table<'a> {
    pub book: &'a Book,
    pub question: &'a Question,
    pub choice: &'a HeroChoice,
    /// What heroes are told by.
    pub columns: &'a [String],
    /// In the order of [`HeroChoice::groups`].
    pub rows: Vec<Row>,
}

impl Table<'_> {
    /// The names of all columns.
    fn heads(&self) -> impl Iterator<Item = &str> {
        let exact = self.question.exact.then_some("exact");
        self.columns.iter().map(String::as_str).chain(["win", "lower", "upper"]).chain(exact)
    }

    /// As CSV (RFC 4180, but with plain ends of lines).
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let heads: Vec<String> = self.heads().map(quoted).collect();
        writeln!(out, "{}", heads.join(","))?;
        for Row { cells, found, .. } in &self.rows {
            for cell in cells {
                match cell {
                    HeroCell::Number(number) => write!(out, "{number},")?,
                    HeroCell::Names(names) => write!(out, "{},", quoted(names))?,
                }
            }
            write!(out, "{},{},{}", decimal_text(found.win), decimal_text(found.lower), decimal_text(found.upper))?;
            match (self.question.exact, &found.exact) {
                (false, _) => writeln!(out)?,
                (true, exact) => writeln!(out, ",{}", exact.as_deref().unwrap_or_default())?,
            }
        }
        Ok(())
    }

    /// As JSON, a row a line.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let goals: Vec<_> = self.question.goals.iter().map(|goal| section_json(self.book, *goal)).collect();
        let head = json!({
            "format": 1,
            "book": self.book.title,
            "start": section_json(self.book, self.question.start),
            "goals": goals,
            "columns": self.heads().collect::<Vec<_>>(),
        });
        let head = head.to_string();
        writeln!(out, "{},\"heroes\":[", head.trim_end_matches('}'))?;
        for (place, Row { cells, found, .. }) in self.rows.iter().enumerate() {
            let mut row = serde_json::Map::new();
            for (name, cell) in self.columns.iter().zip(cells) {
                let cell = match cell {
                    HeroCell::Number(number) => json!(number),
                    HeroCell::Names(names) => json!(names),
                };
                row.insert(name.clone(), cell);
            }
            for (name, number) in [("win", found.win), ("lower", found.lower), ("upper", found.upper)] {
                row.insert(name.into(), json!(number));
            }
            if self.question.exact {
                row.insert("exact".into(), json!(found.exact));
            }
            let comma = if place + 1 < self.rows.len() { "," } else { "" };
            writeln!(out, "{}{comma}", serde_json::Value::Object(row))?;
        }
        writeln!(out, "]}}")
    }
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
}
