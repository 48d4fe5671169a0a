use super::*;
use crate::parse_board;

#[test]
fn every_sentence_for_a_step() {
    let text = "rooms: 1 fire, 2 high, 3, 4, 5 low, 6 low\nhatches: 1-2, 1-3, 3-4 open, 4-5 open, 5-6\nstart: 1";
    let board = parse_board(text).unwrap();
    let plan = Plan { steps: vec![1, 2, 3, 4, 5], minutes: 5 };
    let sentences_of_plan = sentences(&board, &plan).unwrap();
    assert_eq!(
        sentences_of_plan,
        [
            "Open the hatch to room 2 (1 minute): water runs from room 2 into room 1 and puts the fire out, both are \
             low now.",
            "Open the hatch to room 3 and go in (1 minute).",
            "Go into room 4 (no time).",
            "Wade into room 5 (1 minute).",
            "Open the hatch to room 6 and wade in (2 minutes).",
        ]
    );
}

#[test]
fn the_boat_in_the_box_is_drawn_with_every_room_once() {
    let board = Board::standard();
    let drawn = drawing(&board, &Boat::new(&board));
    assert_eq!(drawn.lines().count(), 3);
    for number in 1..=10 {
        assert_eq!(drawn.matches(&format!("[{number:>2} ")).count(), 1);
    }
}
