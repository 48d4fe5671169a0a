//! Look-ahead by a few turns first.
//!
//! A depth-first search follows what looks best to its end before it learns that something else is better. So the upper
//! bound of a position is first updated by looking one turn ahead, then two, and so on (in longer strides where bounds
//! are close already): what one turn refutes is not followed any further. These are the same backups in another order,
//! so every value is an upper bound as before. It ends when one more turn changes nothing.
//!
//! Where play by the best choices ends within these turns, a position is solved: further turns, and the search from
//! upper bounds, skip it. Most positions are solved in this way.

use budget::{Budget, Stopped};

use super::Search;
use super::followed::Followed;
use super::known::After;
use crate::graph::choice::SearchState;

/// The most turns that are looked ahead. Fights that last longer do so rarely, or in cycles.
const MOST: u8 = 60;

impl Search<'_, '_> {
    /// Looks further and further ahead from states of which none is a successor of another.
    pub(crate) fn deepen(&mut self, starts: &[SearchState], budget: &Budget<'_>) -> Result<(), Stopped> {
        let Some(strides) = self.strides else { return Ok(()) };
        let further = |turns: &u8| Some(turns + turns.div_ceil(strides));
        for turns in std::iter::successors(Some(1), further).take_while(|turns| *turns <= MOST) {
            let known = self.graph.expanded();
            for start in starts {
                self.look_ahead(*start, turns, budget)?;
            }
            if self.graph.expanded() == known {
                break;
            }
        }
        Ok(())
    }

    /// The same from after nodes with these healths, all together, where none affects another: so a search that is
    /// stopped has covered all of them.
    pub(crate) fn deepen_together(&mut self, starts: &[(u32, i16)], budget: &Budget<'_>) -> Result<(), Stopped> {
        if starts.len() < 2 || starts.iter().any(|(node, _)| self.graph.compares(*node)) {
            return Ok(());
        }
        let mut states = Vec::new();
        for (node, health) in starts {
            self.ask(budget)?;
            self.open(*node);
            let rolls = self.graph.rolls_of(*node).unwrap_or_default();
            states.extend(rolls.iter().map(|(_, before)| (*before, *health)));
        }
        let looked = self.deepen(&states, budget);
        for (node, health) in starts {
            self.refresh(*node, *health);
        }
        looked
    }

    /// Updates a state by looking this many turns ahead. Returns whether its value has fallen.
    fn look_ahead(&mut self, state: SearchState, turns: u8, budget: &Budget<'_>) -> Result<bool, Stopped> {
        if self.is_seen(state, turns) {
            return Ok(false);
        }
        self.ask(budget)?;
        let (node, health) = state;
        self.graph.expand_within(node, budget)?;
        let before = self.upper(state);
        let mut followed = Followed::default();
        let mut ends = Vec::new();
        let value = self.look_through(state, &mut followed, |all| ends.push(all.after.len()));
        let mut begin = 0;
        let mut again = Followed::default();
        for (index, end) in self.graph.draws_of(node).unwrap_or_default().range().zip(ends) {
            let (_, point) = self.graph.items[index];
            let after = &followed.after[begin..end];
            begin = end;
            // As long as nothing changes, the choices remain the best.
            if self.still(after) && !self.look_ahead_of(after, turns, budget)? {
                continue;
            }
            loop {
                again.clear();
                self.memo.begin(self.graph.points_of(node));
                self.follow(point, health, &mut again);
                self.memo.end();
                if !self.look_ahead_of(&again.after, turns, budget)? {
                    break;
                }
            }
        }
        if followed.opened || !self.still(&followed.after) {
            self.backup(state, &mut followed);
        } else {
            self.lower(state, value);
        }
        // The look-ahead of the successors under the current best choices.
        let beyond = followed.after.iter().map(|(node, health, _)| self.after.get(*node, *health).ahead);
        let beyond = beyond.min().unwrap_or(After::PROVED);
        self.set_ahead(state, turns, beyond);
        Ok(self.upper(state) < before)
    }

    /// Updates the rolls of these after nodes by looking one turn less ahead. Returns whether the value of one of the
    /// nodes has then fallen.
    fn look_ahead_of(&mut self, after: &[(u32, i16, f64)], turns: u8, budget: &Budget<'_>) -> Result<bool, Stopped> {
        for (node, health, _) in after {
            if self.after.get(*node, *health).ahead >= turns - 1 {
                continue;
            }
            for index in self.graph.expand_after(*node).range() {
                let (_, before) = self.graph.outs[index];
                if self.look_ahead((before, *health), turns - 1, budget)? && !self.still(after) {
                    return Ok(true);
                }
            }
            self.after.at(*node, *health).ahead = self.looked_ahead(*node, *health, turns - 1);
        }
        Ok(!self.still(after))
    }

    /// Whether looking this many turns ahead shows nothing new for a state.
    fn is_seen(&self, state: SearchState, turns: u8) -> bool {
        self.ahead(state) >= turns || self.is_known(state)
    }
}

#[cfg(test)]
mod tests;
