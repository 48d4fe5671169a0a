//! The words for rooms and hatches.

use crate::board::{HatchState, RoomState};

/// The state of a room from its name or its letter, as the descriptions and JSON have it.
pub fn room_state(word: &str) -> Option<RoomState> {
    match word.to_ascii_lowercase().as_str() {
        "c" | "clear" => Some(RoomState::Clear),
        "l" | "low" | "lowflood" => Some(RoomState::LowFlood),
        "h" | "high" | "highflood" => Some(RoomState::HighFlood),
        "f" | "fire" => Some(RoomState::Fire),
        _ => None,
    }
}

/// The state of a hatch from its name or its letter.
pub fn hatch_state(word: &str) -> Option<HatchState> {
    match word.to_ascii_lowercase().as_str() {
        "o" | "open" => Some(HatchState::Open),
        "c" | "closed" => Some(HatchState::Closed),
        "b" | "blocked" => Some(HatchState::Blocked),
        _ => None,
    }
}

pub const HELP_ROOM_STATE: &str = "a room is clear, low, high or fire";
pub const HELP_HATCH_STATE: &str = "a hatch is open, closed or blocked";
pub const HELP_NUMBER: &str = "room numbers are whole numbers from 0 to 4294967295";

/// A room number.
pub fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A hatch such as `1-2`: its two rooms.
pub fn hatch_ends(word: &str) -> Option<(u32, u32)> {
    let (a, b) = word.split_once('-')?;
    Some((number(a.trim())?, number(b.trim())?))
}

/// As much of a word as an error message should repeat.
pub fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    if word.chars().count() <= LONGEST {
        format!("`{}`", word.escape_debug())
    } else {
        let start: String = word.chars().take(LONGEST).collect();
        format!("`{}...`", start.escape_debug())
    }
}
