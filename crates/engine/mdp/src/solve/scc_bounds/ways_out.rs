//! Distances to the ways out of a component.

use super::options::FloatScc;
use crate::support::id;

/// The distance of each node to a way out, along the most favourable outcomes.
pub(super) struct WaysOut {
    /// The distance of every node to the nearest way out or node of known value; `u32::MAX` for nodes that lead to
    /// neither.
    pub(super) distance: Vec<u32>,
    /// The free nodes that lead out, the nearest first.
    pub(super) nearest_first: Vec<u32>,
}

impl WaysOut {
    pub(super) fn new(scc: &FloatScc, free: &[bool]) -> Self {
        let (starts, before) =
            leading(scc.len(), |node| scc.options(node as usize).iter().flat_map(|option| scc.inner(option)));
        let ends =
            |node: u32| !free[node as usize] || scc.options(node as usize).iter().any(|option| option.exit > 0.0);
        let mut distance = vec![u32::MAX; scc.len()];
        let mut queue: Vec<u32> = (0..id(scc.len())).filter(|node| ends(*node)).collect();
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

/// The predecessors of each node, and where those of each begin; one that leads there in several ways is listed several
/// times.
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
