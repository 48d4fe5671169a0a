//! Random boards compared with an exhaustive search.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::Position;
use proptest::prelude::*;
use red_november::{Limits, Plan, Question, search};

/// Boards of four to seven rooms and up to nine hatches.
pub fn positions() -> impl Strategy<Value = Position> {
    (4_u32..=7)
        .prop_flat_map(|rooms| {
            let states = proptest::collection::vec(
                proptest::sample::select(vec!['c', 'c', 'c', 'l', 'h', 'h', 'f']),
                rooms as usize,
            );
            // The second room is some rooms on from the first, round the boat: never the same.
            let ends = (1..=rooms, 1..rooms).prop_map(move |(a, on)| (a, (a + on - 1) % rooms + 1));
            let hatch = (ends, proptest::sample::select(vec!['c', 'c', 'c', 'c', 'c', 'c', 'o', 'b']));
            (states, proptest::collection::vec(hatch, 4..=9), 1..=rooms)
        })
        .prop_map(|(states, hatches, start)| {
            let mut seen = BTreeSet::new();
            let hatches: Vec<_> = hatches
                .into_iter()
                .map(|((a, b), state)| (a.min(b), a.max(b), state))
                .filter(|&(a, b, _)| seen.insert((a, b)))
                .collect();
            Position::new(&states.into_iter().collect::<String>(), &hatches, start)
        })
}

fn ask(position: &Position, question: &Question) -> Vec<Plan> {
    search(&position.board(), question, Limits::default()).unwrap().plans
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_pair_at_its_least_cost_and_by_the_rule_for_ties(position in positions(), no_revisit: bool) {
        let board = position.board();
        let plans = ask(&position, &Question { no_revisit, ..Question::default() });
        let found: BTreeMap<_, _> = plans.iter().map(|plan| position.check(&board, plan, no_revisit)).collect();
        prop_assert_eq!(found.len(), plans.len());
        prop_assert_eq!(found, position.least_minutes(no_revisit));

        let turns = |plan: &Plan| -> Vec<u32> { plan.steps.iter().map(|&room| board.rooms()[room].number).collect() };
        let found: BTreeMap<_, _> = plans
            .iter()
            .map(|plan| (position.check(&board, plan, no_revisit).0, (plan.minutes, plan.steps.len(), turns(plan))))
            .collect();
        prop_assert_eq!(found, position.chosen_plans(no_revisit));
    }

    #[test]
    fn the_order_in_which_hatches_are_given_changes_nothing(position in positions()) {
        let mut turned = position.clone();
        turned.hatches.reverse();
        prop_assert_eq!(ask(&position, &Question::default()), ask(&turned, &Question::default()));
    }

    #[test]
    fn questions_are_answered_from_the_whole(position in positions(), room in 0_usize..7, within in 0_u32..6) {
        let board = position.board();
        let room = room % board.rooms().len();
        let all = ask(&position, &Question::default());
        let ends = |plan: &Plan| plan.play(&board).unwrap().1;

        let within_some = Question { within: Some(within), ..Question::default() };
        let expected: Vec<Plan> = all.iter().filter(|plan| plan.minutes <= within).cloned().collect();
        prop_assert_eq!(ask(&position, &within_some), expected);

        let to_room = Question { to: Some(room), ..Question::default() };
        let expected: Vec<Plan> = all.iter().filter(|plan| ends(plan).gnome() == room).cloned().collect();
        prop_assert_eq!(ask(&position, &to_room), expected);

        let made_low = |plan: &&Plan| ends(plan).rooms()[room] != board.rooms()[room].state;
        let make_low = Question { make_low: vec![room], cheapest: true, ..Question::default() };
        let found = ask(&position, &make_low);
        let least = all.iter().filter(made_low).map(|plan| (plan.minutes, plan.steps.len(), &plan.steps)).min();
        prop_assert_eq!(found.first().map(|plan| (plan.minutes, plan.steps.len(), &plan.steps)), least);
        prop_assert!(found.len() <= 1);
    }

    #[test]
    fn a_search_at_its_limit_reports_its_true_progress(position in positions(), states in 0_usize..60) {
        let board = position.board();
        let limits = Limits { states, ..Limits::default() };
        match search(&board, &Question::default(), limits) {
            Ok(answer) => {
                prop_assert!(answer.boards_explored <= states);
                prop_assert_eq!(answer.plans, ask(&position, &Question::default()));
            }
            Err(reached) => {
                prop_assert_eq!(reached.states, states);
                if reached.complete.is_some() {
                    let within = Question { within: reached.complete, ..Question::default() };
                    prop_assert_eq!(search(&board, &within, limits).unwrap().plans, ask(&position, &within));
                }
            }
        }
    }

    #[test]
    fn without_flooding_no_room_changes(position in positions()) {
        let board = position.board();
        let dry = ask(&position, &Question { avoid_flooding: true, ..Question::default() });
        let unchanged: Vec<Plan> = ask(&position, &Question::default())
            .into_iter()
            .filter(|plan| plan.play(&board).unwrap().1.rooms().iter().copied().eq(board.rooms().iter().map(|r| r.state)))
            .collect();
        prop_assert_eq!(dry, unchanged);
    }
}
