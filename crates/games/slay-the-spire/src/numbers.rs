//! Exact chances, fractions as people write them, and sums that are proved from one side.

pub mod chance;
pub mod fraction;
pub mod index;
pub mod rounding;
