//! Sweeps over all states in floating point, from the ends backwards: bounds of every value, and the choices that could
//! be best. The proof is in `bounds.rs`.

mod intervals;
mod level_sccs;
mod rounded;

pub(crate) use intervals::sweep_intervals;
pub(crate) use rounded::sweep_rounded;
