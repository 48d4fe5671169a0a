//! Chutes and Ladders, as Milton Bradley sells it: how many moves does a child need alone?
//!
//! Play begins beside the board and ends on square 100, which must be met exactly: a spin that would lead beyond is a
//! move without a step. A child that lands at the foot of a ladder or the head of a chute goes to its other end at
//! once.

use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, solve_game_with};

const LADDERS: [(u8, u8); 9] = [(1, 38), (4, 14), (9, 31), (21, 42), (28, 84), (36, 44), (51, 67), (71, 91), (80, 100)];
const CHUTES: [(u8, u8); 10] =
    [(16, 6), (47, 26), (49, 11), (56, 53), (62, 19), (64, 60), (87, 24), (93, 73), (95, 75), (98, 78)];

pub(crate) struct ChutesAndLadders;

impl Game for ChutesAndLadders {
    /// The square, 0 beside the board.
    type State = u8;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::certain(0)]
    }

    fn rules(&self, &square: &u8, turn: &mut Turn<u8>) {
        if square == 100 {
            return turn.end(0);
        }
        turn.earn(1).uniform((1..=6).map(|spin| {
            let to = if square + spin > 100 { square } else { square + spin };
            LADDERS.iter().chain(&CHUTES).find(|(from, _)| *from == to).map_or(to, |(_, end)| *end)
        }));
    }
}

pub(crate) fn solved() -> Result<Solved<ChutesAndLadders>, GameError> {
    solve_game_with(ChutesAndLadders, &SolveOptions::exact())
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    println!("moves in the mean: {}", solved.start_value());
    if let Some(path) = solved.path_to(|square| *square == 100) {
        let squares: Vec<u8> = path.steps.iter().map(|step| step.state).collect();
        println!("the likeliest way: {squares:?}, with {}", path.probability.decimal());
    }
    Ok(())
}
