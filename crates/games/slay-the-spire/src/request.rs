//! What is asked: a fight as people say it, groups of enemies, a position as a file writes it.

pub mod encounters;
pub mod fight_request;
pub mod group;
pub mod position;
