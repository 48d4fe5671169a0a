//! Fights against the published figures and plain recursions.

mod common;
mod heuristics;
mod paper;
mod special_rules;
