//! Finite Markov decision processes of one player against chance, solved exactly.
//!
//! You describe a game by its rules; the engine finds every state that can be reached, solves the
//! loops instead of cutting them, and tells for every state what it is worth under best play, which
//! choices are best (all of them), and how likely play comes by. Numbers are exact fractions, or
//! floating point within bounds that provably hold.
//!
//! # A game in forty lines
//!
//! Pig, the dice game, for one player: reach 50 points within 5 turns. In a turn you roll as often
//! as you like, and what you rolled is yours when you hold, but a one ends the turn with nothing.
//!
//! ```
//! use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, advise, explore, forward_exact, solve};
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
//! let space = explore(&Pig, &ExploreOptions::default())?;
//! let solution = solve(space.model(), &SolveOptions::exact())?;
//!
//! // The odds, exactly.
//! let start = &space.starts()[0];
//! let odds = solution.value_of(start);
//! assert!((odds.decimal() - 0.545_960_779_204_582_5).abs() < 1e-15);
//! assert_eq!(odds.exact.map(|odds| odds.to_string().len()), Some(142));
//!
//! // What to do with 20 rolled, 10 points short, and three turns left?
//! let now = State { turns: 3, points: 20, rolled: 20 };
//! let state = space.number_of(&now).expect("can be reached");
//! let advice = advise(&solution, state, None)?;
//! assert_eq!(Pig.actions(&now)[advice[0].choice as usize], Some(Action::Hold));
//!
//! // How likely is it to come to the last turn?
//! let visits = forward_exact(&solution, start, None)?;
//! let by_turns = visits.by_key(|state| space.state(state).turns)?;
//! assert!((by_turns[&1].decimal() - 0.609_189_937_315_955_3).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of the data
//!
//! [`Game`] (rules) → [`explore()`] → [`StateSpace`] (states, and a [`Model`]: flat arrays in
//! solving order) → [`solve()`] → [`Solution`] (values, best choices, a [`Policy`]) →
//! [`advise()`], [`forward()`], [`simulate()`], [`Saved`]. A model can also be built from numbers by a
//! [`ModelBuilder`].
//!
//! # What the numbers mean
//!
//! - A finished state pays an exact fraction, which may be negative; a play that never ends pays 0.
//!   Several payoffs in order ([`Turn::end_ordered`]) are optimised one after the other: the second
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
mod save;
mod solution;
mod solve;
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
pub use save::{Identity, SaveError, Saved};
pub use solution::{ChoiceSets, Policy, Sense, Solution, SolveError};
pub use solve::{Method, PRECISION, SolveOptions, evaluate, solve};
