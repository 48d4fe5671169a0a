//! Value iteration: first values and a first policy of a component, as long as that is fast.
//!
//! A sweep uses values as they are updated, so its order determines how far it propagates them: on a map best from the
//! ways out inwards, in a protocol backwards along its steps, in a game between two ruins forwards and backwards in
//! turn. Trials decide which order suits a component. Only the last sweep of a block considers all options, the others
//! only the chosen ones (modified policy iteration: Puterman and Shin 1978).

use budget::Stopped;

use super::options::{End, FloatOption};
use super::task::Task;
use super::tolerance::{NOISE, TOLERANCE, put};
use crate::solution::Sense;
use crate::support::{about, id};

/// Sweeps of one kind between two measurements of their speed.
const BLOCK: usize = 4;
/// Two orders, each in one direction or in both in turn.
const KINDS: usize = 4;
/// Blocks of trials: every kind twice, since the first block is not typical.
const TRIALS: usize = 2 * KINDS;
/// The most blocks where the values converge slowly, where they converge steadily, and in any case.
const MOST_SLOW: usize = 15;
const MOST_STEADY: usize = 75;
const MOST: usize = 200;
/// After this many blocks without a change of policy, policy iteration is faster, unless the values have nearly
/// converged: no more than [`LAST`] blocks are missing.
const STABLE_BLOCKS: usize = 3;
const LAST: f64 = 8.0;
/// It is worth going on if half of the blocks so far have reduced the largest move to no more than this share: values
/// that must propagate a long way converge slowly at first, and then at once.
const WORTH: f64 = 0.85;
/// Values that move by this many times the tolerance, and by no less after another block, are good enough.
const NEARLY: f64 = 4.0;
/// Sweeps over the first policy alone.
const FIRST: usize = 4;
impl Task<'_> {
    /// Improves values and their policy. Returns whether the values have converged.
    pub(super) fn iterate(&self, policy: &mut [u32], values: &mut [f64], end: End) -> Result<bool, Stopped> {
        let order = &self.ways_out.nearest_first;
        self.guess(order, policy, values, end);
        for _ in 0..FIRST {
            for node in order {
                values[*node as usize] = self.own_worth(*node, self.chosen(policy, *node), values, end);
            }
        }
        let mut orders = [Some(Ordered::new(self, order.clone(), values, end)), None];
        let nodes = order.len();
        // The share of the largest move that was left after a block.
        let mut left = [1.0f64; KINDS];
        let mut moves: Vec<f64> = Vec::new();
        let (mut kind, mut stable_blocks) = (0, 0);
        for block in 0..MOST {
            if block < TRIALS {
                kind = block % KINDS;
            } else if block == TRIALS {
                kind = (0..KINDS).min_by(|a, b| left[*a].total_cmp(&left[*b])).unwrap_or(0);
                orders[1 - kind / 2] = None;
            }
            let ordered = orders[kind / 2].get_or_insert_with(|| Ordered::new(self, self.depth_first(), values, end));
            let (mut moved, mut changed) = (0.0, 0);
            ordered.begin(values);
            for sweep in 0..BLOCK {
                self.effort.budget.check()?;
                let backwards = kind % 2 == 1 && sweep % 2 == 1;
                if sweep + 1 < BLOCK {
                    ordered.sweep_chosen(backwards, policy);
                } else {
                    (moved, changed) = ordered.sweep(self.scc.sense, backwards, policy);
                }
            }
            ordered.end(values);
            if moved <= TOLERANCE || !moved.is_finite() {
                return Ok(moved <= TOLERANCE);
            }
            if moved <= NEARLY * TOLERANCE && moved > moves.last().unwrap_or(&f64::INFINITY) / 2.0 {
                // Rounding errors move them for ever.
                return Ok(true);
            }
            left[kind] = moved / moves.last().unwrap_or(&f64::INFINITY);
            moves.push(moved);
            if block >= TRIALS {
                let needed = (TOLERANCE / moved).ln() / left[kind].ln();
                let fast = needed > 0.0 && needed < about(MOST_STEADY.saturating_sub(block) as u64);
                let worth = fast || moved <= WORTH * moves[block / 2];
                stable_blocks = if changed == 0 { stable_blocks + 1 } else { 0 };
                if stable_blocks >= STABLE_BLOCKS && !(0.0..LAST).contains(&needed) {
                    break;
                }
                if !worth && (changed * 1000 <= nodes || block >= MOST_SLOW) {
                    break;
                }
            }
        }
        Ok(false)
    }

    /// Initial values: those nearest to a way out first, as if play could not move away from it.
    ///
    /// For minimal values, initial values that are too low would hide for long how far the way out is.
    fn guess(&self, nearest_first: &[u32], policy: &[u32], values: &mut [f64], end: End) {
        let mut known: Vec<bool> = self.free.iter().map(|free| !free).collect();
        for node in nearest_first {
            let option = self.chosen(policy, *node);
            let (mut worth, mut leaving) = (option.at(end).high, option.exit);
            for (to, probability) in self.scc.inner(option).iter().filter(|(to, _)| known[*to as usize]) {
                worth += probability * values[*to as usize];
                leaving += probability;
            }
            values[*node as usize] = worth / leaving;
            known[*node as usize] = true;
        }
    }

    /// The value of an option of a node, with moves back to the node itself resolved.
    #[inline]
    fn own_worth(&self, node: u32, option: &FloatOption, values: &[f64], end: End) -> f64 {
        let (mut worth, mut leaving) = (option.at(end).high, option.exit);
        for (to, probability) in self.scc.inner(option) {
            if *to != node {
                worth += probability * values[*to as usize];
                leaving += probability;
            }
        }
        worth / leaving
    }

    /// The free nodes in an order in which most come after their targets: depth-first postorder.
    fn depth_first(&self) -> Vec<u32> {
        let Self { scc, free, .. } = *self;
        let mut seen: Vec<bool> = free.iter().map(|free| !free).collect();
        let mut order = Vec::with_capacity(scc.len());
        // A node, one of its options, and the index of a target.
        let mut frames: Vec<(u32, usize, usize)> = Vec::new();
        for root in 0..id(scc.len()) {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            frames.push((root, 0, 0));
            while let Some((node, option, position)) = frames.last_mut() {
                let Some(own) = scc.options(*node as usize).get(*option) else {
                    order.push(*node);
                    frames.pop();
                    continue;
                };
                match scc.inner(own).get(*position) {
                    Some((to, _)) => {
                        *position += 1;
                        if !std::mem::replace(&mut seen[*to as usize], true) {
                            frames.push((*to, 0, 0));
                        }
                    }
                    None => (*option, *position) = (*option + 1, 0),
                }
            }
        }
        order
    }
}

