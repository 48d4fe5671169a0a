//! The report's input for the boat in the box: rooms, hatches and the start, a line each.

use super::draft::Draft;
use super::line::Line;
use super::words::{HELP_HATCH_STATE, HELP_ROOM_STATE, number, quoted};
use crate::board::{HatchState, Room, RoomState, STANDARD_HATCHES, STANDARD_ROOMS};

/// Reads three lines; the first letter of each value counts, as in the report.
pub fn read(lines: &[Line<'_>], end: usize, draft: &mut Draft) {
    let lines: Vec<&Line<'_>> = lines.iter().filter(|line| !line.text.is_empty()).collect();
    if let Some(line) = lines.first() {
        let values = line.split(',');
        for (number, value) in (1..=STANDARD_ROOMS).zip(&values) {
            match first_letter(value.text).and_then(room_letter) {
                Some(state) => draft.rooms.push((Room { number, state }, value.span())),
                None => draft.problem(
                    value.span(),
                    format!("room {number} is {}", quoted(value.text)),
                    format!("{HELP_ROOM_STATE}; its first letter counts"),
                ),
            }
        }
        check_count(draft, line, &values, STANDARD_ROOMS as usize, "rooms");
    }
    if let Some(line) = lines.get(1) {
        let values = line.split(',');
        for (&(a, b), value) in STANDARD_HATCHES.iter().zip(&values) {
            match first_letter(value.text).and_then(hatch_letter) {
                Some(state) => draft.hatches.push(((a, b), state, value.span())),
                None => draft.problem(
                    value.span(),
                    format!("hatch {a}-{b} is {}", quoted(value.text)),
                    format!("{HELP_HATCH_STATE}; its first letter counts"),
                ),
            }
        }
        check_count(draft, line, &values, STANDARD_HATCHES.len(), "hatches");
    } else {
        draft.problem(end..end, "the line of the hatches is missing", "the second line has the 15 hatch states");
    }
    match lines.get(2) {
        Some(line) => match number(line.text) {
            Some(start) => draft.start = Some((start, line.span())),
            None => draft.problem(
                line.span(),
                format!("the start room is {}", quoted(line.text)),
                "the third line is the number of the gnome's room, 1 to 10",
            ),
        },
        None => draft.problem(
            end..end,
            "the start room is missing",
            "the third line is the number of the gnome's room, 1 to 10",
        ),
    }
    if let Some(line) = lines.get(3) {
        draft.problem(line.span(), "there is a fourth line", "the input has three: rooms, hatches, start room");
    }
}

fn check_count(draft: &mut Draft, line: &Line<'_>, values: &[Line<'_>], expected: usize, what: &str) {
    let help = format!("the boat in the box has {expected} {what}; a boat of your own begins with a line `rooms: ...`");
    if let Some(extra) = values.get(expected) {
        let span = extra.start..line.span().end;
        draft.problem(span, format!("{} {what} are too many", values.len()), help);
    } else if values.len() < expected {
        let end = line.span().end;
        draft.problem(end..end, format!("{} {what} are too few", values.len()), help);
    }
}

fn first_letter(word: &str) -> Option<char> {
    word.chars().next().map(|letter| letter.to_ascii_lowercase())
}

fn room_letter(letter: char) -> Option<RoomState> {
    match letter {
        'c' => Some(RoomState::Clear),
        'l' => Some(RoomState::LowFlood),
        'h' => Some(RoomState::HighFlood),
        'f' => Some(RoomState::Fire),
        _ => None,
    }
}

fn hatch_letter(letter: char) -> Option<HatchState> {
    match letter {
        'o' => Some(HatchState::Open),
        'c' => Some(HatchState::Closed),
        'b' => Some(HatchState::Blocked),
        _ => None,
    }
}
