//! All strongly connected components of a graph.

use std::ops::Range;

use budget::{Budget, Stopped};

use crate::tarjan::{Edges, Search, UNKNOWN};

/// The strongly connected components of the nodes that can be reached from `roots` along edges within
/// `nodes`, in topological order: edges lead forward only. Each is in increasing order.
///
/// # Errors
/// When the budget stops the run.
pub fn components<E: Iterator<Item = u32>>(
    nodes: Range<u32>,
    roots: impl IntoIterator<Item = u32>,
    edges: impl Fn(u32) -> E,
    budget: &Budget<'_>,
) -> Result<Vec<Vec<u32>>, Stopped> {
    let first = nodes.start;
    let mut levels = vec![UNKNOWN; nodes.len()];
    let mut search = Search::new(nodes.len(), 0);
    let within = |target: u32| nodes.contains(&target).then(|| target - first);
    let graph = Edges(|node| edges(first + node).filter_map(within));
    let mut components = Vec::new();
    for root in roots {
        search.find(&graph, root - first, &mut levels, budget, &mut |component, levels| {
            let mut members: Vec<u32> = component.members.iter().map(|member| first + member).collect();
            component.members.iter().for_each(|member| levels[*member as usize] = component.level);
            members.sort_unstable();
            components.push(members);
            Ok(())
        })?;
    }
    components.reverse();
    Ok(components)
}

#[cfg(test)]
mod tests;
