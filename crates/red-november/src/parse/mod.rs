//! Boards from text: the report's three lines, its JSON, or a board of one's own.

mod description;
mod json;
mod three_lines;

use std::fmt;
use std::ops::Range;

use crate::board::{Board, Fault, HatchState, Room, RoomState};

/// Something wrong in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place in the text, in bytes.
    pub span: Range<usize>,
    /// Line of the place, from 1.
    pub line: usize,
    /// Column of the place, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// Everything that is wrong in a text, in the order of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The problems, [`MOST_PROBLEMS`] at most.
    pub list: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

/// The longest text that is read, in bytes: some hundred thousand rooms or hatches.
pub const LONGEST_TEXT: usize = 8 << 20;

/// How many problems of one text are told.
pub const MOST_PROBLEMS: usize = 20;

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.list.iter().enumerate() {
            let end = if i > 0 { "\n" } else { "" };
            write!(f, "{end}line {}, column {}: {} ({})", problem.line, problem.column, problem.message, problem.help)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Reads a board. Text that starts with `{` is JSON; text whose first line has a colon is a description with
/// its own rooms and hatches; anything else is the three lines of the report.
///
/// # Errors
///
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

/// A line of a text without the white space around it.
#[derive(Clone, Copy, Debug)]
struct Line<'t> {
    text: &'t str,
    /// Its place in the whole text, in bytes.
    start: usize,
}

impl<'t> Line<'t> {
    /// The lines of a text from `start` on, empty ones too.
    fn all(text: &'t str, start: usize) -> Vec<Self> {
        Self { text: &text[start..], start }.split('\n')
    }

    /// The parts between separators, without the white space around them.
    fn split(self, separator: char) -> Vec<Self> {
        let mut at = self.start;
        self.text
            .split(separator)
            .map(|part| {
                let start = at + (part.len() - part.trim_start().len());
                at += part.len() + separator.len_utf8();
                Self { text: part.trim(), start }
            })
            .collect()
    }

    /// The part before and the part after the first separator.
    fn split_once(self, separator: impl Fn(char) -> bool) -> Option<(Self, Self)> {
        let at = self.text.find(&separator)?;
        let after = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
        let trimmed = self.text[after..].trim_start();
        let start = self.start + self.text.len() - trimmed.len();
        Some((Self { text: self.text[..at].trim_end(), start: self.start }, Self { text: trimmed, start }))
    }

    fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// What has been read so far, with the places of everything.
#[derive(Debug, Default)]
struct Draft {
    rooms: Vec<(Room, Range<usize>)>,
    hatches: Vec<((u32, u32), HatchState, Range<usize>)>,
    start: Option<(u32, Range<usize>)>,
    problems: Vec<(Range<usize>, String, String)>,
    /// Problems too many to be kept.
    more: usize,
}

impl Draft {
    fn problem(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push((span, message.into(), help.into()));
        } else {
            self.more += 1;
        }
    }

    /// Checks what has been read as a whole, unless parts of it could not be read.
    fn finish(mut self, text: &str) -> Result<Board, Problems> {
        if let (true, Some((start, start_span))) = (self.problems.is_empty(), self.start.clone()) {
            let rooms: Vec<Room> = self.rooms.iter().map(|(room, _)| *room).collect();
            let hatches: Vec<_> = self.hatches.iter().map(|&(ends, state, _)| (ends, state)).collect();
            match Board::new(&rooms, &hatches, start) {
                Ok(board) => return Ok(board),
                Err(faults) => {
                    for fault in faults {
                        let span = match fault {
                            Fault::NoRooms => 0..0,
                            Fault::RoomTwice { at, .. } => self.rooms[at].1.clone(),
                            Fault::HatchToItself { at, .. }
                            | Fault::HatchToNowhere { at, .. }
                            | Fault::HatchTwice { at, .. } => self.hatches[at].2.clone(),
                            Fault::StartNowhere { .. } => start_span.clone(),
                        };
                        self.problem(span, fault.to_string(), fault.help());
                    }
                }
            }
        }
        self.problems.sort_by_key(|(span, ..)| span.start);
        let list = self.problems.into_iter().map(|(span, message, help)| {
            let (line, column) = line_and_column(text, span.start);
            Problem { span, line, column, message, help }
        });
        Err(Problems { list: list.collect(), more: self.more })
    }
}

