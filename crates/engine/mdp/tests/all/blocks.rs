//! Games whose states record together what they have in common against the same games explored state by state:
//! everything that reads a model reads its blocks.

use mdp::rows::{InRow, RowGame, RowTarget, RowTurns, explore};
use mdp::{
    Distribution, ExploreOptions, Game, Rational, Solution, SolveOptions, StateId, StateSpace, Turn, Weight,
    exact_visit_probabilities, ratio, solve, visit_probabilities,
};
use proptest::prelude::*;

const LENGTH: u32 = 8;

/// How the rules of a game are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Recording {
    /// No rows.
    Alone,
    /// Rows, each of their states recorded alone.
    InRows,
    /// States of a row with the same rules recorded together.
    Together,
    /// The same, with choices replayed from another row as far as possible.
    Again,
}

/// Where an outcome leads.
#[derive(Clone, Copy, Debug)]
enum Where {
    /// This many positions up or down, limited to the row.
    By(i32),
    To(u32),
}

type Outcome = (u64, usize, Where);
type Choices = Vec<(u64, Vec<Outcome>)>;

/// Rows of eight positions; each has choices with rewards and random outcomes. A row without choices pays by its
/// position, as does the last position of all.
#[derive(Clone, Debug)]
struct Ladder {
    rows: Vec<Choices>,
    starts: Vec<(usize, u32)>,
    recording: Recording,
}

type State = (usize, u32);

fn clamped(position: u32, way: Where) -> u32 {
    match way {
        Where::To(position) => position,
        Where::By(steps) => position.saturating_add_signed(steps).min(LENGTH - 1),
    }
}

impl Ladder {
    fn pays(&self, (row, position): State) -> Option<Rational> {
        (position == 0 || self.rows[row].is_empty()).then(|| ratio(i64::from(position) + 1, 3))
    }
}

impl Game for Ladder {
    type State = State;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<State>> {
        self.starts.iter().copied().map(Distribution::certain).collect()
    }

    fn rules(&self, &(row, position): &State, turn: &mut Turn<State>) {
        if let Some(payoff) = self.pays((row, position)) {
            return turn.end(payoff);
        }
        for (reward, outcomes) in &self.rows[row] {
            turn.earn(*reward);
            turn.chance(outcomes.iter().map(|(weight, row, way)| ((*row, clamped(position, *way)), Weight(*weight))));
        }
    }
}

impl RowGame for Ladder {
    fn row_length(&self) -> u32 {
        if self.recording == Recording::Alone { 1 } else { LENGTH }
    }

    fn row_of(&self, &(row, position): &State) -> (State, u32) {
        if self.recording == Recording::Alone { ((row, position), 0) } else { ((row, 0), position) }
    }

    fn in_row(&self, &(row, own): &State, position: u32) -> State {
        (row, if self.recording == Recording::Alone { own } else { position })
    }

    fn rank(&self, (row, _): &State) -> u32 {
        u32::try_from(*row).unwrap()
    }

    fn rules_of_row(&self, state: &State, positions: &[u32], turns: &mut RowTurns<State>) {
        let row = state.0;
        let is_over = |position: u32| self.pays((row, position)).is_some();
        // Two steps at most: those in between are stopped by neither end of a row.
        let inner: Vec<usize> =
            (0..positions.len()).filter(|place| (2..LENGTH - 2).contains(&positions[*place])).collect();
        let together = match inner[..] {
            [first, .., last] if self.recording >= Recording::Together && !is_over(positions[first]) => first..last + 1,
            _ => 0..0,
        };
        for (place, position) in positions.iter().enumerate().filter(|(place, _)| !together.contains(place)) {
            turns.alone(place, |turn| self.rules(&(row, *position), turn), |state| self.row_of(state));
        }
        if together.is_empty() {
            return;
        }
        let first = positions[together.start];
        let mut before = RowTurns::default();
        for (reward, outcomes) in &self.rows[row] {
            const OTHERS: usize = 1000;
            if self.recording == Recording::Again && *reward == 0 {
                // Recorded for other rows, whose numbers differ from those here, and after something else was recorded.
                let other = |row: usize| (row + OTHERS, LENGTH);
                let checkpoint = before.checkpoint();
                let rows: Vec<u32> = outcomes.iter().map(|(_, row, _)| before.row(&other(*row))).collect();
                let next = outcomes.iter().zip(&rows).map(|((weight, _, way), row)| {
                    let next = InRow { row: *row, position: clamped(first, *way) };
                    (RowTarget { first: next, moves: matches!(way, Where::By(_)) }, Weight(*weight))
                });
                before.together(together.clone()).chance(next);
                let list = before.since(checkpoint, &rows).expect("a choice without a reward");
                assert_eq!(list.outcomes(), outcomes.len());
                let rows: Vec<u32> = rows
                    .iter()
                    .map(|row| {
                        let (row, _) = *before.named(*row);
                        turns.row(&(row - OTHERS, 0))
                    })
                    .collect();
                turns.again(&list, &rows);
                continue;
            }
            let next: Vec<(RowTarget, Weight)> = outcomes
                .iter()
                .map(|(weight, row, way)| {
                    let next = InRow { row: turns.row(&(*row, 0)), position: clamped(first, *way) };
                    (RowTarget { first: next, moves: matches!(way, Where::By(_)) }, Weight(*weight))
                })
                .collect();
            let turn = turns.together(together.clone());
            turn.earn(*reward);
            turn.chance(next);
        }
    }
}

