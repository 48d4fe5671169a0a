//! Finite Markov decision processes of one player against chance, solved exactly.

mod advise;
mod best;
mod bounds;
mod builder;
mod distribution;
mod exact;
mod explore;
mod forward;
mod game;
mod limits;
mod linear;
mod model;
mod order;
mod part;
mod policy;
mod rational;
mod settle;
mod simulate;
mod solve;
mod space;
mod weights;

pub use advise::{Advice, advise};
pub use best::ChoiceSets;
pub use builder::{BuildError, Built, ModelBuilder};
pub use distribution::{Distribution, DistributionError};
pub use explore::{ExploreError, ExploreOptions, explore};
pub use forward::{Forward, Probability, forward, forward_exact};
pub use game::{Game, Turn};
pub use limits::{Limits, Progress, Stage, Stopped, UNWATCHED, Watch, bytes};
pub use model::{Choice, Choices, Counts, Level, Model, StateId};
pub use policy::Policy;
pub use rational::{Rational, enclose, exactly, nearest, ratio};
pub use simulate::{Dice, SimulateOptions, Simulation, simulate};
pub use solve::{Sense, Solution, SolveError, SolveOptions, Value, evaluate, solve};
pub use space::StateSpace;
pub use weights::{CERTAIN, WeightSlice, WeightTable, WeightsId};
