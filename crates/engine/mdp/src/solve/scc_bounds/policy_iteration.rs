//! Policy iteration in floating point: approximate values and a policy that is probably best, without any bounds.

use super::induced_chain::{Chain, ChainError, MOST_SWEEPS, Tolerance};
use super::options::{End, FloatOption};
use super::task::{Solved, Task, gather, scatter};
use super::tolerance::TOLERANCE;
use super::ways_out::leading;
use crate::solve::Method;
use crate::support::id;

/// Values of a policy that will be improved need not converge: the tolerance at first, and the share of it that is left
/// when no improvement is seen any more.
const ROUGH_SHARE: f64 = 1e-4;
const SHARPER: f64 = 1e-4;
/// The most sweeps for such values.
const ROUGH_SWEEPS: usize = 64;
/// After this many rounds in which those were not enough, values are computed to the last digit.
const MOST_SLOW: usize = 4;
/// How often options are improved before the policy's values are computed again.
const IMPROVEMENTS: usize = 2;
/// More rounds than this have never been seen; the proof afterwards decides anyway.
const ROUNDS: usize = 200;

/// A policy that keeps play in a component, and the time that it stays: a number for every node.
struct Stay {
    policy: Vec<u32>,
    steps: Vec<f64>,
}

impl<'a> Task<'a> {
    /// An option for every node with which play leaves the component with probability 1: for each the one that brings
    /// play nearest to the next way out, of those that can bring it nearer. `None` where no path leads out.
    pub(super) fn leaving_policy(&self) -> Option<Vec<u32>> {
        let Self { scc, free, .. } = *self;
        let distance = &self.ways_out.distance;
        let choose = |node: usize| {
            if !free[node] {
                return Some(0);
            }
            let nearer = |option: &FloatOption| {
                option.exit > 0.0 || scc.inner(option).iter().any(|(to, _)| distance[*to as usize] < distance[node])
            };
            let mean = |option: &FloatOption| -> f64 {
                scc.inner(option).iter().map(|(to, p)| p * f64::from(distance[*to as usize])).sum()
            };
            let options = (0..).zip(scc.options(node)).filter(|(_, option)| nearer(option));
            options.min_by(|a, b| mean(a.1).total_cmp(&mean(b.1))).map(|(index, _)| index)
        };
        (0..scc.len()).map(choose).collect()
    }