fn ladder(circles: bool) -> impl Strategy<Value = Ladder> {
    const ROWS: usize = 7;
    let way = prop_oneof![3 => (-2..=2i32).prop_map(Where::By), 1 => (0..LENGTH).prop_map(Where::To)];
    let outcome = (1..4u64, 0..ROWS, way);
    let choices = proptest::collection::vec((0..2u64, proptest::collection::vec(outcome, 1..4)), 0..4);
    let rows = proptest::collection::vec(choices, ROWS);
    let starts = proptest::collection::vec((0..ROWS, 0..LENGTH), 1..6);
    (rows, starts).prop_map(move |(mut rows, starts)| {
        for (row, choices) in rows.iter_mut().enumerate() {
            for (reward, outcomes) in &mut *choices {
                for (_, to, _) in &mut *outcomes {
                    if !circles {
                        // Down the ladder.
                        *to = row + 1 + *to % (ROWS - row).max(1);
                    }
                }
                if circles {
                    // Staying for ever earns nothing, and the way out is always open.
                    *reward = 0;
                    outcomes.push((1, ROWS, Where::By(0)));
                }
            }
        }
        rows.push(Vec::new());
        rows.push(Vec::new());
        Ladder { rows, starts, recording: Recording::Alone }
    })
}

/// Rows with cycles that keep the position, as at a gambling table: isomorphic components. Play may leave, or stay for
/// ever.
fn tables() -> impl Strategy<Value = Ladder> {
    const MOST_ROWS: usize = 12;
    let inner = || (1..4u64, 0..MOST_ROWS).prop_map(|(weight, row)| (weight, row, Where::By(0)));
    let way = prop_oneof![3 => (-2..=2i32).prop_map(Where::By), 1 => (0..LENGTH).prop_map(Where::To)];
    let outer = (1..4u64, way).prop_map(|(weight, way)| (weight, usize::MAX, way));
    let outcomes = (proptest::collection::vec(inner(), 0..3), proptest::collection::vec(outer, 0..3), inner());
    let outcomes = outcomes.prop_map(|(mut own, outer, other)| {
        own.extend(outer);
        if own.is_empty() {
            own.push(other);
        }
        (0, own)
    });
    let rows = proptest::collection::vec(proptest::collection::vec(outcomes, 1..5), 1..MOST_ROWS);
    let starts = proptest::collection::vec((0..MOST_ROWS, 1..LENGTH), 1..20);
    (rows, starts).prop_map(|(mut rows, mut starts)| {
        let count = rows.len();
        for (_, to, _) in rows.iter_mut().flatten().flat_map(|(_, outcomes)| outcomes) {
            *to = if *to == usize::MAX { count } else { *to % count };
        }
        for (row, _) in &mut starts {
            *row %= count;
        }
        rows.push(Vec::new());
        Ladder { rows, starts, recording: Recording::Alone }
    })
}

fn explored(ladder: &Ladder, recording: Recording, threads: usize) -> StateSpace<State> {
    let ladder = Ladder { recording, ..ladder.clone() };
    explore(&ladder, &ExploreOptions::default().with_threads(threads)).expect("explored")
}

