use super::*;
use crate::board::{HatchState, RoomState};

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
fn reported_problems_are_limited() {
    let found = parse_board(&format!("rooms: {}\nstart: 1", "x,".repeat(1000))).unwrap_err();
    assert_eq!((found.list.len(), found.more), (MOST_PROBLEMS, 980));
}
