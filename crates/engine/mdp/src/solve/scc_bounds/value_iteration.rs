//! Value iteration: first values and a first policy of a part, as long as that is fast.
//!
//! A sweep uses values as they become, so its order decides how far it carries: on a map from the ways out inwards, in a
//! protocol backwards along its steps, in a game between two ruins to and fro. Which of these a part is like is
//! tried out. Only the last sweep of a block looks at all options, the others at those that were chosen (modified policy
//! iteration: Puterman and Shin 1978).

use budget::Stopped;

use super::options::{End, FloatOption};
use super::rest::{NOISE, RESTS, put};
use super::task::Task;
use crate::solution::Sense;
use crate::support::{about, id};

/// Sweeps of one kind between two looks at how fast they are.
const BLOCK: usize = 4;
/// Two orders, each in one direction or to and fro.
const KINDS: usize = 4;
/// Blocks of trials: every kind twice, since what the first brings is not what comes later.
const TRIALS: usize = 2 * KINDS;
/// More blocks than these are not made where the values come to rest slowly, where they come to rest steadily, and in any
/// case.
const MOST_SLOW: usize = 15;
const MOST_STEADY: usize = 75;
const MOST: usize = 200;
/// After so many blocks without another choice policy iteration is faster, unless the values are nearly at rest: no more than
/// [`LAST`] blocks from it.
const SETTLED: usize = 3;
const LAST: f64 = 8.0;
/// It is worth going on where half of the blocks so far have left no more than this of the largest move: what has to go a long
/// way comes to rest so, and then at once.
const WORTH: f64 = 0.85;
/// Values that move by so many times what counts as rest, and no less after another block, are as good.
const NEARLY: f64 = 4.0;
/// Sweeps over the first policy alone.
const FIRST: usize = 4;
impl Task<'_> {
    /// Better values, and the policy that they come from. Whether they rest.
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
        // What was left of the largest move after a block.
        let mut left = [1.0f64; KINDS];
        let mut moves: Vec<f64> = Vec::new();
        let (mut kind, mut settled) = (0, 0);
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
                    (moved, changed) = ordered.sweep(self.part.sense, backwards, policy);
                }
            }
            ordered.end(values);
            if moved <= RESTS || !moved.is_finite() {
                return Ok(moved <= RESTS);
            }
            if moved <= NEARLY * RESTS && moved > moves.last().unwrap_or(&f64::INFINITY) / 2.0 {
                // Rounding moves them for ever.
                return Ok(true);
            }
            left[kind] = moved / moves.last().unwrap_or(&f64::INFINITY);
            moves.push(moved);
            if block >= TRIALS {
                let needed = (RESTS / moved).ln() / left[kind].ln();
                let fast = needed > 0.0 && needed < about(MOST_STEADY.saturating_sub(block) as u64);
                let worth = fast || moved <= WORTH * moves[block / 2];
                settled = if changed == 0 { settled + 1 } else { 0 };
                if settled >= SETTLED && !(0.0..LAST).contains(&needed) {
                    break;
                }
                if !worth && (changed * 1000 <= nodes || block >= MOST_SLOW) {
                    break;
                }
            }
        }
        Ok(false)
    }

    /// Values to begin with: those nearest to a way out first, as if play could not move away from it.
    ///
    /// Where less is better, values that are too low would hide for long how far the way out is.
    fn guess(&self, nearest_first: &[u32], policy: &[u32], values: &mut [f64], end: End) {
        let mut known: Vec<bool> = self.free.iter().map(|free| !free).collect();
        for node in nearest_first {
            let option = self.chosen(policy, *node);
            let (mut worth, mut leaving) = (option.at(end).high, option.exit);
            for (to, probability) in self.part.inner(option).iter().filter(|(to, _)| known[*to as usize]) {
                worth += probability * values[*to as usize];
                leaving += probability;
            }
            values[*node as usize] = worth / leaving;
            known[*node as usize] = true;
        }
    }

    /// What an option of a node is worth, where what leads back to the node at once is tried again.
    #[inline]
    fn own_worth(&self, node: u32, option: &FloatOption, values: &[f64], end: End) -> f64 {
        let (mut worth, mut leaving) = (option.at(end).high, option.exit);
        for (to, probability) in self.part.inner(option) {
            if *to != node {
                worth += probability * values[*to as usize];
                leaving += probability;
            }
        }
        worth / leaving
    }

    /// The free nodes in an order in which most come after those to which they lead: depth first, as they are left.
    fn depth_first(&self) -> Vec<u32> {
        let Self { part, free, .. } = *self;
        let mut seen: Vec<bool> = free.iter().map(|free| !free).collect();
        let mut order = Vec::with_capacity(part.len());
        // A node, an option of it, and the place of a target.
        let mut frames: Vec<(u32, usize, usize)> = Vec::new();
        for root in 0..id(part.len()) {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            frames.push((root, 0, 0));
            while let Some((node, option, place)) = frames.last_mut() {
                let Some(own) = part.options(*node as usize).get(*option) else {
                    order.push(*node);
                    frames.pop();
                    continue;
                };
                match part.inner(own).get(*place) {
                    Some((to, _)) => {
                        *place += 1;
                        if !std::mem::replace(&mut seen[*to as usize], true) {
                            frames.push((*to, 0, 0));
                        }
                    }
                    None => (*option, *place) = (*option + 1, 0),
                }
            }
        }
        order
    }
}

