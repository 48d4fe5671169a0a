//! The obstacles of a gnome, compared with an exhaustive search on the boat without them.

use proptest::prelude::*;
use red_november::{Board, Limits, Obstacle, Question, WhyNot, parse_board, why_not};

use crate::random_boards::positions;
use crate::rules::Position;

/// The least minutes without some obstacles, over every single action that the rules allow.
fn least(position: &Position, board: &Board, question: &Question, gone: &[Obstacle]) -> Option<u32> {
    let mut position = position.clone();
    let is_gone = |obstacle: Obstacle| gone.contains(&obstacle);
    let ends = |hatch: usize| board.hatch_numbers(&board.hatches()[hatch]);
    for (place, room) in position.rooms.iter_mut().enumerate() {
        if is_gone(Obstacle::Fire(place)) || is_gone(Obstacle::HighFlood(place)) {
            room.1 = 'c';
        }
    }
    for (a, b, state) in &mut position.hatches {
        if (0..board.hatches().len()).any(|hatch| ends(hatch) == (*a, *b) && is_gone(Obstacle::Blocked(hatch))) {
            *state = 'c';
        }
    }
    if question.avoid_flooding && !is_gone(Obstacle::AvoidFlooding) {
        // As no water runs, a hatch that would let it run is never opened.
        let rooms = position.rooms.clone();
        let letter = |number: u32| rooms.iter().find(|(own, _)| *own == number).map(|own| own.1);
        for (a, b, state) in &mut position.hatches {
            let flows = matches!((letter(*a), letter(*b)), (Some('h'), Some('c' | 'f')) | (Some('c' | 'f'), Some('h')));
            if *state == 'c' && flows {
                *state = 'b';
            }
        }
    }
    let within = question.within.filter(|most| !is_gone(Obstacle::Within(*most)));
    let made_low: Vec<usize> = question
        .make_low
        .iter()
        .copied()
        .filter(|room| {
            ![Obstacle::MakeLow(*room), Obstacle::Fire(*room), Obstacle::HighFlood(*room)].into_iter().any(is_gone)
        })
        .collect();
    let all = position.least_minutes(question.no_revisit && !is_gone(Obstacle::NoRevisit));
    let answers = all.into_iter().filter(|((gnome, rooms), minutes)| {
        question.to.is_none_or(|to| board.rooms()[to].number == *gnome)
            && made_low.iter().all(|room| rooms.as_bytes()[*room] == b'l')
            && within.is_none_or(|most| *minutes <= most)
    });
    answers.map(|(_, minutes)| minutes).min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn obstacles_are_found(
        position in positions(), to in 0_usize..7, low in 0_usize..14, within in 0_u32..8, no_revisit: bool, avoid_flooding: bool,
    ) {
        let board = position.board();
        let rooms = board.rooms().len();
        let is_trouble = |room: &usize| *room < rooms && matches!(position.rooms[*room].1, 'f' | 'h');
        let question = Question {
            to: Some(to % rooms),
            make_low: Some(low).filter(is_trouble).into_iter().collect(),
            within: (within < 5).then_some(within),
            no_revisit,
            avoid_flooding,
            cheapest: false,
        };
        let why = why_not(&board, &question, Limits::default(), &|| true).unwrap();
        let least = |gone: &[Obstacle]| least(&position, &board, &question, gone);
        match &why {
            WhyNot::Possible(minutes) => prop_assert_eq!(least(&[]), Some(*minutes)),
            WhyNot::NoHatches => {
                // Not even where everything is clear, and every hatch only closed.
                let mut free = position.clone();
                free.rooms.iter_mut().for_each(|room| room.1 = 'c');
                free.hatches.iter_mut().for_each(|hatch| hatch.2 = 'c');
                let number = board.rooms()[to % rooms].number;
                prop_assert!(free.least_minutes(false).keys().all(|(gnome, _)| *gnome != number));
            }
            WhyNot::Obstacles(obstacles, minutes) => {
                prop_assert!(!obstacles.is_empty());
                prop_assert_eq!(least(&[]), None);
                prop_assert_eq!(least(obstacles), Some(*minutes));
                for own in obstacles {
                    let others: Vec<Obstacle> = obstacles.iter().copied().filter(|other| other != own).collect();
                    prop_assert_eq!(least(&others), None, "{:?} is in the way of nobody", own);
                }
            }
        }
        prop_assert!(why.words(&board, &question).ends_with('.'));
    }
}

#[test]
fn the_reasons_in_words() {
    let reason = |text: &str, question: &dyn Fn(&mut Question)| {
        let board = parse_board(text).unwrap();
        let mut asked = Question { to: Some(board.rooms().len() - 1), ..Question::default() };
        question(&mut asked);
        why_not(&board, &asked, Limits::default(), &|| true).unwrap().words(&board, &asked)
    };
    let row = "rooms: 1, 2, 3\nhatches: 1-2, 2-3\nstart: 1";
    assert_eq!(reason(row, &|_| {}), "There is a way of 2 minutes.");
    assert_eq!(
        reason(row, &|own| own.within = Some(0)),
        "Room 3 cannot be reached: 0 minutes are too few. It takes 2 minutes."
    );
    assert_eq!(
        reason("rooms: 1, 2, 3\nhatches: 1-2\nstart: 1", &|_| {}),
        "Room 3 cannot be reached: no hatches lead there."
    );
    let blocked = "rooms: 1, 2, 3\nhatches: 1-2, 2-3 blocked\nstart: 1";
    assert_eq!(reason(blocked, &|_| {}), "Room 3 cannot be reached: hatch 2-3 is blocked. If not, 2 minutes would do.");
    let both = "rooms: 1, 2 fire, 3 fire\nhatches: 1-2, 2-3\nstart: 1";
    assert_eq!(
        reason(both, &|_| {}),
        "Room 3 cannot be reached: room 2 burns and room 3 burns. If not, 2 minutes would do."
    );
    let wet = "rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1";
    assert_eq!(
        reason(wet, &|own| own.avoid_flooding = true),
        "Room 3 cannot be reached: no water may run. If not, 3 minutes would do."
    );
}

#[test]
fn a_limit_ends_it() {
    let question = Question { to: Some(9), within: Some(0), ..Question::default() };
    let limits = Limits { states: 3, ..Limits::default() };
    assert!(why_not(&Board::standard(), &question, limits, &|| true).is_err());
    assert!(why_not(&Board::standard(), &question, Limits::default(), &|| false).is_err());
}
