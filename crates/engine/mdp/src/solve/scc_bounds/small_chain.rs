//! The Markov chain that a policy induces in a small component, eliminated: isomorphic components often share a policy.

use super::elimination::{Factors, Sparse};
use super::small_options::{NONE, SmallScc};
use crate::linear::Effort;
use crate::support::id;

/// The equations of the latest policy, to be solved for any right-hand side; reused.
#[derive(Default)]
pub(super) struct SmallChain {
    policy: Vec<u32>,
    factors: Option<Factors>,
    rows: Vec<Vec<(u32, f64)>>,
    exits: Vec<f64>,
}

impl SmallChain {
    /// Another component is processed.
    pub(super) fn clear(&mut self) {
        self.policy.clear();
        self.factors = None;
    }

    /// Computes the values of a policy, given the contribution from outside of each state's option. Returns whether
    /// that was possible: whether the policy leaves the component with probability 1.
    pub(super) fn solve(
        &mut self,
        scc: &SmallScc,
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
            self.factors = self.eliminate(scc, effort);
        }
        let Some(factors) = &self.factors else { return false };
        *values = factors.solve(outside.collect());
        true
    }

    fn eliminate(&mut self, scc: &SmallScc, effort: Effort<'_>) -> Option<Factors> {
        let count = self.policy.len();
        self.rows.resize_with(count, Vec::new);
        self.exits.clear();
        for (row, option) in self.rows.iter_mut().zip(&self.policy) {
            row.clear();
            row.extend_from_slice(scc.inner(*option));
            self.exits.push(scc.exit(*option));
        }
        Sparse::new(&self.rows, &self.exits, (0..id(count)).collect(), effort).ok().map(Factors::Sparse)
    }
}
