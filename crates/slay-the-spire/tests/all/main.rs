//! The fight of the talk, against its reference and brute force.

mod brute_force;
mod reference;