/// The free nodes with their options in the order of a sweep, so that memory is read sequentially.
struct Ordered {
    nodes: Vec<u32>,
    /// Where each node's options begin; one more entry than nodes.
    options: Vec<u32>,
    /// Where each option's targets begin; one more entry than options.
    targets: Vec<u32>,
    /// The contribution of each option from elsewhere, with moves back to the node itself resolved.
    known: Vec<f64>,
    /// Positions in the order, and the probabilities of moving there.
    inner: Vec<(u32, f64)>,
    /// The values, in this order.
    values: Vec<f64>,
}

impl Ordered {
    /// `nodes` are all free nodes; the others have the values of the task.
    fn new(task: &Task<'_>, nodes: Vec<u32>, values: &[f64], end: End) -> Self {
        let scc = task.scc;
        let mut index_of = vec![u32::MAX; scc.len()];
        for (position, node) in (0..).zip(&nodes) {
            index_of[*node as usize] = position;
        }
        let count = nodes.len();
        let mut ordered = Self {
            nodes: Vec::new(),
            options: Vec::with_capacity(count + 1),
            targets: Vec::new(),
            known: Vec::new(),
            inner: Vec::new(),
            values: vec![0.0; count],
        };
        for node in &nodes {
            ordered.options.push(id(ordered.known.len()));
            for option in scc.options(*node as usize) {
                ordered.targets.push(id(ordered.inner.len()));
                let others = || scc.inner(option).iter().filter(|(to, _)| to != node);
                let leaving = others().fold(option.exit, |sum, (_, probability)| sum + probability);
                let mut known = option.at(end).high;
                for (to, probability) in others() {
                    if task.free[*to as usize] {
                        ordered.inner.push((index_of[*to as usize], probability / leaving));
                    } else {
                        known += probability * values[*to as usize];
                    }
                }
                ordered.known.push(known / leaving);
            }
        }
        ordered.options.push(id(ordered.known.len()));
        ordered.targets.push(id(ordered.inner.len()));
        ordered.nodes = nodes;
        ordered
    }

    /// Copies the values here.
    fn begin(&mut self, values: &[f64]) {
        self.values.iter_mut().zip(&self.nodes).for_each(|(own, node)| *own = values[*node as usize]);
    }

    /// Copies the values back.
    fn end(&self, values: &mut [f64]) {
        self.nodes.iter().zip(&self.values).for_each(|(node, own)| values[*node as usize] = *own);
    }

    /// A sweep over the nodes, each with its chosen option.
    fn sweep_chosen(&mut self, backwards: bool, policy: &[u32]) {
        let count = self.nodes.len();
        for step in 0..count {
            let position = if backwards { count - 1 - step } else { step };
            let option = self.options[position] as usize + policy[self.nodes[position] as usize] as usize;
            let inner = &self.inner[self.targets[option] as usize..self.targets[option + 1] as usize];
            self.values[position] =
                inner.iter().fold(self.known[option], |sum, (to, p)| sum + p * self.values[*to as usize]);
        }
    }

    /// A sweep over the nodes, each with its best option: the largest move, as a share of the value, and how many
    /// options changed.
    fn sweep(&mut self, sense: Sense, backwards: bool, policy: &mut [u32]) -> (f64, usize) {
        let (mut moved, mut changed) = (0.0, 0);
        let count = self.nodes.len();
        for step in 0..count {
            let position = if backwards { count - 1 - step } else { step };
            let options = self.options[position] as usize..self.options[position + 1] as usize;
            let chosen = &mut policy[self.nodes[position] as usize];
            let mut best = (sense.worst(), *chosen);
            let mut own = best.0;
            let mut first = self.targets[options.start] as usize;
            for (number, option) in (0..).zip(options) {
                let last = self.targets[option + 1] as usize;
                let inner = self.inner[first..last].iter();
                let worth = inner.fold(self.known[option], |sum, (to, p)| sum + p * self.values[*to as usize]);
                first = last;
                if number == *chosen {
                    own = worth;
                }
                if sense.prefers(worth, best.0) {
                    best = (worth, number);
                }
            }
            if best.1 != *chosen && (best.0 - own).abs() > NOISE * own.abs() {
                *chosen = best.1;
                own = best.0;
                changed += 1;
            }
            put(&mut self.values[position], own, &mut moved);
        }
        (moved, changed)
    }
}
