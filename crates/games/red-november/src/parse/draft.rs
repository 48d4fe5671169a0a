//! A board while it is being read, with its errors.

use std::ops::Range;

use super::problems::{MOST_PROBLEMS, Problem, Problems};
use crate::board::{Board, Fault, HatchState, Room};

/// The content read so far, with all positions.
#[derive(Debug, Default)]
pub struct Draft {
    pub rooms: Vec<(Room, Range<usize>)>,
    pub hatches: Vec<((u32, u32), HatchState, Range<usize>)>,
    pub start: Option<(u32, Range<usize>)>,
    problems: Vec<(Range<usize>, String, String)>,
    /// The number of further problems.
    more: usize,
}

impl Draft {
    pub fn problem(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push((span, message.into(), help.into()));
        } else {
            self.more += 1;
        }
    }

    /// Checks the content as a whole, unless parts of it could not be read.
    pub fn finish(mut self, text: &str) -> Result<Board, Problems> {
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

/// The line and column of a position in a text, both from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().filter(|&c| c != '\u{feff}').count() + 1)
}
