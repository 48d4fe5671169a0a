//! The smallest sets of nodes of a graph that nothing leads out of.

/// What is not numbered yet.
const NEW: usize = usize::MAX;

/// Of the nodes that `within` names, the strongly connected components out of which no edge leads (Tarjan). No edge
/// may lead from these nodes to others.
pub(crate) fn closed_sets(edges: &[Vec<usize>], within: &[bool]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let (mut number, mut low) = (vec![NEW; edges.len()], vec![NEW; edges.len()]);
    let mut done = vec![false; edges.len()];
    let mut stack = Vec::new();
    let mut next = 0;
    for start in (0..edges.len()).filter(|node| within[*node]) {
        if number[start] != NEW {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                (number[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(to) = edges[node].get(*edge).copied() {
                *edge += 1;
                if number[to] == NEW {
                    path.push((to, 0));
                } else if !done[to] {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == number[node] {
                let from = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                let component = stack.split_off(from);
                // What was done before is another component.
                let leaves = component.iter().any(|node| edges[*node].iter().any(|to| done[*to]));
                for node in &component {
                    done[*node] = true;
                }
                if !leaves {
                    found.push(component);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::closed_sets;

    #[test]
    fn only_what_nothing_leads_out_of() {
        // 0 and 1 lead to each other and to 2; 2 leads to itself; 3 to 4 and back; 5 is left out.
        let edges = vec![vec![1], vec![0, 2], vec![2], vec![4], vec![3], vec![0]];
        let mut sets = closed_sets(&edges, &[true, true, true, true, true, false]);
        for set in &mut sets {
            set.sort_unstable();
        }
        assert_eq!(sets, [vec![2], vec![3, 4]]);
    }
}
