//! A fight against one enemy is first solved against weaker ones.
//!
//! What a fight against a weaker enemy is worth bounds the fight against a stronger one
//! ([`tighten`](super::tighten)), and the closer they are, the better. So the same fight is solved from a beginning with
//! little health of the enemy, then with a little more, up to what it has. Each time what follows first was looked at
//! before, against an enemy that is a few points weaker. These are the same backups from other beginnings, so every
//! value is an upper bound as before.

use budget::{Budget, Stopped};

use super::Search;
use crate::rules::state::{Enemy, State};

/// So much more health the enemy has each time.
const STEP: usize = 4;
/// A fight against an enemy with more health hardly ever ends in time, so its beginning is looked at instead.
const TOUGHEST: u16 = 120;

impl Search<'_, '_> {
    /// Solves what begins like this with less and less health missing to the only enemy, for who has `health`; nothing
    /// where there are several enemies, or where weaker ones say nothing.
    pub(crate) fn climb(&mut self, start: &State, health: i16, budget: &Budget<'_>) -> Result<(), Stopped> {
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
            // However far the search comes: the fight itself is worth no more.
            self.bound_by(top, node, health);
        }
        Ok(())
    }
}
