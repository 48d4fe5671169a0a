//! Fights that no search gets through, simulated: intervals that are wrong in less than one run in ten thousand.
//!
//! From below: a way to play that does not look ahead is played in many worlds ([`policy`]); its parameters come from other
//! worlds ([`training`]). How lucky the rolls and draws were is taken off, which is 0 on average ([`stakes`]): what is left varies
//! less. From above: in each of many worlds the best that can be done by who sees all that chance will decide
//! ([`hindsight`]). Of both means [`confidence`] says what they are at least and at most.

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
