//! Looking a few turns ahead first.
//!
//! Depth first, the search follows what looks best to its end before it learns that something else is better. So what a
//! position is worth at most is first brought up to date as far as one turn shows it, then two, and so on (in longer
//! strides where bounds are close already): what one turn refutes is not followed any further. These are backups in
//! another order and no others, so every value is an upper bound as before. It ends when one more turn shows nothing new.
//!
//! Where all that follows on the best choices comes to an end within the turns that are looked at, a position is solved
//! with that: further turns, and the search from upper bounds, look at it no more. Most positions are solved so.

use budget::{Budget, Stopped};

use super::Search;
use super::followed::Followed;
use super::known::After;
use crate::graph::choice::Place;

/// Turns that are looked ahead at most. Fights that go on for longer do so rarely, or in circles.
const MOST: u8 = 60;

impl Search<'_, '_> {
    /// Looks further and further ahead from places that follow each other in no way.
    pub(crate) fn deepen(&mut self, starts: &[Place], budget: &Budget<'_>) -> Result<(), Stopped> {
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

    /// The same from after nodes with these healths, side by side, where none of them says anything of the others: so
    /// a search that is stopped has looked at all of them.
    pub(crate) fn deepen_together(&mut self, starts: &[(u32, i16)], budget: &Budget<'_>) -> Result<(), Stopped> {
        if starts.len() < 2 || starts.iter().any(|(node, _)| self.graph.compares(*node)) {
            return Ok(());
        }
        let mut places = Vec::new();
        for (node, health) in starts {
            self.ask(budget)?;
            self.open(*node);
            let rolls = self.graph.rolls_of(*node).unwrap_or_default();
            places.extend(rolls.iter().map(|(_, before)| (*before, *health)));
        }
        let looked = self.deepen(&places, budget);
        for (node, health) in starts {
            self.refresh(*node, *health);
        }
        looked
    }

    /// Brings a place up to date with what so many turns show. Says whether it is worth less than it was.
    fn look_ahead(&mut self, place: Place, turns: u8, budget: &Budget<'_>) -> Result<bool, Stopped> {
        if self.is_seen(place, turns) {
            return Ok(false);
        }
        self.ask(budget)?;
        let (node, health) = place;
        self.graph.expand_within(node, budget)?;
        let before = self.upper(place);
        let mut followed = Followed::default();
        let mut ends = Vec::new();
        let value = self.look_through(place, &mut followed, |all| ends.push(all.after.len()));
        let mut begin = 0;
        let mut again = Followed::default();
        for (index, end) in self.graph.draws_of(node).unwrap_or_default().range().zip(ends) {
            let (_, point) = self.graph.items[index];
            let after = &followed.after[begin..end];
            begin = end;
            // As long as nothing changes, the choices stay the best.
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
            self.backup(place, &mut followed);
        } else {
            self.lower(place, value);
        }
        // What follows on the best choices, as they are now.
        let beyond = followed.after.iter().map(|(node, health, _)| self.after.get(*node, *health).ahead);
        let beyond = beyond.min().unwrap_or(After::PROVED);
        self.set_ahead(place, turns, beyond);
        Ok(self.upper(place) < before)
    }

    /// Brings what can be rolled at these after nodes up to date with what one turn less shows. Says whether one of them is
    /// then worth less than it seemed.
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

    /// Whether so many turns show nothing new of a place.
    fn is_seen(&self, place: Place, turns: u8) -> bool {
        self.ahead(place) >= turns || self.is_known(place)
    }
}

#[cfg(test)]
mod tests;
