//! What the states of a row say together is what each says alone.

use budget::{Budget, Limits};
use gamebook::{Machine, Question, Situation, built_in, read};
use mdp::{Choice, Counts, Distribution, ExploreOptions, Game, StateId, StateSpace, Turn, explore};

use crate::random_book::{random_book, read_random};
use crate::random_system::random_system_book;

/// Larger books are passed over.
const MOST_STATES: u64 = 5_000;

/// The same game without rows.
struct Alone<'a>(&'a Machine);

type State = <Machine as Game>::State;

impl Game for Alone<'_> {
    type State = State;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        self.0.starts()
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        self.0.rules(state, turn);
    }
}

/// Asserts that both have the same states, and that each has the same choices.
fn assert_equal(rows: &StateSpace<State>, alone: &StateSpace<State>, what: &str) {
    // Rows store what they have in common in their own way, and are solved together.
    let counts = |space: &StateSpace<State>| Counts { outcomes: 0, levels: 0, ..space.model().counts() };
    assert_eq!(counts(rows), counts(alone), "{what}");
    for (number, state) in (0..).zip(rows.states()) {
        let other = alone.number_of(state).unwrap_or_else(|| panic!("{what}: {state:?} is not reached alone"));
        assert_eq!(rows.model().payoff(number), alone.model().payoff(other), "{what}: {state:?}");
        // In which order what chance brings is listed says nothing.
        let choices_of = |space: &StateSpace<State>, number: StateId| -> Vec<Vec<(State, String)>> {
            let say = |choice: Choice<'_>| {
                let weights = space.model().weights().weight_list(choice.weights);
                let next = choice.targets.iter().map(|next| *space.state(next));
                let mut outcomes: Vec<(State, String)> = next.zip(weights.iter().map(ToString::to_string)).collect();
                outcomes.sort();
                outcomes
            };
            space.model().choices(number).map(say).collect()
        };
        assert_eq!(choices_of(rows, number), choices_of(alone, other), "{what}: {state:?}");
    }
}

/// Compares both for one question; says whether the book is small enough.
fn compare(text: &str, question: impl FnOnce(&mut Question), most_states: u64, what: &str) -> bool {
    let (book, _) = read_random(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let mut asked = Question { situation: Situation::default(), ..Question::new(&book) };
    question(&mut asked);
    let limits = Limits { max_states: most_states, ..Limits::default() };
    let budget = Budget::new(limits);
    let Ok(machine) = asked.machine(&book, &budget) else { return false };
    let options = |threads| ExploreOptions::default().with_budget(&budget).with_threads(threads);
    let Ok(alone) = explore(&Alone(&machine), &options(1)) else { return false };
    let [one, two] = [1, 2].map(|threads| {
        let rows =
            mdp::rows::explore(&machine, &options(threads)).unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
        assert_equal(&rows, &alone, what);
        rows
    });
    // The rows do not depend on which thread expanded them. How many outcomes are shared hardly does: that depends on what each
    // thread has cached of other rows.
    let [one, two] = [one, two].map(|space| space.model().counts());
    assert_eq!(Counts { outcomes: 0, ..one }, Counts { outcomes: 0, ..two }, "{what}");
    assert!(one.outcomes.abs_diff(two.outcomes) * 100 <= one.outcomes, "{what}: {one:?} {two:?}");
    true
}

#[test]
fn of_random_books() {
    of_books(0..20);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_of_random_books() {
    of_books(20..200);
}

fn of_books(seeds: std::ops::Range<u64>) {
    let least = seeds.clone().count() / 3;
    let compared = seeds.filter(|seed| {
        let text = random_book(*seed);
        let every_question = |question: &mut Question| question.situation.every_question = seed % 3 == 0;
        compare(&text, every_question, MOST_STATES, &format!("book {seed}"))
    });
    let compared = compared.count();
    assert!(compared > least, "{compared} compared");
}

#[test]
fn of_random_systems() {
    of_systems(0..20);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_of_random_systems() {
    of_systems(20..200);
}

fn of_systems(seeds: std::ops::Range<u64>) {
    let least = seeds.clone().count() / 3;
    let compared =
        seeds.filter(|seed| compare(&random_system_book(*seed), |_| {}, MOST_STATES, &format!("book {seed}")));
    let compared = compared.count();
    assert!(compared > least, "{compared} compared");
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn of_built_in_books() {
    for name in ["fire-on-the-water", "warlock-of-firetop-mountain"] {
        let text = built_in(name).expect("a built-in book");
        assert!(read(text).is_ok());
        assert!(compare(text, |_| {}, 10_000_000, name));
    }
}
