//! Policy iteration in floating point: approximate values and a policy that is probably best. No bound is
//! claimed here.

use super::induced_chain::{Chain, ChainError, MOST_SWEEPS, Rest};
use super::options::{End, FloatOption};
use super::rest::RESTS;
use super::task::{Solved, Task, gather, scatter};
use super::ways_out::leading;
use crate::solve::Method;
use crate::support::id;

/// Values of a policy that will be improved need not be at rest: how far they are from it at first, and what is left of
/// that when no improvement is seen any more.
const ROUGH_SHARE: f64 = 1e-4;
const SHARPER: f64 = 1e-4;
/// The most sweeps for such values.
const ROUGH_SWEEPS: usize = 64;
/// After so many rounds in which those were not enough, values are computed to the last digit.
const MOST_SLOW: usize = 4;
/// How often options are improved before the policy's values are computed anew.
const IMPROVEMENTS: usize = 2;
/// More improvements than this have never been seen; the proof afterwards decides anyway.
const ROUNDS: usize = 200;

/// A policy that keeps play in a part, and how long it does: a number for every node.
struct Stay {
    policy: Vec<u32>,
    steps: Vec<f64>,
}

impl<'a> Task<'a> {
    /// An option for every node with which play leaves the part with probability 1: for each the one that
    /// brings play nearest to the next way out, of those that can bring it nearer. Nothing where no way leads out.
    pub(super) fn leaving_policy(&self) -> Option<Vec<u32>> {
        let Self { part, free, .. } = *self;
        let distance = &self.ways_out.distance;
        let choose = |node: usize| {
            if !free[node] {
                return Some(0);
            }
            let nearer = |option: &FloatOption| {
                option.exit > 0.0 || part.inner(option).iter().any(|(to, _)| distance[*to as usize] < distance[node])
            };
            let mean = |option: &FloatOption| -> f64 {
                part.inner(option).iter().map(|(to, p)| p * f64::from(distance[*to as usize])).sum()
            };
            let options = (0..).zip(part.options(node)).filter(|(_, option)| nearer(option));
            options.min_by(|a, b| mean(a.1).total_cmp(&mean(b.1))).map(|(place, _)| place)
        };
        (0..part.len()).map(choose).collect()
    }

