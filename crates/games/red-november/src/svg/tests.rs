use super::*;
use crate::{Limits, Question, parse_board, search};

#[test]
fn both_boards_and_every_step_are_in_the_picture() {
    let board = parse_board("rooms: 1, 2 high, 3 fire\nhatches: 1-2, 2-3, 1-3 blocked\nstart: 1").unwrap();
    let answer = search(&board, &Question::default(), Limits::default()).unwrap();
    let picture = svg(&board, answer.plans.last().unwrap()).unwrap();
    assert_eq!(picture.matches("fire</text>").count(), 2);
    assert_eq!(picture.matches(">high</text>").count(), 1);
    assert_eq!(picture.matches(">low</text>").count(), 2);
    for step in ["water runs from room 2 into room 1", "Wade into room 2"] {
        assert_eq!(picture.matches(step).count(), 1);
    }
}

#[test]
fn rooms_of_the_boat_in_the_box_have_different_positions() {
    let mut places: Vec<_> = places(&Board::standard()).iter().map(|(x, y)| (x.to_bits(), y.to_bits())).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 10);
}
