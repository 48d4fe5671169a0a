//! Gambler's ruin: a walk that ends at 0 or at the goal, compared with its closed form. There are no choices.
//!
//! At roulette a crown on red is won with probability 18/38. What is the probability of reaching the goal before all
//! crowns are lost, and how many bets does it take?

use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, Weight, solve_game_with};

pub(crate) const GOAL: u8 = 20;

/// What is counted.
#[derive(Clone, Copy)]
pub(crate) enum Roulette {
    /// Reaching the goal: the value is a probability.
    Wins,
    /// Bets: the value is a number of them.
    Bets,
}

impl Game for Roulette {
    /// Crowns.
    type State = u8;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::certain(GOAL / 2)]
    }

    fn rules(&self, &crowns: &u8, turn: &mut Turn<u8>) {
        if crowns == 0 || crowns == GOAL {
            return turn.end(u8::from(matches!(self, Self::Wins) && crowns == GOAL));
        }
        let bets = u8::from(matches!(self, Self::Bets));
        turn.earn(bets).chance([(crowns + 1, Weight(18)), (crowns - 1, Weight(20))]);
    }
}

pub(crate) fn solved(counted: Roulette) -> Result<Solved<Roulette>, GameError> {
    solve_game_with(counted, &SolveOptions::exact())
}

pub(crate) fn main() -> Result<(), GameError> {
    let (wins, bets) = (solved(Roulette::Wins)?, solved(Roulette::Bets)?);
    // (1 - r^i) / (1 - r^n) with r = 20/18.
    let closed_form =
        |crowns: u8| (1.0 - (20.0_f64 / 18.0).powi(crowns.into())) / (1.0 - (20.0_f64 / 18.0).powi(GOAL.into()));
    for crowns in 1..GOAL {
        let (won, bets) = (wins.value(&crowns)?, bets.value(&crowns)?);
        println!("{crowns:2} crowns: won with {won:.4} ({:.4}), after {:.1} bets", closed_form(crowns), bets.decimal());
    }
    Ok(())
}
