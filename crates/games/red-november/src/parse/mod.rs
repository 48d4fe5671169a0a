//! Boards from text: the report's three lines, its JSON, or a board of one's own.

mod description;
mod draft;
mod json;
mod line;
mod problems;
mod three_lines;
mod words;

use draft::Draft;
use line::Line;

use crate::board::Board;

pub use problems::{MOST_PROBLEMS, Problem, Problems};

/// The longest text that is read, in bytes: some hundred thousand rooms or hatches.
pub const LONGEST_TEXT: usize = 8 << 20;

/// Reads a board. Text that starts with `{` is JSON; text whose first line has a colon is a description with
/// its own rooms and hatches; anything else is the three lines of the report.
///
/// # Errors
/// Every problem of the text, except that a JSON text which is none ends at its first.
///
/// ```
/// use red_november::parse_board;
///
/// let board = parse_board("rooms: 1, 2 high, 3 fire\nhatches: 1-2, 2-3 blocked\nstart: 1\n").unwrap();
/// assert_eq!(board.rooms().len(), 3);
///
/// let problems = parse_board("rooms: 1, 2 wet\nhatches: 1-2\nstart: 1\n").unwrap_err();
/// assert_eq!((problems.list[0].line, problems.list[0].column), (1, 13));
/// ```
pub fn parse_board(text: &str) -> Result<Board, Problems> {
    if text.len() > LONGEST_TEXT {
        let mut draft = Draft::default();
        draft.problem(0..0, format!("the text is longer than {} MiB", LONGEST_TEXT >> 20), "is it a board?");
        return draft.finish(text);
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Line::all(text, text.len() - body.len());
    let mut draft = Draft::default();
    let first = lines.iter().find(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    match first {
        None => draft.problem(0..0, "the text is empty", HELP_FORMATS),
        Some(first) if first.text.starts_with(['{', '[']) => json::read(text, first.start, &mut draft),
        Some(first) if first.text.contains(':') => description::read(&lines, text.len(), &mut draft),
        Some(_) => three_lines::read(&lines, text.len(), &mut draft),
    }
    draft.finish(text)
}

const HELP_FORMATS: &str = "give three lines (rooms, hatches, start), or `rooms:`, `hatches:` and `start:`, or JSON";

#[cfg(test)]
mod tests;
