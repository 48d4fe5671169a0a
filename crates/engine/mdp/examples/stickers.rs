//! A collection of stickers for as little money as possible: a game with rewards.
//!
//! Six stickers make the album full. A packet costs one coin and holds any of them, so it may hold one that you have; a
//! missing one from the shop costs three. The reward of a choice is its price, and the total is minimised.

use mdp::{Distribution, Game, GameError, Sense, SolveOptions, Solved, Turn, Weight, solve_game_with};

const STICKERS: u8 = 6;

pub(crate) struct Album;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Buy {
    Packet,
    Missing,
}

impl Game for Album {
    /// How many stickers are missing.
    type State = u8;
    type Action = Buy;

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::certain(STICKERS)]
    }

    fn rules(&self, &missing: &u8, turn: &mut Turn<u8, Buy>) {
        if missing == 0 {
            return turn.end(0);
        }
        let found = (missing - 1, Weight(missing.into()));
        let known = (missing, Weight((STICKERS - missing).into()));
        turn.choice(Buy::Packet).earn(1).chance([found, known]);
        turn.choice(Buy::Missing).earn(3).to(missing - 1);
    }
}

pub(crate) fn solved() -> Result<Solved<Album>, GameError> {
    solve_game_with(Album, &SolveOptions::exact().with_sense(Sense::Min))
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    for missing in (1..=STICKERS).rev() {
        println!("{missing} missing: {:?}, {} coins", solved.best(&missing)?, solved.value(&missing)?);
    }
    Ok(())
}
