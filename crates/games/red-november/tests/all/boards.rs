//! The exact answers for 28 boards, in both modes: no pair missing, none extra, every cost right.

use std::collections::BTreeMap;

use crate::rules::{Pair, Position};
use red_november::{Limit, Limits, Question, parse_board, search, search_while};

struct Case {
    name: String,
    position: Position,
    revisit: BTreeMap<Pair, u32>,
    once: BTreeMap<Pair, u32>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../boards.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines
        .chunks_exact(6)
        .map(|block| {
            let field = |i: usize, key: &str| {
                let (found, rest) = block[i].split_once(' ').unwrap();
                assert_eq!(found, key);
                rest
            };
            let hatches: Vec<_> = field(2, "hatches").split(' ').map(hatch).collect();
            Case {
                name: field(0, "board").to_owned(),
                position: Position::new(field(1, "rooms"), &hatches, field(3, "start").parse().unwrap()),
                revisit: pairs(field(4, "revisit")),
                once: pairs(field(5, "once")),
            }
        })
        .collect()
}

fn hatch(word: &str) -> (u32, u32, char) {
    let (ends, state) = word.split_at(word.len() - 1);
    let (a, b) = ends.split_once('-').unwrap();
    (a.parse().unwrap(), b.parse().unwrap(), state.chars().next().unwrap())
}

fn pairs(words: &str) -> BTreeMap<Pair, u32> {
    let mut words = words.split(' ');
    let count: usize = words.next().unwrap().parse().unwrap();
    let pairs: BTreeMap<Pair, u32> = words
        .map(|word| {
            let parts: Vec<&str> = word.split(':').collect();
            ((parts[0].parse().unwrap(), parts[1].to_owned()), parts[2].parse().unwrap())
        })
        .collect();
    assert_eq!(pairs.len(), count);
    pairs
}

#[test]
fn every_board_has_exactly_the_known_answers() {
    let cases = cases();
    assert_eq!(cases.len(), 28);
    for case in &cases {
        let board = case.position.board();
        for (no_revisit, expected) in [(false, &case.revisit), (true, &case.once)] {
            let question = Question { no_revisit, ..Question::default() };
            let answer = search(&board, &question, Limits::default()).unwrap();
            let found: Vec<(Pair, u32)> =
                answer.plans.iter().map(|plan| case.position.check(&board, plan, no_revisit)).collect();
            let as_map: BTreeMap<Pair, u32> = found.iter().cloned().collect();
            assert_eq!(as_map.len(), found.len(), "{}: a pair twice", case.name);
            assert_eq!(&as_map, expected, "{} (no_revisit: {no_revisit})", case.name);
        }
    }
}

#[test]
fn a_search_that_is_no_longer_wanted_stops() {
    let board = parse_board("rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1").unwrap();
    let wanted = std::cell::Cell::new(3);
    let still_wanted = || {
        wanted.set(wanted.get() - 1);
        wanted.get() > 0
    };
    let reached = search_while(&board, &Question::default(), Limits::default(), &still_wanted).unwrap_err();
    assert_eq!(reached.limit, Limit::NotWanted);
    assert!(reached.to_string().starts_with("the search was stopped after"));
}