/// The free nodes with their options in the order of a sweep, so that memory is read as it comes.
struct Ordered {
    nodes: Vec<u32>,
    /// Where each node's options begin; one more entry than nodes.
    options: Vec<u32>,
    /// Where each option's targets begin; one more entry than options.
    targets: Vec<u32>,
    /// What each option brings from elsewhere, where what leads back to the node at once is tried again.
    known: Vec<f64>,
    /// Places in the order, and the probabilities to come there.
    inner: Vec<(u32, f64)>,
    /// The values, in this order.
    values: Vec<f64>,
}

impl Ordered {
    /// `nodes` are all that are free; the values of the others are what the task knows of them.
    fn new(task: &Task<'_>, nodes: Vec<u32>, values: &[f64], end: End) -> Self {
        let part = task.part;
        let mut place_of = vec![u32::MAX; part.len()];
        for (place, node) in (0..).zip(&nodes) {
            place_of[*node as usize] = place;
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
            for option in part.options(*node as usize) {
                ordered.targets.push(id(ordered.inner.len()));
                let others = || part.inner(option).iter().filter(|(to, _)| to != node);
                let leaving = others().fold(option.exit, |sum, (_, probability)| sum + probability);
                let mut known = option.at(end).high;
                for (to, probability) in others() {
                    if task.free[*to as usize] {
                        ordered.inner.push((place_of[*to as usize], probability / leaving));
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

    /// Takes over the values.
    fn begin(&mut self, values: &[f64]) {
        self.values.iter_mut().zip(&self.nodes).for_each(|(own, node)| *own = values[*node as usize]);
    }

    /// And hands them back.
    fn end(&self, values: &mut [f64]) {
        self.nodes.iter().zip(&self.values).for_each(|(node, own)| values[*node as usize] = *own);
    }

    /// A sweep over the nodes, each with the option that was chosen.
    fn sweep_chosen(&mut self, backwards: bool, policy: &[u32]) {
        let count = self.nodes.len();
        for step in 0..count {
            let place = if backwards { count - 1 - step } else { step };
            let option = self.options[place] as usize + policy[self.nodes[place] as usize] as usize;
            let inner = &self.inner[self.targets[option] as usize..self.targets[option + 1] as usize];
            self.values[place] =
                inner.iter().fold(self.known[option], |sum, (to, p)| sum + p * self.values[*to as usize]);
        }
    }

    /// A sweep over the nodes, each with its best option: the largest move, as a share of the value, and how many options
    /// changed.
    fn sweep(&mut self, sense: Sense, backwards: bool, policy: &mut [u32]) -> (f64, usize) {
        let (mut moved, mut changed) = (0.0, 0);
        let count = self.nodes.len();
        for step in 0..count {
            let place = if backwards { count - 1 - step } else { step };
            let options = self.options[place] as usize..self.options[place + 1] as usize;
            let chosen = &mut policy[self.nodes[place] as usize];
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
            put(&mut self.values[place], own, &mut moved);
        }
        (moved, changed)
    }
}
