//! Value iteration: first values and a first policy of a part, as long as that is fast.
//!
//! A sweep uses values as they become, so its order decides how far it carries: on a map from the ways out inwards, in a
//! protocol backwards along its steps, in a game between two ruins to and fro. Which of these a part is like is
//! tried out.

use budget::Stopped;

use super::options::{End, FloatOption, FloatPart};
use super::policy::{RESTS, Task};
use crate::places::{about, id};

/// Sweeps of one kind between two looks at how fast they are.
const BLOCK: usize = 4;
/// Two orders, each in one direction or to and fro.
const KINDS: usize = 4;
/// Blocks of trials: every kind twice, since what the first brings is not what comes later.
const TRIALS: usize = 2 * KINDS;
/// More blocks than these are not made where the values come to rest slowly, and where they come to rest fast.
const MOST_SLOW: usize = 15;
const MOST: usize = 75;
/// Sweeps over the first policy alone.
const FIRST: usize = 4;
/// What is better by less than this share is not: it may be rounding.
const NOISE: f64 = 1e-12;

impl Task<'_> {
    /// Better values, and the policy that they come from.
    pub(super) fn iterate(&self, policy: &mut [u32], values: &mut [f64], end: End) -> Result<(), Stopped> {
        let orders = [&self.ways_out.nearest_first, &self.depth_first()];
        let nodes = orders[0].len();
        self.guess(orders[0], policy, values, end);
        for _ in 0..FIRST {
            for node in orders[0] {
                values[*node as usize] = self.own_worth(*node, self.chosen(policy, *node), values, end);
            }
        }
        // What was left of the largest move after a block.
        let mut left = [1.0f64; KINDS];
        let (mut moved, mut kind) = (f64::INFINITY, 0);
        for block in 0..MOST {
            if block < TRIALS {
                kind = block % KINDS;
            } else if block == TRIALS {
                kind = (0..KINDS).min_by(|a, b| left[*a].total_cmp(&left[*b])).unwrap_or(0);
            }
            let before = moved;
            let mut changed = 0;
            for sweep in 0..BLOCK {
                self.effort.budget.check()?;
                let order = orders[kind / 2].iter();
                let fro = kind % 2 == 1 && sweep % 2 == 1;
                (moved, changed) = if fro {
                    self.sweep(order.rev(), policy, values, end)
                } else {
                    self.sweep(order, policy, values, end)
                };
            }
            if moved <= RESTS || !moved.is_finite() {
                break;
            }
            left[kind] = moved / before;
            if block >= TRIALS {
                let needed = (RESTS / moved).ln() / left[kind].ln();
                let fast = needed > 0.0 && needed < about((MOST - block) as u64);
                if !fast && (changed * 1000 <= nodes || block >= MOST_SLOW) {
                    break;
                }
            }
        }
        Ok(())
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

    /// A sweep over the nodes in this order, each with its best option: the largest move, as a share of the value, and how
    /// many options changed.
    fn sweep<'n>(
        &self,
        order: impl Iterator<Item = &'n u32>,
        policy: &mut [u32],
        values: &mut [f64],
        end: End,
    ) -> (f64, usize) {
        let Self { part, .. } = *self;
        let (mut moved, mut changed) = (0.0, 0);
        for node in order {
            let at = *node as usize;
            let mut best = (part.sense.worst(), policy[at]);
            let mut own = best.0;
            for (place, option) in (0..).zip(part.options(at)) {
                let worth = self.own_worth(*node, option, values, end);
                if place == policy[at] {
                    own = worth;
                }
                if part.sense.prefers(worth, best.0) {
                    best = (worth, place);
                }
            }
            if best.1 != policy[at] && (best.0 - own).abs() > NOISE * own.abs() {
                policy[at] = best.1;
                own = best.0;
                changed += 1;
            }
            let change = (own - values[at]).abs();
            if change > moved * own {
                moved = change / own;
            }
            values[at] = own;
        }
        (moved, changed)
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

/// How far it is out of a part, if all goes that way.
pub(super) struct WaysOut {
    /// How far every node is from the nearest way out, or one whose value is known; `u32::MAX` for nodes that do not lead
    /// out.
    pub(super) distance: Vec<u32>,
    /// The free nodes that lead out, the nearest first.
    pub(super) nearest_first: Vec<u32>,
}

impl WaysOut {
    pub(super) fn new(part: &FloatPart, free: &[bool]) -> Self {
        let (starts, before) = leading(part);
        let ends =
            |node: u32| !free[node as usize] || part.options(node as usize).iter().any(|option| option.exit > 0.0);
        let mut distance = vec![u32::MAX; part.len()];
        let mut queue: Vec<u32> = (0..id(part.len())).filter(|node| ends(*node)).collect();
        for node in &queue {
            distance[*node as usize] = u32::from(free[*node as usize]);
        }
        let mut done = 0;
        while let Some(node) = queue.get(done).map(|node| *node as usize) {
            done += 1;
            for earlier in &before[starts[node]..starts[node + 1]] {
                if distance[*earlier as usize] == u32::MAX {
                    distance[*earlier as usize] = distance[node] + 1;
                    queue.push(*earlier);
                }
            }
        }
        queue.retain(|node| free[*node as usize]);
        Self { distance, nearest_first: queue }
    }
}

/// The nodes that lead to each node, and where those of each begin; one that leads there in several ways stands there
/// several times.
fn leading(part: &FloatPart) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0usize; part.len() + 1];
    for option in part.all_options() {
        part.inner(option).iter().for_each(|(to, _)| starts[*to as usize + 1] += 1);
    }
    for node in 0..part.len() {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut before = vec![0; starts[part.len()]];
    for node in 0..id(part.len()) {
        for (to, _) in part.options(node as usize).iter().flat_map(|option| part.inner(option)) {
            before[next[*to as usize]] = node;
            next[*to as usize] += 1;
        }
    }
    (starts, before)
}
