//! Pig, the dice game, for one player: 100 points in as few turns as possible. A game with cycles and rewards.
//!
//! In a turn you roll as often as you like, and what you rolled is yours when you hold, but a one ends the turn with nothing.

use mdp::{Distribution, Game, GameError, Sense, SolveOptions, Solved, Turn, solve_game_with};

const GOAL: u8 = 100;

pub(crate) struct Pig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) points: u8,
    /// The points rolled in this turn; 0 before its first roll.
    pub(crate) rolled: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Roll,
    Hold,
}

impl Game for Pig {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State { points: 0, rolled: 0 })]
    }

    fn rules(&self, &State { points, rolled }: &State, turn: &mut Turn<State, Action>) {
        if points + rolled >= GOAL {
            return turn.end(0);
        }
        // The first roll begins a turn, and turns are counted.
        turn.choice(Action::Roll).earn(u8::from(rolled == 0)).uniform((1..=6).map(|eyes| match eyes {
            1 => State { points, rolled: 0 },
            _ => State { points, rolled: rolled + eyes },
        }));
        if rolled > 0 {
            turn.choice(Action::Hold).to(State { points: points + rolled, rolled: 0 });
        }
    }
}

pub(crate) fn solved() -> Result<Solved<Pig>, GameError> {
    solve_game_with(Pig, &SolveOptions::default().with_sense(Sense::Min))
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    println!("{GOAL} points take {} turns in the mean", solved.start_value());
    println!("with no points, and 20 rolled in this turn: {:?}", solved.best(&State { points: 0, rolled: 20 })?);
    Ok(())
}