/// Line and column of a place in a text, both from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().filter(|&c| c != '\u{feff}').count() + 1)
}

/// The state of a room from its name or its letter, as the descriptions and JSON have it.
fn room_state(word: &str) -> Option<RoomState> {
    match word.to_ascii_lowercase().as_str() {
        "c" | "clear" => Some(RoomState::Clear),
        "l" | "low" | "lowflood" => Some(RoomState::LowFlood),
        "h" | "high" | "highflood" => Some(RoomState::HighFlood),
        "f" | "fire" => Some(RoomState::Fire),
        _ => None,
    }
}

/// The state of a hatch from its name or its letter.
fn hatch_state(word: &str) -> Option<HatchState> {
    match word.to_ascii_lowercase().as_str() {
        "o" | "open" => Some(HatchState::Open),
        "c" | "closed" => Some(HatchState::Closed),
        "b" | "blocked" => Some(HatchState::Blocked),
        _ => None,
    }
}

const HELP_ROOM_STATE: &str = "a room is clear, low, high or fire";
const HELP_HATCH_STATE: &str = "a hatch is open, closed or blocked";
const HELP_NUMBER: &str = "room numbers are whole numbers from 0 to 4294967295";

/// A room number.
fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A hatch such as `1-2`: its two rooms.
fn hatch_ends(word: &str) -> Option<(u32, u32)> {
    let (a, b) = word.split_once('-')?;
    Some((number(a.trim())?, number(b.trim())?))
}

