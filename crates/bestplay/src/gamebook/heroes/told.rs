//! A table of heroes told: the best first, and a picture.

use std::fmt::Write;

use markup::escaped;
use solved_table::Cell;

use super::table::Table;
use super::worth::Gain;
use crate::bar::bar;
use crate::gamebook::hero_args::conduct;
use crate::numbers::percent_near as percent;

/// So many groups are told, best first.
const SHOWN: usize = 12;
/// Letters of a bar for the best.
const LETTERS: f64 = 24.0;
/// More columns than this do not stand beside each other.
const WIDEST: usize = 16;
/// From light to dark.
const SHADES: [&str; 5] = [" ", "░", "▒", "▓", "█"];

/// The answer for people.
pub fn text(table: &Table<'_>) -> String {
    let mut out = String::new();
    let start = table.book.section_text(table.question.start);
    let _ = writeln!(out, "{}, from section {start}: {} heroes", table.book.title, table.rows.len());
    let choice = table.choice;
    for (made, values) in &choice.numbers {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        let values = match &values[..] {
            [first, .., last] => format!("{first} to {last}"),
            _ => values.join(""),
        };
        let _ = writeln!(out, "  {} {values}", made.name(table.book));
    }
    if table.book.system.is_none() {
        let _ = writeln!(
            out,
            "  {} of disciplines, {} chosen",
            many(choice.sets.len(), "set"),
            many(choice.equipments.len(), "equipment")
        );
    }
    for line in conduct(table.book, table.question) {
        let _ = writeln!(out, "  {line}");
    }
    let groups = table.groups();
    let rolls = table.best().len();
    let _ = writeln!(out, "\nMean over all heroes  {}", percent(table.mean()));
    if groups.len() > 1 {
        let most = groups.first().map_or(0.0, |own| own.win);
        let _ = writeln!(out, "\nThe best over all rolls, and for how many of {rolls} rolls nobody is better");
        for own in groups.iter().take(SHOWN) {
            let bar = bar(if most > 0.0 { LETTERS * own.win / most } else { 0.0 });
            let _ =
                writeln!(out, "{:>10} {:>4}  {bar:<24}  {}", percent(own.win), own.best_for, named(table, own.group));
        }
        if let (Some(worst), true) = (groups.last(), groups.len() > SHOWN) {
            let _ = writeln!(out, "  ... and {} more; the worst:", groups.len() - SHOWN - 1);
            let _ = writeln!(
                out,
                "{:>10} {:>4}  {:<24}  {}",
                percent(worst.win),
                worst.best_for,
                "",
                named(table, worst.group)
            );
        }
    }
    map(table, &mut out);
    let gains: Vec<Gain> = table.disciplines().into_iter().chain(table.things()).chain(table.points()).collect();
    if !gains.is_empty() {
        let most = gains.iter().map(|own| own.gain.abs()).fold(0.0, f64::max);
        let _ = writeln!(out, "\nWhat each is worth: the mean with it, less the mean without it");
        for Gain { what, gain } in gains {
            let bar = bar(if most > 0.0 { LETTERS * gain.max(0.0) / most } else { 0.0 });
            let _ = writeln!(out, "{:>+9.3} %  {bar:<24}  {what}", 100.0 * gain);
        }
    }
    out
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// What the heroes of a group have in common and others have not.
fn named(table: &Table<'_>, group: usize) -> String {
    let Some(row) = table.rows.iter().find(|row| row.group == group) else { return String::new() };
    let names = row.cells.iter().zip(&table.layout.cells).filter_map(|(cell, column)| match cell {
        Cell::Names(names) if column == "disciplines" || column == "items" && table.choice.equipments.len() > 1 => {
            Some(names.clone())
        }
        _ => None,
    });
    names.collect::<Vec<_>>().join("; ")
}

/// The first two numbers that vary: how many values each has, and for each pair of them the mean over the rest of what the
/// best group wins, and the groups that are best somewhere there.
struct Grid {
    down: usize,
    across: usize,
    cells: Vec<(f64, usize)>,
}

fn grid(table: &Table<'_>) -> Option<Grid> {
    let numbers = &table.choice.numbers;
    let mut varied = (0..numbers.len()).filter(|place| numbers[*place].1.len() > 1);
    let (down, across) = (varied.next()?, varied.next()?);
    let (rolls, chances) = (table.rolls(), table.chances());
    let size = numbers[down].1.len() * numbers[across].1.len();
    let mut sums = vec![(0.0, 0.0, 0.0, 0); size];
    for row in table.best() {
        let row = &table.rows[row];
        let place =
            |number: usize| numbers[number].1.iter().position(|value| *value == rolls[row.roll][number].1).unwrap_or(0);
        let own = &mut sums[place(down) * numbers[across].1.len() + place(across)];
        let chance = chances[row.roll];
        own.0 += chance * row.found.value();
        own.1 += chance;
        // Of several rolls the likeliest says which group it is.
        if chance > own.2 {
            (own.2, own.3) = (chance, row.group);
        }
    }
    let cells = sums.into_iter().map(|(win, chance, _, group)| (if chance > 0.0 { win / chance } else { 0.0 }, group));
    Some(Grid { down, across, cells: cells.collect() })
}

/// What the best group wins with each roll, as a picture of letters.
fn map(table: &Table<'_>, out: &mut String) {
    let Some(Grid { down, across, cells }) = grid(table) else { return };
    let ((first, rows), (second, columns)) = (&table.choice.numbers[down], &table.choice.numbers[across]);
    if columns.len() > WIDEST {
        return;
    }
    let groups = table.groups();
    let most = cells.iter().map(|(win, _)| *win).fold(0.0, f64::max);
    let mut named_here: Vec<usize> = Vec::new();
    let _ = writeln!(
        out,
        "\nThe best with each {} (down) and {} (across){}",
        first.name(table.book),
        second.name(table.book),
        if groups.len() > 1 { ", and which it is" } else { "" }
    );
    let _ = write!(out, "{:>6}", "");
    for value in columns {
        let _ = write!(out, "{value:>9}");
    }
    out.push('\n');
    for (value, cells) in rows.iter().zip(cells.chunks(columns.len())) {
        let _ = write!(out, "{value:>6}");
        for (win, group) in cells {
            let shade = shade(*win, most);
            let letter = if groups.len() > 1 { letter(&mut named_here, *group) } else { ' ' };
            let _ = write!(out, " {shade}{:>6.2}{letter}", 100.0 * win);
        }
        out.push('\n');
    }
    if groups.len() > 1 {
        for (place, group) in named_here.iter().enumerate().take(LETTER.len()) {
            let _ = writeln!(out, "  {}  {}", char::from(LETTER[place]), named(table, *group));
        }
    }
}

const LETTER: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// The letter of a group.
fn letter(known: &mut Vec<usize>, group: usize) -> char {
    let place = known.iter().position(|own| *own == group).unwrap_or_else(|| {
        known.push(group);
        known.len() - 1
    });
    LETTER.get(place).map_or('*', |letter| char::from(*letter))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, from 0 to 4")]
fn shade(win: f64, most: f64) -> &'static str {
    let place = if most > 0.0 { (win / most * 4.0).round().clamp(0.0, 4.0) as usize } else { 0 };
    SHADES[place]
}

/// What the best group wins with each roll, as SVG.
pub fn picture(table: &Table<'_>) -> String {
    const SIDE: usize = 56;
    const LEFT: usize = 90;
    const TOP: usize = 50;
    let title = escaped(&table.book.title);
    let Some(Grid { down, across, cells }) = grid(table) else {
        return format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"40\"><title>{title}</title></svg>\n"
        );
    };
    let ((first, rows), (second, columns)) = (&table.choice.numbers[down], &table.choice.numbers[across]);
    let (width, height) = (LEFT + SIDE * columns.len() + 10, TOP + SIDE / 2 * rows.len() + 10);
    let most = cells.iter().map(|(win, _)| *win).fold(f64::MIN_POSITIVE, f64::max);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <text x=\"{LEFT}\" y=\"16\">{} across, {} down: odds of the best, in percent</text>\n",
        escaped(&second.name(table.book)),
        escaped(&first.name(table.book))
    );
    for (place, value) in columns.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"40\" text-anchor=\"middle\">{value}</text>",
            LEFT + SIDE * place + SIDE / 2
        );
    }
    for (place, (value, cells)) in rows.iter().zip(cells.chunks(columns.len())).enumerate() {
        let y = TOP + SIDE / 2 * place;
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{value}</text>", LEFT - 8, y + 18);
        for (place, (win, group)) in cells.iter().enumerate() {
            let share = win / most;
            let (x, ink) = (LEFT + SIDE * place, if share > 0.55 { "#fff" } else { "#000" });
            let _ = writeln!(
                out,
                "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{}\" fill=\"#0072b2\" \
                 fill-opacity=\"{share:.3}\" stroke=\"#fff\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" \
                 fill=\"{ink}\">{:.2}</text></g>",
                escaped(&named(table, *group)),
                SIDE / 2,
                x + SIDE / 2,
                y + 18,
                100.0 * win
            );
        }
    }
    out + "</svg>\n"
}
