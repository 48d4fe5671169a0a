//! Finite Markov decision processes of one player against chance, solved exactly.

mod builder;
mod distribution;
mod explore;
mod game;
mod limits;
mod model;
mod order;
mod rational;
mod space;
mod weights;

pub use builder::{BuildError, Built, ModelBuilder};
pub use distribution::{Distribution, DistributionError};
pub use explore::{ExploreError, ExploreOptions, explore};
pub use game::{Game, Turn};
pub use limits::{Limits, Progress, Stage, Stopped, UNWATCHED, Watch, bytes};
pub use model::{Choice, Choices, Counts, Level, Model, StateId};
pub use rational::{Rational, enclose, exactly, nearest, ratio};
pub use space::StateSpace;
pub use weights::{CERTAIN, WeightSlice, WeightTable, WeightsId};
