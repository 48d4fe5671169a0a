//! This crate solves finite Markov decision processes: games of one player against chance with states, choices, chances
//! and payoffs, exactly or within proven bounds. It knows no particular game, no file format, and nothing about how
//! answers are printed. Start reading at [`Solved`], which everything else serves, then at [`Game`] and [`solve()`].
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
//! The folder `examples` has more: games with cycles, games with rewards, classics with their published values.
//!
//! # How it works
//!
//! [`Solved`] combines these steps. Each can be called alone, with numbers in place of states and choices, and with a
//! budget of its own: [`Game`] (rules) → [`explore()`] → [`StateSpace`] (states, and a [`Model`]: flat arrays in
//! solving order) → [`solve()`] → [`Solution`] (values, best choices, a [`Policy`]) → [`advise()`], [`visit_probabilities()`],
//! [`simulate()`]. A model can also be built from numbers by a [`ModelBuilder`].
//!
//! # What the numbers mean
//!
//! - A finished state pays an exact fraction, which may be negative, and a choice can have an immediate reward
//!   ([`Turn::earn`]). The value of a play is the total of its rewards and the payoff at its end. A play that never
//!   ends has no payoff, so without rewards its value is 0. Where rewards are earned again and again without end the
//!   value is infinite ([`Value::is_infinite`]): for the states that reach such a cycle, and no others. To minimise the
//!   cost of reaching a goal, require that play [must end](SolveOptions::must_end).
//! - Several payoffs in order ([`Turn::end_ordered`]) are optimised one after the other: the second only among the
//!   choices that are best in the first.
//! - Best play is best over all policies, including those that depend on the past or choose at random; in these games a
//!   fixed choice for every state always attains it.
//! - An exact solution proves its ties: [`Solution::best`] contains exactly the choices that attain the value. In
//!   floating point it contains every choice that the bounds cannot rule out.
//! - The rule of [`Policy`] determines which of several best choices a play takes, so the probabilities of visiting
//!   states are well defined.

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
    Advice, Dice, SimulateOptions, Simulation, Standing, VisitProbabilities, advise, exact_visit_probabilities,
    simulate, visit_probabilities,
};
pub use builder::{BuildError, Built, ModelBuilder};
/// Integers of any size, for weights that do not fit 64 bits.
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
