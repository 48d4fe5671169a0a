//! Pig, the dice game, against the clock: a game without loops.
//!
//! Reach 50 points within five turns. In a turn you roll as often as you like, and what you rolled is yours when
//! you hold, but a one ends the turn with nothing.

use std::error::Error;

use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, advise, explore, solve};

const GOAL: u8 = 50;
const TURNS: u8 = 5;

struct Pig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    turns: u8,
    points: u8,
    rolled: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Roll,
    Hold,
}

impl Game for Pig {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State { turns: TURNS, points: 0, rolled: 0 })]
    }

    fn rules(&self, &State { turns, points, rolled }: &State, turn: &mut Turn<State, Action>) {
        if points + rolled >= GOAL {
            return turn.end(1);
        }
        if turns == 0 {
            return turn.end(0);
        }
        turn.choice(Action::Roll).uniform((1..=6).map(|eyes| match eyes {
            1 => State { turns: turns - 1, points, rolled: 0 },
            _ => State { turns, points, rolled: rolled + eyes },
        }));
        if rolled > 0 {
            turn.choice(Action::Hold).to(State { turns: turns - 1, points: points + rolled, rolled: 0 });
        }
    }
}

/// Prints how good the chances are, and up to where it is best to roll.
pub fn main() -> Result<(), Box<dyn Error>> {
    let space = explore(&Pig, &ExploreOptions::default())?;
    let solution = solve(space.model(), &SolveOptions::exact())?;
    let odds = solution.value_of(&space.starts()[0]);
    println!("{GOAL} points in {TURNS} turns: {:.4} % of all plays", 100.0 * odds.decimal());
    assert!((odds.decimal() - 0.545_960_779_204_582_5).abs() < 1e-15);

    for turns in (1..=TURNS).rev() {
        let holds = |rolled: u8| {
            let state = State { turns, points: 20, rolled };
            let Some(number) = space.number_of(&state) else { return Ok(false) };
            let best = &advise(&solution, number, None)?[0];
            Ok::<_, Box<dyn Error>>(Pig.actions(&state)[best.choice as usize] == Some(Action::Hold))
        };
        let mut first = 2;
        while first < GOAL - 20 && !holds(first)? {
            first += 1;
        }
        println!("with 20 points and {turns} turns left: roll until {first}");
    }
    Ok(())
}
