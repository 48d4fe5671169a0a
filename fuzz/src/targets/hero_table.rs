//! Tables of heroes.

use solved_table::{Roster, read_csv, write_csv};

use crate::{Corpus, Target, Verdict};

/// A table is refused with its line, or read: then it can be written, read again, and summed up.
pub const TARGET: Target = Target {
    name: "hero-table",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/hero-table", ending: ".csv" }],
    words: &[
        "skill",
        "disciplines",
        "items",
        "win",
        "value",
        ",lower,upper",
        ",exact",
        "\"",
        "\"\"",
        "\r\n",
        "\n",
        ",",
        "1e308",
        "-1",
        "nan",
        "inf",
        "0.5",
        "2147483648",
        " ",
        "=",
    ],
    longest: 20_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let table = match read_csv(&text) {
        Ok(table) => table,
        Err(error) if error.message.is_empty() || error.help.is_empty() => return Err("refused without a word".into()),
        Err(_) => return Ok(Verdict::Refused),
    };
    let mut out = Vec::new();
    let lines = table.lines.iter().map(|(cells, found)| (&cells[..], found));
    write_csv(&table.layout, lines, &mut out).map_err(|error| error.to_string())?;
    let again = read_csv(&String::from_utf8_lossy(&out)).map_err(|error| format!("written, it is refused: {error}"))?;
    // How a number is written may say less than what was read of it: -0 is 0.
    if again.lines.len() != table.lines.len() || again.layout != table.layout {
        return Err("written and read again it is another table".into());
    }
    let roster = Roster::of_table("heroes", &table, |_, _| None);
    let (groups, rows) = (roster.groups(), roster.rows.len());
    if groups.is_empty() || groups.iter().any(|own| own.best_for > roster.rolls.len()) || rows != table.lines.len() {
        return Err("it is summed up wrongly".into());
    }
    roster.points();
    roster.grid();
    Ok(Verdict::Accepted)
}
