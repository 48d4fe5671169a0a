//! The report's JSON: rooms, hatches and the start room of a board.

use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::draft::Draft;
use super::words::{HELP_HATCH_STATE, HELP_ROOM_STATE, hatch_ends, hatch_state, quoted, room_state};
use crate::board::Room;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawBoard<'t> {
    #[serde(borrow)]
    rooms: Vec<&'t RawValue>,
    #[serde(borrow)]
    hatches: Vec<&'t RawValue>,
    #[serde(borrow)]
    start_room: &'t RawValue,
    /// A board has none. The report writes an empty list.
    #[serde(borrow)]
    actions: Option<&'t RawValue>,
    /// Written by the report for every board; says nothing that `startRoom` does not.
    #[serde(rename = "finalRoom")]
    _final_room: Option<IgnoredAny>,
    /// Zero for a board.
    #[serde(rename = "totalCost")]
    _total_cost: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct RawRoom {
    number: u32,
    state: String,
}

#[derive(Deserialize)]
struct RawHatch {
    number: String,
    state: String,
}

/// The start room: as the report writes it, or just its number. The state given here is not used: the room
/// itself has one.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawStart {
    Room { number: u32 },
    Number(u32),
}

/// Reads a board from `start` on.
pub fn read(text: &str, start: usize, draft: &mut Draft) {
    let board: RawBoard<'_> = match serde_json::from_str(&text[start..]) {
        Ok(board) => board,
        Err(error) => return json_problem(text, start..text.len(), &error, HELP_BOARD, draft),
    };
    for raw in board.rooms {
        let span = span_of(text, raw);
        match serde_json::from_str::<RawRoom>(raw.get()) {
            Err(error) => json_problem(text, span, &error, "write {\"number\": 1, \"state\": \"Clear\"}", draft),
            Ok(RawRoom { number, state }) => match room_state(&state) {
                Some(state) => draft.rooms.push((Room { number, state }, span)),
                None => draft.problem(span, format!("room {number} is {}", quoted(&state)), HELP_ROOM_STATE),
            },
        }
    }
    for raw in board.hatches {
        let span = span_of(text, raw);
        match serde_json::from_str::<RawHatch>(raw.get()) {
            Err(error) => json_problem(text, span, &error, "write {\"number\": \"1-2\", \"state\": \"Closed\"}", draft),
            Ok(RawHatch { number, state }) => match (hatch_ends(&number), hatch_state(&state)) {
                (Some(ends), Some(state)) => draft.hatches.push((ends, state, span)),
                (None, _) => draft.problem(
                    span,
                    format!("{} is not a hatch", quoted(&number)),
                    "a hatch is named by the numbers of its two rooms, such as \"1-2\"",
                ),
                (_, None) => {
                    draft.problem(span, format!("hatch {number} is {}", quoted(&state)), HELP_HATCH_STATE);
                }
            },
        }
    }
    let span = span_of(text, board.start_room);
    match serde_json::from_str(board.start_room.get()) {
        Ok(RawStart::Room { number } | RawStart::Number(number)) => draft.start = Some((number, span)),
        Err(_) => draft.problem(
            span,
            "the start room is not a room",
            "write {\"number\": 1, \"state\": \"Clear\"}, or just the number",
        ),
    }
    if let Some(actions) = board.actions
        && serde_json::from_str::<[IgnoredAny; 0]>(actions.get()).is_err()
    {
        draft.problem(
            span_of(text, actions),
            "this is a result with actions, not a board",
            "give the board before the actions, with an empty list of actions or none",
        );
    }
}

const HELP_BOARD: &str = "a board is {\"rooms\": [...], \"hatches\": [...], \"startRoom\": {...}}";

/// The place of a part in the text from which it was borrowed.
fn span_of(text: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.get().len()
}

/// A problem that the JSON reader found somewhere in `within`, placed in the whole text.
fn json_problem(text: &str, within: Range<usize>, error: &serde_json::Error, help: &str, draft: &mut Draft) {
    let part = &text[within.clone()];
    let line_start: usize = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut at = (line_start + error.column().saturating_sub(1)).min(part.len());
    while !part.is_char_boundary(at) {
        at -= 1;
    }
    let whole = error.to_string();
    // The reader ends its message with the line and column in the part; ours are those in the text.
    let message = whole.split(" at line ").next().unwrap_or(&whole);
    let at = within.start + at;
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    draft.problem(at..end, message, help);
}
