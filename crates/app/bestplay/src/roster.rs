//! Tables of many heroes as text, the best first, and as a picture.

use std::fmt::Write;

use markup::escaped;
use solved_table::{Cell, Gain, Grid, GridCell, GroupResult, Roster, RosterRow};

use crate::bar::{bar, steps};
use crate::numbers::percent_near as percent;

/// The most groups that are listed, best first.
const SHOWN: usize = 12;
/// The length of the longest bar, in characters.
const LETTERS: f64 = 24.0;
/// The most columns side by side.
const WIDEST: usize = 16;
/// From light to dark.
const SHADES: [&str; 5] = [" ", "░", "▒", "▓", "█"];

/// The numbers that vary, a line each.
pub fn numbers_text(roster: &Roster, out: &mut String) {
    for number in &roster.numbers {
        let values: Vec<String> = number.values.iter().map(ToString::to_string).collect();
        let values = match &values[..] {
            [first, .., last] => format!("{first} to {last}"),
            _ => values.join(""),
        };
        let _ = writeln!(out, "  {} {values}", number.name);
    }
}

/// The mean, the best, a map in characters, and the worth of each property: `gains`, and points of the numbers.
pub fn text(roster: &Roster, gains: Vec<Gain>, out: &mut String) {
    let groups = roster.groups();
    let rolls = roster.best().len();
    let _ = writeln!(out, "\nMean over all heroes  {}", shown(roster, roster.mean()));
    if groups.len() > 1 {
        let most = groups.first().map_or(0.0, |own| own.win);
        let _ = writeln!(out, "\nThe best over all rolls, and for how many of {rolls} rolls no other is better");
        let line = |own: &GroupResult, most: f64| {
            let bar = bar(if most > 0.0 { LETTERS * own.win / most } else { 0.0 });
            let name = &roster.groups[own.group];
            format!("{:>10} {:>4}  {bar:<24}  {name}\n", shown(roster, own.win), own.best_for)
        };
        out.extend(groups.iter().take(SHOWN).map(|own| line(own, most)));
        if let (Some(worst), true) = (groups.last(), groups.len() > SHOWN) {
            let _ = writeln!(out, "  ... and {} more; the worst:", groups.len() - SHOWN - 1);
            out.push_str(&line(worst, 0.0));
        }
    } else if roster.rows.len() > 1 {
        best_heroes(roster, out);
    }
    map(roster, out);
    let gains: Vec<Gain> = gains.into_iter().chain(roster.points()).collect();
    if !gains.is_empty() {
        let most = gains.iter().map(|own| own.gain.abs()).fold(0.0, f64::max);
        let _ = writeln!(out, "\nWhat each is worth: the mean with it, less the mean without it");
        for Gain { what, gain } in gains {
            let bar = bar(if most > 0.0 { LETTERS * gain.max(0.0) / most } else { 0.0 });
            let _ = writeln!(out, "{:>+9.3}{}  {bar:<24}  {what}", scale(roster) * gain, unit(roster));
        }
    }
}

/// Single heroes, best first.
fn best_heroes(roster: &Roster, out: &mut String) {
    let mut rows: Vec<&RosterRow> = roster.rows.iter().collect();
    rows.sort_by(|left, right| right.found.value().total_cmp(&left.found.value()));
    let most = rows.first().map_or(0.0, |row| row.found.value());
    let line = |row: &RosterRow, most: f64| {
        let bar = bar(if most > 0.0 { LETTERS * row.found.value() / most } else { 0.0 });
        let cell = |(name, cell): (&String, &Cell)| match cell {
            Cell::Number(number) => format!("{name} {number}"),
            Cell::Names(names) => names.clone(),
        };
        let cells: Vec<String> = roster.layout.cells.iter().zip(&row.cells).map(cell).collect();
        format!("{:>10}  {bar:<24}  {}\n", shown(roster, row.found.value()), cells.join(", "))
    };
    out.push_str("\nThe best heroes\n");
    out.extend(rows.iter().take(SHOWN).map(|row| line(row, most)));
    if let (Some(worst), true) = (rows.last(), rows.len() > SHOWN) {
        let _ = writeln!(out, "  ... and {} more; the worst:", rows.len() - SHOWN - 1);
        out.push_str(&line(worst, 0.0));
    }
}

