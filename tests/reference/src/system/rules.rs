//! A book with a system of rules, as it is played.

use gamebook::{Book, System};

use super::task::State;
use crate::graph;

/// What happens in a situation.
pub type Turn<'b> = graph::Turn<State<'b>>;

/// A book, how it is read, and what the player has made up his mind to do.
pub struct Rules<'b> {
    pub book: &'b Book,
    pub system: &'b System,
    pub readings: Vec<usize>,
    pub policy: &'b [gamebook::PolicyRule],
}