/// As much of a word as an error message should repeat.
fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    if word.chars().count() <= LONGEST {
        format!("`{}`", word.escape_debug())
    } else {
        let start: String = word.chars().take(LONGEST).collect();
        format!("`{}...`", start.escape_debug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every problem as "line:column message".
    fn problems(text: &str) -> Vec<String> {
        let found = parse_board(text).unwrap_err();
        found.list.iter().map(|p| format!("{}:{} {}", p.line, p.column, p.message)).collect()
    }

    const ROOMS: &str = "c,f,l,h,Clear,Fire,LowFlood,HighFlood,C,c";
    const HATCHES: &str = "o,c,b,Open,Closed,Blocked,c,c,c,c,c,c,c,c,c";

    #[test]
    fn three_lines() {
        let board = parse_board(&format!(
            "{ROOMS}
{HATCHES}
 4 

"
        ))
        .unwrap();
        let states: Vec<RoomState> = board.rooms().iter().map(|room| room.state).collect();
        let four = [RoomState::Clear, RoomState::Fire, RoomState::LowFlood, RoomState::HighFlood];
        assert_eq!(&states[..8], [four, four].concat());
        assert_eq!(board.hatches()[5].state, HatchState::Blocked);
        assert!(board.is_standard());
        assert_eq!(board.start(), 3);
    }

    #[test]
    fn three_lines_with_everything_wrong() {
        let text = "c,x,,c,c,c,c,c,c
o,c,b,q,c,c,c,c,c,c,c,c,c,c,c,c
ten
more";
        let expected = [
            "1:3 room 2 is `x`",
            "1:5 room 3 is ``",
            "1:17 9 rooms are too few",
            "2:7 hatch 2-4 is `q`",
            "2:31 16 hatches are too many",
            "3:1 the start room is `ten`",
            "4:1 there is a fourth line",
        ];
        assert_eq!(problems(text), expected);
        assert_eq!(problems(&format!("{ROOMS}\n{HATCHES}\n11")), ["3:1 the start, room 11, is not on the board"]);
        assert_eq!(problems(&format!("{ROOMS}\n{HATCHES}")), ["2:44 the start room is missing"]);
        assert_eq!(problems(" \n"), ["1:1 the text is empty"]);
    }

    #[test]
    fn a_description() {
        let text = "# two decks\nrooms: 7 fire, 3, # here\nrooms: 12 H\nhatches: 7-3 open, 12-7\nstart: 12";
        let board = parse_board(text).unwrap();
        assert_eq!(board.rooms().iter().map(|room| room.number).collect::<Vec<_>>(), [3, 7, 12]);
        assert_eq!(board.hatch_numbers(&board.hatches()[0]), (3, 7));
        assert_eq!(board.hatches()[1].state, HatchState::Closed);
    }

    #[test]
    fn a_description_with_everything_wrong() {
        let text = "rooms: 1 wet, -2, 3\nhatch: 1-3\nhatches: 1, 1-3 shut, +1-3\nstart: 1\nstart: 3\nend";
        let expected = [
            "1:10 room 1 is `wet`",
            "1:15 `-2` is not a room number",
            "2:1 `hatch` is not a part of a board",
            "3:10 `1` is not a hatch",
            "3:17 hatch 1-3 is `shut`",
            "3:23 `+1-3` is not a hatch",
            "5:8 the start room is given twice",
            "6:1 the line has no `rooms:`, `hatches:` or `start:`",
        ];
        assert_eq!(problems(text), expected);
        let text = "rooms: 1, 2, 2\nhatches: 1-2, 2-1, 2-9, 1-1\nstart: 3";
        let expected = [
            "1:14 room 2 is given twice",
            "2:15 hatch 1-2 is given twice",
            "2:20 hatch 2-9 leads to room 9, which is not on the board",
            "2:25 hatch 1-1 leads from a room to itself",
            "3:8 the start, room 3, is not on the board",
        ];
        assert_eq!(problems(text), expected);
        assert_eq!(problems("rooms: 1, x"), ["1:11 `x` is not a room number", "1:12 the start room is missing"]);
        assert_eq!(problems("start: 1"), ["1:1 the board has no rooms"]);
        assert_eq!(
            problems("rooms: 99999999999999999999 clear\nstart: 1")[0],
            "1:8 `99999999999999999999` is not a room number"
        );
    }

    #[test]
    fn json() {
        let text = r#"{"rooms": [{"number": 2, "state": "HighFlood"}, {"number": 1, "state": "Clear"}],
            "hatches": [{"number": "2-1", "state": "Closed"}], "actions": [
            ], "finalRoom": {"number": 2, "state": "Clear"}, "startRoom": {"number": 2, "state": "Clear"},
            "totalCost": 0}"#;
        let board = parse_board(text).unwrap();
        assert_eq!(board.start(), 1);
        assert_eq!(board.rooms()[1].state, RoomState::HighFlood);
        assert!(parse_board(r#"{"rooms": [{"number": 1, "state": "c"}], "hatches": [], "startRoom": 1}"#).is_ok());
    }

    #[test]
    fn json_with_everything_wrong() {
        let text = "{\"rooms\": [{\"number\": 1, \"state\": \"Wet\"},\n  {\"number\": \"2\", \"state\": \"Clear\"}],\n \
            \"hatches\": [{\"number\": \"1\", \"state\": \"Closed\"}, {\"number\": \"1-2\", \"state\": \"Ajar\"}],\n \
            \"actions\": [{}],\n \"startRoom\": \"one\"}";
        let expected = [
            "1:12 room 1 is `Wet`",
            "2:16 invalid type: string \"2\", expected u32",
            "3:14 `1` is not a hatch",
            "3:50 hatch 1-2 is `Ajar`",
            "4:13 this is a result with actions, not a board",
            "5:15 the start room is not a room",
        ];
        assert_eq!(problems(text), expected);
        assert_eq!(problems("{\"rooms\": [],\n\"hatches\": [}"), ["2:13 expected value"]);
        assert_eq!(problems("{\"rooms\": []}"), ["1:13 missing field `hatches`"]);
        assert_eq!(problems("[1, 2]")[0].split_once(' ').unwrap().0, "1:2");
    }

    #[test]
    fn only_so_many_problems_are_told() {
        let found = parse_board(&format!("rooms: {}\nstart: 1", "x,".repeat(1000))).unwrap_err();
        assert_eq!((found.list.len(), found.more), (MOST_PROBLEMS, 980));
    }
}