/// Both have the same rules for every state, by names of states.
fn same_model(space: &StateSpace<State>, alone: &StateSpace<State>, recording: Recording) -> Result<(), TestCaseError> {
    let other = |state: StateId| alone.number_of(space.state(state)).expect("a state of both");
    for state in 0..space.model().states() {
        let rules_of = |space: &StateSpace<State>, state: StateId| -> Vec<Vec<(State, String)>> {
            let choices = space.model().choices(state);
            choices
                .map(|choice| {
                    let weights = space.model().weights().weight_list(choice.weights);
                    let total = space.model().weights().total(choice.weights);
                    let names = choice.targets.iter().map(|target| *space.state(target));
                    let mut list: Vec<(State, String)> =
                        names.zip(weights.iter().map(|weight| format!("{weight}/{total}"))).collect();
                    list.sort();
                    list
                })
                .collect()
        };
        prop_assert_eq!(
            rules_of(space, state),
            rules_of(alone, other(state)),
            "{:?} of {:?}",
            space.state(state),
            recording
        );
        prop_assert_eq!(space.model().payoff(state), alone.model().payoff(other(state)));
    }
    let (own, expected) = (space.model().counts(), alone.model().counts());
    prop_assert_eq!(
        (own.states, own.finished, own.choices, own.transitions, own.sccs, own.largest_scc),
        (
            expected.states,
            expected.finished,
            expected.choices,
            expected.transitions,
            expected.sccs,
            expected.largest_scc
        )
    );
    Ok(())
}

/// The answers of both, by names of states.
fn check(ladder: &Ladder) -> Result<(), TestCaseError> {
    let alone = explored(ladder, Recording::Alone, 1);
    let truth = solve(alone.model(), &SolveOptions::exact()).expect("solvable");
    for recording in [Recording::InRows, Recording::Together, Recording::Again] {
        let space = explored(ladder, recording, 1);
        prop_assert_eq!(space.states().len(), alone.states().len());
        let threads = explored(ladder, recording, 3);
        prop_assert_eq!(space.states(), threads.states());
        let other = |state: StateId| alone.number_of(space.state(state)).expect("a state of both");
        same_model(&space, &alone, recording)?;
        let exact = solve(space.model(), &SolveOptions::exact()).expect("solvable");
        let bounds = solve(space.model(), &SolveOptions::default()).expect("solvable");
        let least = SolveOptions::default().with_sense(mdp::Sense::Min);
        let (least, least_truth) =
            (solve(space.model(), &least), solve(alone.model(), &SolveOptions::exact().with_sense(mdp::Sense::Min)));
        let (least, least_truth) = (least.expect("solvable"), least_truth.expect("solvable"));
        for state in 0..space.model().states() {
            let value = truth.value(other(state)).exact.expect("exact");
            let own = exact.value(state).exact;
            prop_assert_eq!(own.as_ref(), Some(&value), "{:?}", space.state(state));
            let best = |solution: &Solution, state: StateId| -> Vec<u32> {
                (0..4).filter(|choice| solution.best().contains(state, *choice)).collect()
            };
            prop_assert_eq!(best(&exact, state), best(&truth, other(state)));
            let about = mdp::nearest(&value);
            let own = bounds.value(state);
            prop_assert!(own.lower <= about && about <= own.upper && own.upper - own.lower < 1e-8);
            let about = mdp::nearest(&least_truth.value(other(state)).exact.expect("exact"));
            let own = least.value(state);
            prop_assert!(own.lower <= about && about <= own.upper && own.upper - own.lower < 1e-8);
        }
        // Which of several best choices is taken is not specified here.
        if (0..space.model().states()).all(|state| exact.best().count(state) < 2) {
            for start in space.starts() {
                let own = exact_visit_probabilities(&exact, start, None).expect("small");
                let expected =
                    exact_visit_probabilities(&truth, &start.map(|state| other(*state)), None).expect("small");
                let float = visit_probabilities(bounds.policy(), start, None).expect("small");
                for state in 0..space.model().states() {
                    let probability = own.probability(state);
                    prop_assert!((probability.decimal() - float.probability(state).decimal()).abs() < 1e-9);
                    let expected = expected.probability(other(state)).into_exact();
                    prop_assert_eq!(probability.into_exact(), expected);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn blocks_change_nothing(ladder in ladder(false)) {
        check(&ladder)?;
    }

    #[test]
    fn blocks_in_circles_change_nothing(ladder in ladder(true)) {
        check(&ladder)?;
    }

    #[test]
    fn isomorphic_components_have_the_values_of_each_alone(ladder in tables()) {
        check(&ladder)?;
    }
}

/// A long row with identical rules is stored once.
#[test]
fn equal_nodes_are_stored_once() {
    let rows = vec![
        vec![(0, vec![(1, 1, Where::By(0)), (2, 2, Where::By(0))])],
        vec![(0, vec![(1, 2, Where::By(0))])],
        vec![],
    ];
    let starts = (1..LENGTH).map(|position| (0, position)).collect();
    let ladder = Ladder { rows, starts, recording: Recording::InRows };
    let counts = explored(&ladder, Recording::InRows, 1).model().counts();
    assert_eq!((counts.transitions, counts.outcomes), (7 * 3, 3));
    let counts = explored(&ladder, Recording::Alone, 1).model().counts();
    assert_eq!((counts.transitions, counts.outcomes), (7 * 3, 7 * 3));
}