    /// The best policy that can be found from this one, which leaves, where the outside has these values.
    pub(super) fn solve(&self, mut policy: Vec<u32>, mut values: Vec<f64>, end: End) -> Result<Solved<'a>, ChainError> {
        let mut by_place = Vec::new();
        let before = policy.clone();
        let rests = self.iterate(&mut policy, &mut values, end)?;
        if !self.part.every_policy_leaves && !self.leaves(&policy) {
            policy = before;
        } else if rests && self.method == Method::Cheapest {
            let chain = self.chain(&policy)?;
            return Ok(Solved { policy, values, chain });
        }
        let (mut share, mut slow) = (ROUGH_SHARE, 0);
        for round in 0..ROUNDS {
            let mut chain = self.chain(&policy)?;
            loop {
                let right = self.right(&chain, &policy, &values, end);
                gather(&chain, &values, &mut by_place);
                let sweeps = if share > RESTS { ROUGH_SWEEPS } else { MOST_SWEEPS };
                if !chain.solve(&right, &mut by_place, Rest { share, of: None, sweeps })? {
                    slow += 1;
                }
                scatter(&chain, &by_place, &mut values);
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
                // Values that are not at rest can make a policy look better that never leaves.
                let never_leaves =
                    changed && share > RESTS && !self.part.every_policy_leaves && !self.leaves(&improved);
                let too_slow = share > RESTS && slow > MOST_SLOW;
                if changed && !never_leaves && !too_slow && round + 1 < ROUNDS {
                    (policy, values) = (improved, better);
                    break;
                }
                if share <= RESTS {
                    return Ok(Solved { policy, values, chain });
                }
                share = if never_leaves || too_slow { RESTS } else { (share * SHARPER).max(RESTS) };
            }
        }
        Err(ChainError::TooSlow)
    }

    /// What a policy's options bring from outside and from nodes that are not free, by place.
    pub(super) fn right(&self, chain: &Chain<'_>, policy: &[u32], values: &[f64], end: End) -> Vec<f64> {
        let right = chain.nodes.iter().map(|node| {
            let option = self.chosen(policy, *node);
            let inner = self.part.inner(option).iter().filter(|(to, _)| !self.free[*to as usize]);
            inner.fold(option.at(end).high, |sum, (to, p)| sum + p * values[*to as usize])
        });
        right.collect()
    }

    /// Takes the best option of every node, in the order of the chain, with the values as they become: what
    /// is better by less than `noise` of the value is not. Returns how many options changed.
    fn improve(&self, chain: &Chain<'_>, policy: &mut [u32], values: &mut [f64], end: End, noise: f64) -> usize {
        let Self { part, .. } = *self;
        let mut changed = 0;
        for node in chain.nodes.iter().map(|node| *node as usize) {
            let options = part.options(node);
            if options.len() == 1 {
                continue;
            }
            let old = &options[policy[node] as usize];
            let own = part.worth(old, values, old.at(end).high);
            let mut best = (own, policy[node]);
            for (place, option) in (0..).zip(options) {
                let worth = part.worth(option, values, option.at(end).high);
                if part.sense.prefers(worth, best.0) {
                    best = (worth, place);
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

    /// Whether play leaves the part from everywhere.
    fn leaves(&self, policy: &[u32]) -> bool {
        let Self { part, free, .. } = *self;
        let chosen = |node: u32| free[node as usize].then(|| self.chosen(policy, node));
        let (starts, before) = leading(part.len(), |node| chosen(node).into_iter().flat_map(|own| part.inner(own)));
        let leaves_at_once = |node: u32| chosen(node).is_none_or(|own| own.exit > 0.0);
        let mut reached: Vec<bool> = (0..id(part.len())).map(leaves_at_once).collect();
        let mut queue: Vec<u32> = (0..id(part.len())).filter(|node| reached[*node as usize]).collect();
        let mut done = 0;
        while let Some(node) = queue.get(done).map(|node| *node as usize) {
            done += 1;
            for earlier in &before[starts[node]..starts[node + 1]] {
                if !std::mem::replace(&mut reached[*earlier as usize], true) {
                    queue.push(*earlier);
                }
            }
        }
        queue.len() == part.len()
    }

    /// The longest that play can be kept in the part by options that are `near` the best: a number for every node
    /// which is at least its weight and the mean of the next ones, roughly. Begins with a solved policy. Where `enough` says no
    /// the numbers are too large to be of use, and need not be good.
    pub(super) fn longest(
        &self,
        solved: &mut Solved<'a>,
        weights: &[f64],
        near: impl Fn(usize, &FloatOption) -> bool,
        enough: impl Fn(&[f64]) -> bool,
    ) -> Result<Vec<f64>, ChainError> {
        /// Rough numbers will do, as a share of themselves and of the weights,
        const ROUGH: f64 = 0.02;
        const OF_WEIGHT: f64 = 0.05;
        /// and so many rounds in which options count that are longer by a part of a weight only: such ones are too long for
        /// the proof where play is long.
        const FINE: usize = 20;
        let mut stay = Stay { policy: solved.policy.clone(), steps: vec![0.0; self.part.len()] };
        let mut by_place = Vec::new();
        let mut own: Option<Chain<'a>> = None;
        let mut fine = 0;
        for _ in 0..ROUNDS {
            let chain = own.as_mut().unwrap_or(&mut solved.chain);
            gather(chain, &stay.steps, &mut by_place);
            let mut right = Vec::new();
            gather(chain, weights, &mut right);
            let rest = Rest { share: OF_WEIGHT, of: Some(&right), sweeps: MOST_SWEEPS };
            chain.solve(&right, &mut by_place, rest)?;
            scatter(chain, &by_place, &mut stay.steps);
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

    /// Takes options that are near the best and longer by more than `least`, to and fro until there are none. Whether
    /// there were any.
    fn lengthen(
        &self,
        chain: &Chain<'_>,
        stay: &mut Stay,
        weights: &[f64],
        near: impl Fn(usize, &FloatOption) -> bool,
        least: impl Fn(usize, &[f64]) -> f64,
    ) -> bool {
        /// Passes before what they lead to is computed anew.
        const PASSES: usize = 8;
        let (policy, steps) = (&mut stay.policy[..], &mut stay.steps[..]);
        for round in 0..PASSES {
            let mut changed = false;
            let mut look = |node: &u32| {
                let node = *node as usize;
                let mut most = steps[node] + least(node, steps);
                for (place, option) in (0..).zip(self.part.options(node)) {
                    let longer = self.part.worth(option, steps, weights[node]);
                    if longer > most && place != policy[node] && near(node, option) {
                        (most, policy[node], steps[node]) = (longer, place, longer);
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
