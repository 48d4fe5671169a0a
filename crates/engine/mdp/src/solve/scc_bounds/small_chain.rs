//! The chain that a policy makes of a small part, eliminated: parts that say the same are often played by the same policy.

use super::elimination::{Factors, Sparse};
use super::small_options::{NONE, SmallPart};
use crate::linear::Effort;
use crate::support::id;

/// The equations of the latest policy, ready to be solved; reused.
#[derive(Default)]
pub(super) struct SmallChain {
    policy: Vec<u32>,
    factors: Option<Factors>,
    rows: Vec<Vec<(u32, f64)>>,
    exits: Vec<f64>,
}

impl SmallChain {
    /// Another part is looked at.
    pub(super) fn clear(&mut self) {
        self.policy.clear();
        self.factors = None;
    }

    /// Puts the values of a policy in their places, where the states' options bring so much from outside. Says whether that
    /// could be done: who leaves the part by that policy does so with probability 1.
    pub(super) fn solve(
        &mut self,
        part: &SmallPart,
        policy: &[u32],
        outside: impl Iterator<Item = f64>,
        values: &mut Vec<f64>,
        effort: Effort<'_>,
    ) -> bool {
        if policy.contains(&NONE) {
            return false;
        }
        if self.policy != policy {
            self.policy.clear();
            self.policy.extend_from_slice(policy);
            self.factors = self.eliminate(part, effort);
        }
        let Some(factors) = &self.factors else { return false };
        *values = factors.solve(outside.collect());
        true
    }

    fn eliminate(&mut self, part: &SmallPart, effort: Effort<'_>) -> Option<Factors> {
        let count = self.policy.len();
        self.rows.resize_with(count, Vec::new);
        self.exits.clear();
        for (row, option) in self.rows.iter_mut().zip(&self.policy) {
            row.clear();
            row.extend_from_slice(part.inner(*option));
            self.exits.push(part.exit(*option));
        }
        Sparse::new(&self.rows, &self.exits, (0..id(count)).collect(), effort).ok().map(Factors::Sparse)
    }
}
