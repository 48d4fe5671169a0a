//! A component to solve, and a policy with its values.

use std::cell::Cell;
use std::rc::Rc;

use budget::Stopped;

use super::induced_chain::Chain;
use super::options::{FloatOption, FloatScc};
use super::ways_out::WaysOut;
use crate::linear::Effort;
use crate::solve::Method;

/// A component, and which of its nodes are to be solved.
pub(super) struct Task<'a> {
    pub(super) scc: &'a FloatScc,
    pub(super) free: &'a [bool],
    pub(super) method: Method,
    /// Shared by the chains of all policies: see [`Chain`].
    pub(super) is_dear: Rc<Cell<bool>>,
    pub(super) effort: Effort<'a>,
    pub(super) ways_out: WaysOut,
}

/// A policy with its equations and the values of all nodes.
pub(super) struct Solved<'a> {
    pub(super) policy: Vec<u32>,
    pub(super) values: Vec<f64>,
    pub(super) chain: Chain<'a>,
}

impl<'a> Task<'a> {
    /// The equations of a policy.
    pub(super) fn chain(&self, policy: &[u32]) -> Result<Chain<'a>, Stopped> {
        Chain::new(self.scc, policy, self.free, (self.method, self.is_dear.clone()), self.effort)
    }

    pub(super) fn chosen(&self, policy: &[u32], node: u32) -> &'a FloatOption {
        &self.scc.options(node as usize)[policy[node as usize] as usize]
    }
}

/// Numbers of nodes, by position.
pub(super) fn gather(chain: &Chain<'_>, values: &[f64], by_position: &mut Vec<f64>) {
    by_position.clear();
    by_position.extend(chain.nodes.iter().map(|node| values[*node as usize]));
}

/// The inverse of [`gather`](Self::gather).
pub(super) fn scatter(chain: &Chain<'_>, by_position: &[f64], values: &mut [f64]) {
    for (node, value) in chain.nodes.iter().zip(by_position) {
        values[*node as usize] = *value;
    }
}
