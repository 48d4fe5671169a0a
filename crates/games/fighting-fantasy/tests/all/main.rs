//! Fights against the published figures and direct recursions.

mod common;
mod heuristics;
mod paper;
mod special_rules;
