//! This crate knows states, choices, chances and payoffs: finite Markov decision processes of one player against chance, and
//! how to solve them, exactly or within bounds that provably hold. It must never know a particular game, a file format, or how
//! an answer is printed. Start reading at [`Solved`], which is what everything else is for, then at [`Game`] and [`solve()`].
//!
//! # A game in thirty lines
//!
//! Pig, the dice game, for one player: reach 50 points within 5 turns. In a turn you roll as often
//! as you like, and what you rolled is yours when you hold, but a one ends the turn with nothing.
//!
//! ```
//! use mdp::{Distribution, Game, SolveOptions, Turn, solve_game_with};
//!
//! struct Pig;
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
//! struct State { turns: u8, points: u8, rolled: u8 }
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! enum Action { Roll, Hold }
//!
//! impl Game for Pig {
//!     type State = State;
//!     type Action = Action;
//!
//!     fn starts(&self) -> Vec<Distribution<State>> {
//!         vec![Distribution::certain(State { turns: 5, points: 0, rolled: 0 })]
//!     }
//!
//!     fn rules(&self, &State { turns, points, rolled }: &State, turn: &mut Turn<State, Action>) {
//!         if points + rolled >= 50 {
//!             return turn.end(1);
//!         }
//!         if turns == 0 {
//!             return turn.end(0);
//!         }
//!         // A one loses what was rolled, and the turn.
//!         turn.choice(Action::Roll).uniform((1..=6).map(|eyes| match eyes {
//!             1 => State { turns: turns - 1, points, rolled: 0 },
//!             _ => State { turns, points, rolled: rolled + eyes },
//!         }));
//!         if rolled > 0 {
//!             turn.choice(Action::Hold).to(State { turns: turns - 1, points: points + rolled, rolled: 0 });
//!         }
//!     }
//! }
//!
//! let solved = solve_game_with(&Pig, &SolveOptions::exact())?;
//!
//! // The odds, exactly: a fraction of 142 characters.
//! let odds = solved.start_value();
//! assert!((odds.decimal() - 0.545_960_779_204_582_5).abs() < 1e-15);
//! assert_eq!(odds.exact.map(|odds| odds.to_string().len()), Some(142));
//!
//! // What to do with 20 rolled, 10 points short, and three turns left?
//! let now = State { turns: 3, points: 20, rolled: 20 };
//! assert_eq!(solved.best(&now)?, [Action::Hold]);
//!
//! // What is every choice worth there, and where does it lead?
//! for choice in solved.choices(&now)? {
//!     println!("{:?} is worth {}, and leads to {:?}", choice.action, choice.value, choice.outcomes);
//! }
//!
//! // How likely does it come to the last turn?
//! let by_turns = solved.visits()?.by_key(|state| state.turns)?;
//! assert!((by_turns[&1].decimal() - 0.609_189_937_315_955_3).abs() < 1e-15);
//!
//! // One play with dice, and the likeliest way to win.
//! for step in solved.play(1) {
//!     println!("{:?}: {:?}", step.state, step.action);
//! }
//! assert!(solved.path_to(|state| state.points + state.rolled >= 50).is_some());
//! # Ok::<(), mdp::GameError>(())
//! ```
//!
//! The folder `examples` has more: games that go round, games with rewards, classics with their published values.
//!
//! # What stands behind it
//!
//! [`Solved`] puts together what can be had one by one, with numbers in place of states and choices, and budgets for each step:
//! [`Game`] (rules) → [`explore()`] → [`StateSpace`] (states, and a [`Model`]: flat arrays in
//! solving order) → [`solve()`] → [`Solution`] (values, best choices, a [`Policy`]) →
//! [`advise()`], [`forward()`], [`simulate()`]. A model can also be built from numbers by a
//! [`ModelBuilder`].
//!
//! # What the numbers mean
//!
//! - A finished state pays an exact fraction, which may be negative, and a choice can earn something at once ([`Turn::earn`]).
//!   A play is worth all that it earns, and what its end pays; one that never ends has no end that pays, so without rewards it
//!   is worth 0. Where something is earned again and again without end the value is infinite ([`Value::is_infinite`]): of the
//!   states that come there, and of no others. Who pays for every step and wants to arrive says that play
//!   [must end](SolveOptions::must_end).
//! - Several payoffs in order ([`Turn::end_ordered`]) are optimised one after the other: the second
//!   only among what is best in the first.
//! - Best play is best over all policies, also those that remember the past or throw dice; in these
//!   games a fixed choice for every state always attains it.
//! - An exact solution proves its ties: [`Solution::best`] holds every choice that attains the value
//!   and no other. A solution in floating point holds every choice that its bounds cannot rule out.
//! - Which of several best choices a play takes is settled by the rule of [`Policy`], so that
//!   probabilities along the way are determined.

mod analysis;
mod builder;
mod explore;
mod game;
mod linear;
mod model;
mod numbers;
mod order;
mod solution;
mod solve;
mod solved;
mod support;

pub mod advanced;
pub mod rows;

pub use analysis::{
    Advice, Dice, Forward, SimulateOptions, Simulation, Standing, advise, forward, forward_exact, simulate,
};
pub use builder::{BuildError, Built, ModelBuilder};
/// Integers of any size, in which weights are given that do not fit 64 bits.
pub use dashu_int::UBig;
pub use explore::{ExploreError, ExploreOptions, explore};
pub use game::{Game, Turn};
pub use model::{
    Choice, Choices, Counts, Distribution, DistributionError, Model, SharedWeights, StateId, StateSpace, Targets,
    Weight, WeightsId,
};
pub use numbers::{
    Number, Probability, Rational, Value, decimal_text, enclose, exactly, fraction_text, nearest, parse_fraction, ratio,
};
pub use solution::{ChoiceSets, Policy, Sense, Solution, SolveError};
pub use solve::{Method, PRECISION, SolveOptions, evaluate, solve};
pub use solved::{GameError, Path, Play, Solved, SolvedChoice, Step, Visits, solve_game, solve_game_with};
