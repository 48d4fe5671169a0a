//! The format for any board: lines `rooms:` and `hatches:`, each any number of times, and `start:`.

use super::draft::Draft;
use super::line::Line;
use super::words::{
    HELP_HATCH_STATE, HELP_NUMBER, HELP_ROOM_STATE, hatch_ends, hatch_state, number, quoted, room_state,
};
use crate::board::{HatchState, Room, RoomState};

/// Reads a description. A room without a state is clear, a hatch without one closed; `#` begins a comment.
pub fn read(lines: &[Line<'_>], end: usize, draft: &mut Draft) {
    let mut has_start = false;
    for line in lines {
        let text = line.text.split('#').next().unwrap_or("").trim_end();
        let line = Line { text, start: line.start };
        if line.text.is_empty() {
            continue;
        }
        let Some((key, values)) = line.split_once(|c| c == ':') else {
            draft.problem(line.span(), "the line has no `rooms:`, `hatches:` or `start:`", HELP_LINES);
            continue;
        };
        // A comma at the end of a line is no empty item.
        let items = values.split(',').into_iter().filter(|item| !item.text.is_empty());
        match key.text {
            "rooms" => items.for_each(|item| read_room(item, draft)),
            "hatches" => items.for_each(|item| read_hatch(item, draft)),
            "start" => {
                has_start = true;
                read_start(values, draft);
            }
            other => draft.problem(key.span(), format!("{} is not a part of a board", quoted(other)), HELP_LINES),
        }
    }
    if !has_start {
        draft.problem(end..end, "the start room is missing", "say in which room the gnome stands, such as `start: 1`");
    }
}

const HELP_LINES: &str = "write for example `rooms: 1, 2 high`, `hatches: 1-2 blocked`, `start: 1`";

fn read_room(item: Line<'_>, draft: &mut Draft) {
    let (word, state) = item.split_once(char::is_whitespace).map_or((item, None), |(word, state)| (word, Some(state)));
    let Some(number) = number(word.text) else {
        return draft.problem(word.span(), format!("{} is not a room number", quoted(word.text)), HELP_NUMBER);
    };
    let found = state.map_or(Some(RoomState::Clear), |state| room_state(state.text));
    match (found, state) {
        (Some(state), _) => draft.rooms.push((Room { number, state }, item.span())),
        (None, state) => {
            let state = state.unwrap_or(item);
            draft.problem(state.span(), format!("room {number} is {}", quoted(state.text)), HELP_ROOM_STATE);
        }
    }
}

fn read_hatch(item: Line<'_>, draft: &mut Draft) {
    let (word, state) = item.split_once(char::is_whitespace).map_or((item, None), |(word, state)| (word, Some(state)));
    let Some(ends) = hatch_ends(word.text) else {
        let help = format!("write the numbers of its two rooms, such as 1-2; {HELP_NUMBER}");
        return draft.problem(word.span(), format!("{} is not a hatch", quoted(word.text)), help);
    };
    let found = state.map_or(Some(HatchState::Closed), |state| hatch_state(state.text));
    match (found, state) {
        (Some(state), _) => draft.hatches.push((ends, state, item.span())),
        (None, state) => {
            let state = state.unwrap_or(item);
            draft.problem(state.span(), format!("hatch {} is {}", word.text, quoted(state.text)), HELP_HATCH_STATE);
        }
    }
}

fn read_start(value: Line<'_>, draft: &mut Draft) {
    match number(value.text) {
        None => draft.problem(value.span(), format!("the start room is {}", quoted(value.text)), HELP_NUMBER),
        Some(_) if draft.start.is_some() => {
            draft.problem(value.span(), "the start room is given twice", "the gnome stands in one room");
        }
        Some(start) => draft.start = Some((start, value.span())),
    }
}
