//! Simulation of fights that are too large for a search: intervals that are wrong in less than one run in ten thousand.
//!
//! From below: a policy without foresight is played in many worlds ([`policy`]); its parameters come from other worlds
//! ([`training`]). The luck of the rolls and draws is subtracted, which has mean 0 ([`stakes`]): the difference varies
//! less. From above: in each of many worlds the best result of a player who foresees all random outcomes
//! ([`hindsight`]). [`confidence`] bounds both means.

pub mod compare;
pub mod confidence;
pub mod estimate;
pub mod hindsight;
pub mod policy;
pub mod regression;
pub mod sampled;
pub mod stakes;
pub mod training;
pub mod turn;
