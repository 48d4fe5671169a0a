//! Strongly connected components of a graph that is asked for its edges: Tarjan's algorithm without recursion.

use std::ops::Range;

use budget::{Budget, Stopped};

/// A node's place in the order of visits, and the lowest one that it is connected with.
#[derive(Clone, Copy)]
struct Mark {
    visit: u32,
    lowest: u32,
}

const UNSEEN: Mark = Mark { visit: u32::MAX, lowest: u32::MAX };
/// The visit of a node whose component is complete.
const COMPLETE: u32 = u32::MAX - 1;

/// The strongly connected components of the nodes that can be reached from `roots` along edges within
/// `nodes`, in an order in which edges lead forward only. Each is in increasing order.
///
/// # Errors
/// When the budget says stop.
pub fn components<E: Iterator<Item = u32>>(
    nodes: Range<u32>,
    roots: impl IntoIterator<Item = u32>,
    edges: impl Fn(u32) -> E,
    budget: &Budget<'_>,
) -> Result<Vec<Vec<u32>>, Stopped> {
    let at = |node: u32| (node - nodes.start) as usize;
    let mut marks = vec![UNSEEN; nodes.len()];
    let mut visits = 0;
    let mut open = Vec::new();
    let mut way: Vec<(u32, E)> = Vec::new();
    let mut components = Vec::new();
    for root in roots {
        let mut entered = (marks[at(root)].visit == UNSEEN.visit).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                budget.look()?;
                marks[at(node)] = Mark { visit: visits, lowest: visits };
                visits += 1;
                open.push(node);
                way.push((node, edges(node)));
            }
            let Some((node, rest)) = way.last_mut() else { break };
            let node = *node;
            if let Some(target) = rest.next() {
                if nodes.contains(&target) {
                    let visit = marks[at(target)].visit;
                    if visit == UNSEEN.visit {
                        entered = Some(target);
                    } else if visit != COMPLETE {
                        marks[at(node)].lowest = marks[at(node)].lowest.min(visit);
                    }
                }
                continue;
            }
            way.pop();
            let Mark { visit, lowest } = marks[at(node)];
            if lowest == visit {
                let first = open.iter().rposition(|other| *other == node).unwrap_or(0);
                let mut component = open.split_off(first);
                for member in &component {
                    marks[at(*member)].visit = COMPLETE;
                }
                component.sort_unstable();
                components.push(component);
            } else if let Some((parent, _)) = way.last() {
                let parent = &mut marks[at(*parent)];
                parent.lowest = parent.lowest.min(lowest);
            }
        }
    }
    components.reverse();
    Ok(components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_in_order() {
        // 10 -> 11 <-> 12 -> 13 (a loop) -> 99 (outside); 14 is not reached.
        let edges: [&[u32]; 5] = [&[11], &[12], &[11, 13], &[13, 99], &[10]];
        let found = components(10..15, [10], |node| edges[node as usize - 10].iter().copied(), &Budget::unlimited());
        assert_eq!(found, Ok(vec![vec![10], vec![11, 12], vec![13]]));
        let all = components(10..15, 10..15, |node| edges[node as usize - 10].iter().copied(), &Budget::unlimited());
        assert_eq!(all, Ok(vec![vec![14], vec![10], vec![11, 12], vec![13]]));
    }
}
