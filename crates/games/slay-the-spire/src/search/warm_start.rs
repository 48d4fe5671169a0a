//! A fight against one enemy is first solved against weaker ones.
//!
//! The value of a fight against a weaker enemy bounds that of a fight against a stronger one
//! ([`tighten`](super::tighten)), and the closer they are, the better. So the same fight is solved with little health
//! of the enemy at first, then with a little more, up to its actual health. Each time the first successors have been
//! visited before, against an enemy that is a few points weaker. These are the same backups from other beginnings, so
//! every value is an upper bound as before.

use budget::{Budget, Stopped};

use super::Search;
use crate::rules::state::{Enemy, State};

/// How much more health the enemy has each time.
const STEP: usize = 4;
/// A fight against an enemy with more health hardly ever finishes in time, so its beginning is searched instead.
const TOUGHEST: u16 = 120;

impl Search<'_, '_> {
    /// Solves this beginning with less and less health missing from the only enemy, for a player with `health`; does
    /// nothing for several enemies, or where comparisons with weaker ones are invalid.
    pub(crate) fn warm_start(&mut self, start: &State, health: i16, budget: &Budget<'_>) -> Result<(), Stopped> {
        let top = self.graph.after_node(start);
        let mut standing = start.enemies.iter().flatten();
        let (Some(enemy), None) = (standing.next(), standing.next()) else { return Ok(()) };
        if enemy.health > TOUGHEST || !self.graph.compares(top) {
            return Ok(());
        }
        self.look_ahead_first();
        let lower: Vec<u16> = (1..enemy.health).rev().step_by(STEP).collect();
        for less in lower.into_iter().rev() {
            let mut weaker = *start;
            weaker.enemies[0] = Some(Enemy { health: less, ..*enemy });
            let node = self.graph.after_node(&weaker);
            self.solve(node, health, budget)?;
            // However far the search gets, this bound holds for the fight itself.
            self.bound_by(top, node, health);
        }
        Ok(())
    }
}
