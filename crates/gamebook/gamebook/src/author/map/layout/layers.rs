//! Layers of sections: after the last of their predecessors, with back edges reversed.

/// The number of sweeps that improve the order, and that move items.
pub(super) const SWEEPS: usize = 24;

/// An edge between sections, by index, directed downwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) above: usize,
    pub(super) below: usize,
    /// Whether it was reversed or is a self-loop: it leads from `below` to `above`.
    pub(super) back: bool,
}

/// The edges with back edges reversed, and the sections in topological order. Searches from `start`, then from every section
/// not seen yet.
pub(super) fn without_loops(next: &[Vec<usize>], start: usize) -> (Vec<Edge>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut seen = vec![Seen::Not; next.len()];
    let (mut edges, mut order) = (Vec::new(), Vec::new());
    for root in (start..next.len()).take(1).chain(0..next.len()) {
        if seen[root] != Seen::Not {
            continue;
        }
        seen[root] = Seen::Open;
        let mut path = vec![(root, 0)];
        while let Some((section, looked)) = path.last_mut() {
            let section = *section;
            if let Some(&to) = next[section].get(*looked) {
                *looked += 1;
                let back = seen[to] == Seen::Open;
                edges.push(if back {
                    Edge { above: to, below: section, back }
                } else {
                    Edge { above: section, below: to, back }
                });
                if seen[to] == Seen::Not {
                    seen[to] = Seen::Open;
                    path.push((to, 0));
                }
            } else {
                seen[section] = Seen::Done;
                order.push(section);
                path.pop();
            }
        }
    }
    order.reverse();
    edges.sort_by_key(|edge| if edge.back { (edge.below, edge.above) } else { (edge.above, edge.below) });
    (edges, order)
}

/// The layer of every section: after all predecessors, then moved to shorten edges.
pub(super) fn layers(edges: &[Edge], order: &[usize], start: usize) -> Vec<usize> {
    let sections = order.len();
    let (mut above, mut below) = (vec![Vec::new(); sections], vec![Vec::new(); sections]);
    for edge in edges.iter().filter(|edge| edge.above != edge.below) {
        above[edge.below].push(edge.above);
        below[edge.above].push(edge.below);
    }
    let mut layers = vec![0usize; sections];
    for &section in order {
        layers[section] = above[section].iter().map(|other| layers[*other] + 1).max().unwrap_or(0);
    }
    for _ in 0..SWEEPS {
        let mut moved = false;
        for &section in order.iter().rev() {
            let highest = above[section].iter().map(|other| layers[*other] + 1).max().unwrap_or(0);
            let lowest = below[section].iter().map(|other| layers[*other].saturating_sub(1)).min().unwrap_or(highest);
            let better = if section != start && below[section].len() > above[section].len() { lowest } else { highest };
            moved |= better != layers[section];
            layers[section] = better;
        }
        if !moved {
            break;
        }
    }
    layers
}
