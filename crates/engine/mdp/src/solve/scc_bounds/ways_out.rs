//! How far it is out of a part.

use super::options::FloatPart;
use crate::support::id;

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
        let (starts, before) =
            leading(part.len(), |node| part.options(node as usize).iter().flat_map(|option| part.inner(option)));
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
pub(super) fn leading<'p, T: Iterator<Item = &'p (u32, f64)>>(
    nodes: usize,
    targets: impl Fn(u32) -> T,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0usize; nodes + 1];
    for node in 0..id(nodes) {
        targets(node).for_each(|(to, _)| starts[*to as usize + 1] += 1);
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut before = vec![0; starts[nodes]];
    for node in 0..id(nodes) {
        for (to, _) in targets(node) {
            before[next[*to as usize]] = node;
            next[*to as usize] += 1;
        }
    }
    (starts, before)
}
