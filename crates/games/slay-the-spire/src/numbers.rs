//! Exact chances, fractions as people write them, and sums with proven rounding.

pub mod chance;
pub mod fraction;
pub mod index;
pub mod rounding;
