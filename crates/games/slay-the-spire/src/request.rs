//! Requests: a fight as text, groups of enemies, a position as a file has it.

pub mod communication;
pub mod encounters;
pub mod fight_request;
pub mod group;
pub mod position;
pub mod run_file;
