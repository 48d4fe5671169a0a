//! A plan in sentences, and the boat as a small drawing in letters.

use crate::board::{Board, RoomState};
use crate::plan::Plan;
use crate::turn::{Action, Boat, Illegal};

/// `1 minute`, `2 minutes`.
#[must_use]
pub fn minutes(count: u32) -> String {
    format!("{count} minute{}", if count == 1 { "" } else { "s" })
}

/// A plan in sentences, one for each of its steps.
///
/// # Errors
/// When the plan is not one for this board.
///
/// ```
/// use red_november::{Limits, Question, parse_board, search, sentences};
///
/// let board = parse_board("rooms: 1, 2 high, 3 fire\nhatches: 1-2, 2-3\nstart: 1").unwrap();
/// let answer = search(&board, &Question::default(), Limits::default()).unwrap();
/// assert_eq!(sentences(&board, answer.plans.last().unwrap()).unwrap(), [
///     "Open the hatch to room 2 (1 minute): water runs from room 2 into room 1, both are low now.",
///     "Wade into room 2 (1 minute).",
/// ]);
/// ```
pub fn sentences(board: &Board, plan: &Plan) -> Result<Vec<String>, Illegal> {
    let number = |room: usize| board.rooms()[room].number;
    let mut boat = Boat::new(board);
    let mut actions = Vec::new();
    plan.steps
        .iter()
        .map(|&to| {
            let from = boat.gnome();
            actions.clear();
            boat.step(to, &mut actions)?;
            let cost = actions.iter().map(Action::minutes).sum();
            let price = if cost == 0 { "no time".to_owned() } else { minutes(cost) };
            let to_number = number(to);
            Ok(match *actions.as_slice() {
                [Action::Open { .. }, Action::Flow { before, .. }] => {
                    let first_is_high = before.0 == RoomState::HighFlood;
                    // The hatch's first room is the one with the smaller index.
                    let (high, other) =
                        if first_is_high { (from.min(to), from.max(to)) } else { (from.max(to), from.min(to)) };
                    let fire = if before.0 == RoomState::Fire || before.1 == RoomState::Fire {
                        " and puts the fire out"
                    } else {
                        ""
                    };
                    format!(
                        "Open the hatch to room {to_number} ({price}): water runs from room {} into room {}{fire}, \
                         both are low now.",
                        number(high),
                        number(other)
                    )
                }
                [Action::Open { .. }, Action::Move { state: RoomState::LowFlood, .. }] => {
                    format!("Open the hatch to room {to_number} and wade in ({price}).")
                }
                [Action::Open { .. }, ..] => format!("Open the hatch to room {to_number} and go in ({price})."),
                [Action::Move { state: RoomState::LowFlood, .. }] => format!("Wade into room {to_number} ({price})."),
                _ => format!("Go into room {to_number} ({price})."),
            })
        })
        .collect()
}

/// The rooms of the boat in the box in their positions, three decks of six cells; 0 is no room.
const DECKS: [[u32; 6]; 3] = [[0, 2, 0, 6, 7, 9], [1, 0, 0, 5, 0, 0], [0, 3, 4, 0, 8, 10]];

/// The boat in the box as the drawings have it: column and deck of each room, from 0.
pub(crate) fn place(number: u32) -> (usize, usize) {
    let places =
        DECKS.iter().enumerate().flat_map(|(deck, row)| row.iter().zip(0..).map(move |(n, x)| (*n, (x, deck))));
    places.into_iter().find(|&(found, _)| found == number).map_or((0, 0), |(_, place)| place)
}

/// The boat in letters: a cell for each room with its number, what is in it, and `@` for the gnome.
///
/// The rooms of the boat in the box stand where they lie; those of other boats in rows, by number.
///
/// ```
/// use red_november::{Boat, drawing, parse_board};
///
/// let board = parse_board("rooms: 1, 2 high, 3 fire\nhatches: 1-2, 2-3\nstart: 1").unwrap();
/// assert_eq!(drawing(&board, &Boat::new(&board)), "[1     @] [2 HIGH ] [3 FIRE ]\n");
/// ```
#[must_use]
pub fn drawing(board: &Board, boat: &Boat<'_>) -> String {
    let width = board.rooms().last().map_or(1, |room| room.number.to_string().len());
    let cell = |index: usize| {
        let state = match boat.rooms()[index] {
            RoomState::Clear => "",
            RoomState::LowFlood => "low",
            RoomState::HighFlood => "HIGH",
            RoomState::Fire => "FIRE",
        };
        let gnome = if boat.gnome() == index { '@' } else { ' ' };
        format!("[{:>width$} {state:<4}{gnome}]", board.rooms()[index].number)
    };
    let rows: Vec<String> = if board.is_standard() {
        let empty = " ".repeat(width + 8);
        let deck = |row: &[u32; 6]| {
            let cells: Vec<String> =
                row.iter().map(|&number| board.index_of(number).map_or_else(|| empty.clone(), cell)).collect();
            cells.join(" ")
        };
        DECKS.iter().map(deck).collect()
    } else {
        let indices: Vec<usize> = (0..board.rooms().len()).collect();
        indices.chunks(DECKS[0].len()).map(|row| row.iter().map(|&i| cell(i)).collect::<Vec<_>>().join(" ")).collect()
    };
    rows.iter().map(|row| row.trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests;
