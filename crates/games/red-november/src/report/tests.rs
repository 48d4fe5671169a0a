use super::*;
use crate::{Limits, Question, parse_board, search};

#[test]
fn a_result_has_the_fields_of_the_report_in_their_order() {
    let board = parse_board("rooms: 1, 2 high\nhatches: 1-2\nstart: 1").unwrap();
    let answer = search(&board, &Question::default(), Limits::default()).unwrap();
    let last = ReportState::after(&board, answer.plans.last().unwrap()).unwrap();
    let expected = concat!(
        r#"{"rooms":[{"number":1,"state":"LowFlood"},{"number":2,"state":"LowFlood"}],"#,
        r#""hatches":[{"number":"1-2","state":"Open"}],"#,
        r#""actions":[{"type":"OpenHatch","hatch":{"number":"1-2","state":"Closed"},"cost":1},"#,
        r#"{"type":"Flood","room1":{"number":1,"state":"Clear"},"room2":{"number":2,"state":"HighFlood"}},"#,
        r#"{"type":"Move","room":{"number":2,"state":"LowFlood"},"cost":1}],"#,
        r#""finalRoom":{"number":2,"state":"LowFlood"},"startRoom":{"number":1,"state":"Clear"},"totalCost":2}"#,
    );
    assert_eq!(serde_json::to_string(&last).unwrap(), expected);
}

#[test]
fn a_written_board_is_read_as_the_same_board() {
    let text = "rooms: 1 fire, 2 high, 3 low\nhatches: 1-2, 2-3 open, 1-3 blocked\nstart: 2";
    let board = parse_board(text).unwrap();
    let json = serde_json::to_string(&ReportState::before(&board)).unwrap();
    assert_eq!(parse_board(&json).unwrap(), board);
}
