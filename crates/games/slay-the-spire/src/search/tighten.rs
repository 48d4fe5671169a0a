//! Better first bounds: from the same position with other healths, and from better positions.
//!
//! - With weaker enemies and all else equal a fight is worth at least as much ([`dominance`](crate::graph::dominance)).
//!   So an upper bound of such a fight's value holds for this one, too. Fights against enemies whose health is not
//!   known are solved from the lowest health on: then the bound is tight.
//! - Where nothing heals, more health is at least as good.
//! - Where only health counts, and only losses in the fight change it, the value of a policy with health h is the
//!   expectation of (h - X)+, where X is the loss of a player who cannot die. That is convex in h, and so is the
//!   maximum over policies: between two healths the value is at most that on the line between them; with health 0 it is
//!   0. And one more health is worth at most 1.
//!
//! - So where one more health is worth 1, all further health is worth as much: then nothing has to be searched. That is
//!   inferred from rounded numbers, so everything is solved a second time without it, which takes little time when
//!   values are known.
//!
//! A bound is computed when a position is about to be followed with a health for the first time.

use super::Search;
use super::known::After;
use crate::numbers::rounding::up;

impl Search<'_, '_> {
    /// Bounds an after node that was not followed with this health yet. Returns whether its value has fallen.
    pub(crate) fn tighten(&mut self, node: u32, health: i16) -> bool {
        if self.after.get(node, health).upper < f64::INFINITY {
            return false;
        }
        let mut known = self.bound_value(node, health);
        while self.graph.look_further(node) {
            let value = self.bound_value(node, health);
            if value < known {
                return true;
            }
            known = value;
        }
        let mut value = known.min(self.between(node, health));
        for better in self.graph.better(node) {
            value = value.min(self.after.get(better, health).upper).min(self.between(better, health));
        }
        self.after.at(node, health).upper = value;
        value < known
    }

    /// The value of an after node is at most that of a better one.
    pub(crate) fn bound_by(&mut self, node: u32, better: u32, health: i16) {
        let value = self.after_value(better, health).min(self.after_value(node, health));
        self.after.at(node, health).upper = value;
    }

    /// Whether values are convex in the health, and one more health is worth at most 1.
    pub(crate) fn convex(&self) -> bool {
        self.payoff.convex && !self.heals
    }

    /// The bound from the values with two other healths.
    fn between(&self, node: u32, health: i16) -> f64 {
        if self.heals || !self.payoff.is_monotone() {
            return f64::INFINITY;
        }
        let known = |cell: &(i16, After)| cell.1.upper < f64::INFINITY;
        let above = self.after.above(node, health).find(known).map(|(above, cell)| (above, cell.upper));
        if !self.convex() {
            return above.map_or(f64::INFINITY, |(_, high)| high);
        }
        let below = self.after.below(node, health).find(known).map(|(below, cell)| (below, cell.upper));
        let (below, low) = below.unwrap_or((0, 0.0));
        let from = f64::from(health - below);
        let most = up(low + from, 2);
        let Some((above, high)) = above else { return most };
        let to = f64::from(above - health);
        up((low * to + high * from) / (from + to), 4).min(most)
    }
}

#[cfg(test)]
mod tests;
