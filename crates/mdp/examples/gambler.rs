//! A gambler at an unfair table: a game with loops.
//!
//! He wants ten crowns and has five. A bet is won twice in five times; he stakes one crown, or all that can be of
//! use. Crowns come and go, so play can return to where it was.

use std::error::Error;

use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, Weight, explore, forward_exact, ratio, solve};

const GOAL: u8 = 10;

struct Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stake {
    One,
    All,
}

impl Game for Table {
    /// His crowns.
    type State = u8;
    type Action = Stake;

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::certain(GOAL / 2)]
    }

    fn rules(&self, &crowns: &u8, turn: &mut Turn<u8, Stake>) {
        match crowns {
            0 => return turn.end(0),
            GOAL => return turn.end(1),
            _ => {}
        }
        for (action, stake) in [(Stake::One, 1), (Stake::All, crowns.min(GOAL - crowns))] {
            turn.choice(action).chance([(crowns + stake, Weight(2)), (crowns - stake, Weight(3))]);
        }
    }
}

/// Prints how likely he gets his crowns from every sum, and by how many plays come by it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let space = explore(&Table, &ExploreOptions::default())?;
    println!("states that lead to each other: {}", space.model().counts().largest_part);
    let solution = solve(space.model(), &SolveOptions::exact())?;
    let visits = forward_exact(&solution, &space.starts()[0], None)?;
    for crowns in 0..=GOAL {
        let state = space.number_of(&crowns).ok_or("every sum comes up")?;
        let (value, visited) = (solution.value(state), visits.probability(state));
        println!("{crowns:2} crowns: wins {:.4}, visited by {:.4}", value.decimal(), visited.decimal());
    }
    // Bold play is best, as Dubins and Savage proved: all or nothing from five crowns.
    assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(ratio(2, 5)));
    Ok(())
}
