//! What several verbs tell alike, to people and in JSON.

pub mod advice;
pub mod crowd;
pub mod curve;
pub mod draft;
pub mod journey;
pub mod places;
pub mod unsolved;
