//! A path through the boat.

use crate::board::Board;
use crate::turn::{Action, Boat, Illegal};

/// A cheapest path to one final room and one state of all rooms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rooms to which it turns, one after the other, as indices into [`Board::rooms`] (see [`Boat::step`]).
    pub steps: Vec<usize>,
    /// Its cost in minutes.
    pub minutes: u32,
}

impl Plan {
    /// Plays the plan on the board for which it was made: what happens, and the boat afterwards.
    ///
    /// # Errors
    /// When the rules forbid a step, as they may on another board.
    pub fn play<'b>(&self, board: &'b Board) -> Result<(Vec<Action>, Boat<'b>), Illegal> {
        let mut boat = Boat::new(board);
        let mut actions = Vec::with_capacity(2 * self.steps.len());
        for &to in &self.steps {
            boat.step(to, &mut actions)?;
        }
        Ok((actions, boat))
    }
}
