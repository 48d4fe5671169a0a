//! What few callers need. **Unstable**: it changes with those who do.
//!
//! - Several models in one sweep: [`Variants`], and weights that say something else than chances ([`Meaning`]).
//! - Finished states that look the same to their model, and pay something each ([`EndPayoffs`], [`solve_with`]).
//! - Floating point made exact for some states ([`settle_values`]).
//! - Visits by groups of states ([`Groups`]).
//! - The first states of a game ([`found_first`]), and the threads on which all of this runs ([`in_pool`]).
//! - How a model lies in memory: [`Level`], [`CyclicPart`], [`WeightTable`].

pub use crate::analysis::{Groups, settle_values};
pub use crate::explore::found_first;
pub use crate::model::{CyclicPart, Level, Meaning, WeightSlice, WeightTable};
pub use crate::solution::EndPayoffs;
pub use crate::solve::solve_with;
pub use crate::solve::variants::{Chances, VariantSolver, Variants};
pub use crate::support::{in_own_pool, in_pool};
