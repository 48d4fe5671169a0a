//! Finite Markov decision processes of one player against chance, solved exactly.

mod distribution;
mod game;
mod rational;

pub use distribution::{Distribution, DistributionError};
pub use game::{Game, Turn};
pub use rational::{Rational, enclose, exactly, nearest, ratio};