    /// The best policy that can be reached from this one, which leaves, where the values outside are those at this end.
    pub(super) fn solve(&self, mut policy: Vec<u32>, mut values: Vec<f64>, end: End) -> Result<Solved<'a>, ChainError> {
        let mut by_position = Vec::new();
        let before = policy.clone();
        let converged = self.iterate(&mut policy, &mut values, end)?;
        if !self.scc.every_policy_leaves && !self.leaves(&policy) {
            policy = before;
        } else if converged && self.method == Method::Cheapest {
            let chain = self.chain(&policy)?;
            return Ok(Solved { policy, values, chain });
        }
        let (mut share, mut slow) = (ROUGH_SHARE, 0);
        for round in 0..ROUNDS {
            let mut chain = self.chain(&policy)?;
            loop {
                let right = self.right(&chain, &policy, &values, end);
                gather(&chain, &values, &mut by_position);
                let sweeps = if share > TOLERANCE { ROUGH_SWEEPS } else { MOST_SWEEPS };
                if !chain.solve(&right, &mut by_position, Tolerance { share, of: None, sweeps })? {
                    slow += 1;
                }
                scatter(&chain, &by_position, &mut values);
                if !values.iter().all(|value| value.is_finite()) {
                    return Err(ChainError::Singular);
                }
                let noise = f64::max(share, if round < 50 { 1e-14 } else { 1e-11 });
                let (mut better, mut improved) = (values.clone(), policy.clone());
                let mut changed = false;
                for _ in 0..IMPROVEMENTS {
                    if self.improve(&chain, &mut improved, &mut better, end, noise) == 0 {
                        break;
                    }
                    changed = true;
                }
                // With values that have not converged a policy that never leaves can look better.
                let never_leaves =
                    changed && share > TOLERANCE && !self.scc.every_policy_leaves && !self.leaves(&improved);
                let too_slow = share > TOLERANCE && slow > MOST_SLOW;
                if changed && !never_leaves && !too_slow && round + 1 < ROUNDS {
                    (policy, values) = (improved, better);
                    break;
                }
                if share <= TOLERANCE {
                    return Ok(Solved { policy, values, chain });
                }
                share = if never_leaves || too_slow { TOLERANCE } else { (share * SHARPER).max(TOLERANCE) };
            }
        }
        Err(ChainError::TooSlow)
    }

    /// The contribution of a policy's options from outside and from nodes that are not free, by position.
    pub(super) fn right(&self, chain: &Chain<'_>, policy: &[u32], values: &[f64], end: End) -> Vec<f64> {
        let right = chain.nodes.iter().map(|node| {
            let option = self.chosen(policy, *node);
            let inner = self.scc.inner(option).iter().filter(|(to, _)| !self.free[*to as usize]);
            inner.fold(option.at(end).high, |sum, (to, p)| sum + p * values[*to as usize])
        });
        right.collect()
    }

    /// Takes the best option of every node, in the order of the chain, with the values as they are updated; an option
    /// must be better by more than `noise` times the value. Returns how many options changed.
    fn improve(&self, chain: &Chain<'_>, policy: &mut [u32], values: &mut [f64], end: End, noise: f64) -> usize {
        let Self { scc, .. } = *self;
        let mut changed = 0;
        for node in chain.nodes.iter().map(|node| *node as usize) {
            let options = scc.options(node);
            if options.len() == 1 {
                continue;
            }
            let old = &options[policy[node] as usize];
            let own = scc.worth(old, values, old.at(end).high);
            let mut best = (own, policy[node]);
            for (index, option) in (0..).zip(options) {
                let worth = scc.worth(option, values, option.at(end).high);
                if scc.sense.prefers(worth, best.0) {
                    best = (worth, index);
                }
            }
            if (best.0 - own).abs() > noise * own.abs() && best.1 != policy[node] {
                policy[node] = best.1;
                values[node] = best.0;
                changed += 1;
            }
        }
        changed
    }

    /// Whether play leaves the component from everywhere.
    fn leaves(&self, policy: &[u32]) -> bool {
        let Self { scc, free, .. } = *self;
        let chosen = |node: u32| free[node as usize].then(|| self.chosen(policy, node));
        let (starts, before) = leading(scc.len(), |node| chosen(node).into_iter().flat_map(|own| scc.inner(own)));
        let leaves_at_once = |node: u32| chosen(node).is_none_or(|own| own.exit > 0.0);
        let mut reached: Vec<bool> = (0..id(scc.len())).map(leaves_at_once).collect();
        let mut queue: Vec<u32> = (0..id(scc.len())).filter(|node| reached[*node as usize]).collect();
        let mut done = 0;
        while let Some(node) = queue.get(done).map(|node| *node as usize) {
            done += 1;
            for earlier in &before[starts[node]..starts[node + 1]] {
                if !std::mem::replace(&mut reached[*earlier as usize], true) {
                    queue.push(*earlier);
                }
            }
        }
        queue.len() == scc.len()
    }

    /// The longest that play can be kept in the component by options that are `near` the best: a number for every node
    /// which is at least its weight plus the mean of the next ones, approximately. Starts from a solved policy. When
    /// `enough` returns false the numbers are too large to be useful, and need not be accurate.
    pub(super) fn longest(
        &self,
        solved: &mut Solved<'a>,
        weights: &[f64],
        near: impl Fn(usize, &FloatOption) -> bool,
        enough: impl Fn(&[f64]) -> bool,
    ) -> Result<Vec<f64>, ChainError> {
        /// Approximate numbers are sufficient, as a share of themselves and of the weights,
        const ROUGH: f64 = 0.02;
        const OF_WEIGHT: f64 = 0.05;
        /// and this many rounds for options that are longer by a part of a weight only: such options are too long for
        /// the proof where play is long.
        const FINE: usize = 20;
        let mut stay = Stay { policy: solved.policy.clone(), steps: vec![0.0; self.scc.len()] };
        let mut by_position = Vec::new();
        let mut own: Option<Chain<'a>> = None;
        let mut fine = 0;
        for _ in 0..ROUNDS {
            let chain = own.as_mut().unwrap_or(&mut solved.chain);
            gather(chain, &stay.steps, &mut by_position);
            let mut right = Vec::new();
            gather(chain, weights, &mut right);
            let tolerance = Tolerance { share: OF_WEIGHT, of: Some(&right), sweeps: MOST_SWEEPS };
            chain.solve(&right, &mut by_position, tolerance)?;
            scatter(chain, &by_position, &mut stay.steps);
            let coarse = |node: usize, steps: &[f64]| ROUGH * steps[node];
            let mut changed = fine == 0 && self.lengthen(chain, &mut stay, weights, &near, coarse);
            if !changed && fine < FINE && enough(&stay.steps) {
                fine += 1;
                let part_of_weight = |node: usize, _: &[f64]| weights[node] / 4.0;
                changed = self.lengthen(chain, &mut stay, weights, &near, part_of_weight);
            }
            if !changed {
                for steps in &mut stay.steps {
                    *steps *= 1.0 + 4.0 * ROUGH;
                }
                return Ok(stay.steps);
            }
            own = Some(self.chain(&stay.policy)?);
        }
        Err(ChainError::TooSlow)
    }

    /// Takes options that are near the best and longer by more than `least`, forwards and backwards until there are
    /// none. Returns whether there were any.
    fn lengthen(
        &self,
        chain: &Chain<'_>,
        stay: &mut Stay,
        weights: &[f64],
        near: impl Fn(usize, &FloatOption) -> bool,
        least: impl Fn(usize, &[f64]) -> f64,
    ) -> bool {
        /// Passes before their effect is computed again.
        const PASSES: usize = 8;
        let (policy, steps) = (&mut stay.policy[..], &mut stay.steps[..]);
        for round in 0..PASSES {
            let mut changed = false;
            let mut look = |node: &u32| {
                let node = *node as usize;
                let mut most = steps[node] + least(node, steps);
                for (index, option) in (0..).zip(self.scc.options(node)) {
                    let longer = self.scc.worth(option, steps, weights[node]);
                    if longer > most && index != policy[node] && near(node, option) {
                        (most, policy[node], steps[node]) = (longer, index, longer);
                        changed = true;
                    }
                }
            };
            if round % 2 == 0 {
                chain.nodes.iter().for_each(&mut look);
            } else {
                chain.nodes.iter().rev().for_each(&mut look);
            }
            if !changed {
                return round > 0;
            }
        }
        true
    }
}
