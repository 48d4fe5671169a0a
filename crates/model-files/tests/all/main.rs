//! Files of models, whole and damaged.

mod blocks;
mod drn;
mod fuzz;
mod umb;
