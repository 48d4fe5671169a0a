//! A slot machine beside a harbour, as in many gamebooks: a loop in which the player stays as long as he likes.
//!
//! Ten crowns buy the passage. A pull costs a crown, and three reels of four pictures decide: three of a kind pay five crowns,
//! a pair gives the crown back. Or wager two crowns on a coin with a sailor, who takes one crown of each bet that he loses.

use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, Weight, solve_game_with};

const PASSAGE: u8 = 10;

pub(crate) struct Harbour;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Pull,
    Coin,
    GiveUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// The crowns that the player has.
    Crowns(u8),
    GaveUp,
}

impl Game for Harbour {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State::Crowns(5))]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, Action>) {
        let crowns = match *state {
            State::GaveUp => return turn.end(0),
            State::Crowns(crowns) if crowns >= PASSAGE => return turn.end(1),
            State::Crowns(crowns) => crowns,
        };
        if crowns >= 1 {
            // Of 64 pulls 4 are three of a kind, 36 a pair, 24 neither.
            let after = [(crowns + 4, Weight(4)), (crowns, Weight(36)), (crowns - 1, Weight(24))];
            turn.choice(Action::Pull).chance(after.map(|(crowns, weight)| (State::Crowns(crowns), weight)));
        }
        if crowns >= 2 {
            turn.choice(Action::Coin).uniform([State::Crowns(crowns + 1), State::Crowns(crowns - 2)]);
        }
        turn.choice(Action::GiveUp).to(State::GaveUp);
    }
}

pub(crate) fn solved() -> Result<Solved<Harbour>, GameError> {
    solve_game_with(Harbour, &SolveOptions::exact())
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    for state in (1..PASSAGE).map(State::Crowns) {
        println!("{state:?}: {:?}, gets the passage with {}", solved.best(&state)?, solved.value(&state)?);
    }
    Ok(())
}