/// A value, formatted.
fn shown(roster: &Roster, value: f64) -> String {
    if roster.is_chance { percent(value) } else { format!("{value:.3}") }
}

/// The factor from values to their displayed unit.
fn scale(roster: &Roster) -> f64 {
    if roster.is_chance { 100.0 } else { 1.0 }
}

fn unit(roster: &Roster) -> &'static str {
    if roster.is_chance { " %" } else { "" }
}

/// The odds of the best group for each roll, as a map in characters.
fn map(roster: &Roster, out: &mut String) {
    let Some(Grid { down, across, cells }) = roster.grid() else { return };
    let (first, second) = (&roster.numbers[down], &roster.numbers[across]);
    let (rows, columns) = (&first.values, &second.values);
    if columns.len() > WIDEST {
        return;
    }
    let groups = roster.groups();
    let most = cells.iter().flatten().map(|own| own.win).fold(0.0, f64::max);
    let mut named_here: Vec<usize> = Vec::new();
    let _ = writeln!(
        out,
        "\nThe best with each {} (down) and {} (across){}",
        first.name,
        second.name,
        if groups.len() > 1 { ", and which it is" } else { "" }
    );
    let _ = write!(out, "{:>6}", "");
    for value in columns {
        let _ = write!(out, "{value:>9}");
    }
    out.push('\n');
    for (value, cells) in rows.iter().zip(cells.chunks(columns.len())) {
        let _ = write!(out, "{value:>6}");
        for cell in cells {
            let Some(GridCell { win, group, .. }) = cell else {
                let _ = write!(out, "{:>9}", "-");
                continue;
            };
            let shade = shade(*win, most);
            let letter = if groups.len() > 1 { letter(&mut named_here, *group) } else { ' ' };
            let _ = write!(out, " {shade}{:>6.2}{letter}", scale(roster) * win);
        }
        out.push('\n');
    }
    if groups.len() > 1 {
        for (place, group) in named_here.iter().enumerate().take(LETTER.len()) {
            let _ = writeln!(out, "  {}  {}", char::from(LETTER[place]), roster.groups[*group]);
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

fn shade(win: f64, most: f64) -> &'static str {
    SHADES[if most > 0.0 { steps(win / most * 4.0, 4) } else { 0 }]
}

/// The odds of the best group for each roll, as SVG.
pub fn picture(roster: &Roster) -> String {
    const SIDE: usize = 56;
    const LEFT: usize = 90;
    const TOP: usize = 50;
    let title = escaped(&roster.title);
    let Some(Grid { down, across, cells }) = roster.grid() else {
        return format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"40\"><title>{title}</title></svg>\n"
        );
    };
    let (first, second) = (&roster.numbers[down], &roster.numbers[across]);
    let (rows, columns) = (&first.values, &second.values);
    let (width, height) = (LEFT + SIDE * columns.len() + 10, TOP + SIDE / 2 * rows.len() + 10);
    let most = cells.iter().flatten().map(|own| own.win).fold(f64::MIN_POSITIVE, f64::max);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <text x=\"{LEFT}\" y=\"16\">{} across, {} down: {}</text>\n",
        escaped(&second.name),
        escaped(&first.name),
        if roster.is_chance { "odds of the best, in percent" } else { "what the best is worth" }
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
        for (place, cell) in cells.iter().enumerate() {
            let Some(GridCell { win, group, .. }) = cell else { continue };
            let share = win / most;
            let (x, ink) = (LEFT + SIDE * place, if share > 0.55 { "#fff" } else { "#000" });
            let _ = writeln!(
                out,
                "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{}\" fill=\"#0072b2\" \
                 fill-opacity=\"{share:.3}\" stroke=\"#fff\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" \
                 fill=\"{ink}\">{:.2}</text></g>",
                escaped(&roster.groups[*group]),
                SIDE / 2,
                x + SIDE / 2,
                y + 18,
                scale(roster) * win
            );
        }
    }
    out + "</svg>\n"
}
