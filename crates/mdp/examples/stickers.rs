//! A collection of stickers for as little money as possible: a game with rewards.
//!
//! Six stickers make the album full. A packet costs one coin and holds any of them, so it may hold one that you
//! have; a missing one from the shop costs three. What you pay is what a choice earns, and less is better.

use std::error::Error;

use mdp::{Distribution, ExploreOptions, Game, Sense, SolveOptions, Turn, Weight, explore, ratio, solve};

const STICKERS: u8 = 6;

struct Album;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Buy {
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

/// Prints what to buy, and what it costs in the mean from there on.
pub fn main() -> Result<(), Box<dyn Error>> {
    let space = explore(&Album, &ExploreOptions::default())?;
    let solution = solve(space.model(), &SolveOptions::exact().with_sense(Sense::Min))?;
    for missing in (1..=STICKERS).rev() {
        let state = space.number_of(&missing).ok_or("every number of missing stickers comes up")?;
        let actions = Album.actions(&missing);
        let best: Vec<Buy> = solution.best().of(state).filter_map(|choice| actions[choice as usize]).collect();
        println!("{missing} missing: {best:?}, {} coins", solution.value(state));
        // Two missing: a packet costs three coins in the mean for each sticker that is found, as the shop does.
        let expected: &[Buy] = match missing {
            1 => &[Buy::Missing],
            2 => &[Buy::Packet, Buy::Missing],
            _ => &[Buy::Packet],
        };
        assert_eq!(best, expected);
    }
    assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(ratio(117, 10)));
    Ok(())
}
