//! Interfaces that few callers need. **Unstable**: they change with those callers.
//!
//! - Several models in one sweep: [`Variants`], and weights that are not chances ([`Meaning`]).
//! - Finished states with a payoff of their own, in place of the model's ([`EndPayoffs`], [`solve_with`]).
//! - Exact values of some states of a solution in floating point ([`exact_values_of`]).
//! - Visits of groups of states ([`Groups`]).
//! - The first states of a game, breadth first ([`explore_prefix`]), and the thread pool in which all of this runs
//!   ([`in_pool`]).
//! - The layout of a model in memory: [`Level`], [`Scc`], [`WeightTable`].

pub use crate::analysis::{Groups, exact_values_of};
pub use crate::explore::explore_prefix;
pub use crate::model::{Level, Meaning, Scc, WeightSlice, WeightTable};
pub use crate::solution::EndPayoffs;
pub use crate::solve::solve_with;
pub use crate::solve::variants::{Chances, VariantSolver, Variants};
pub use crate::support::{in_own_pool, in_pool};
