//! Parts of answers shared by several verbs, as text and JSON.

pub mod advice;
pub mod curve;
pub mod draft;
pub mod journey;
pub mod places;
pub mod too_large;
pub mod unsolved;
