//! Tarjan's algorithm for strongly connected components, without recursion.

use budget::{Budget, Stopped};

use crate::support::look;

/// The level of a node that has not been finished.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// What is searched: nodes, each of which leads to others.
pub(super) trait Graph {
    /// How far the nodes have been looked at to which a node leads.
    type Way;

    /// Nothing has been looked at.
    fn way(&self, node: u32) -> Self::Way;

    /// The next of those nodes.
    fn next(&self, way: &mut Self::Way) -> Option<u32>;

    /// One more than the highest level of other nodes to which a node leads.
    fn level(&self, _node: u32) -> u32 {
        0
    }
}

/// A strongly connected component.
pub(super) struct Component<'a> {
    /// Its nodes, in no order.
    pub(super) members: &'a [u32],
    /// Whether play can go round in it: it has several, or one that leads to itself.
    pub(super) is_cyclic: bool,
    /// One more than the highest level outside to which it leads.
    pub(super) level: u32,
}

/// A node on the way down of the depth-first search.
struct Frame<W> {
    node: u32,
    way: W,
    /// One more than the highest level met outside the node's own component.
    level: u32,
    leads_to_itself: bool,
}

/// What the search needs; kept from one to the next.
pub(super) struct Search<W> {
    /// For every node how many were visited up to it (0 when it was not), and the lowest of these numbers of the nodes that
    /// it is known to lead to and that are still open.
    found: Vec<[u32; 2]>,
    visits: u32,
    open: Vec<u32>,
    frames: Vec<Frame<W>>,
    steps: u32,
    /// Bytes that are held beside `open` and `frames`.
    held: u64,
}

impl<W> Search<W> {
    /// A search among so many nodes.
    pub(super) fn new(nodes: usize, held: u64) -> Self {
        Self { found: vec![[0; 2]; nodes], visits: 0, open: Vec::new(), frames: Vec::new(), steps: 0, held }
    }

    /// The next search is among so many other nodes.
    pub(super) fn restart(&mut self, nodes: usize) {
        self.found.clear();
        self.found.resize(nodes, [0; 2]);
        self.visits = 0;
    }

    /// Finds the components of a node and of all to which it leads and whose levels are not known. `finish` is told each after
    /// all to which it leads, and gives its nodes their levels.
    pub(super) fn find(
        &mut self,
        graph: &impl Graph<Way = W>,
        root: u32,
        levels: &mut [u32],
        budget: &Budget<'_>,
        finish: &mut impl FnMut(Component<'_>, &mut [u32]) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut entered = Some(root).filter(|root| levels[*root as usize] == UNKNOWN);
        loop {
            self.steps = self.steps.wrapping_add(1);
            look(budget, self.steps)?;
            if let Some(node) = entered.take() {
                self.visits += 1;
                self.found[node as usize] = [self.visits; 2];
                self.may_grow(budget)?;
                self.open.push(node);
                let (way, level) = (graph.way(node), graph.level(node));
                self.frames.push(Frame { node, way, level, leads_to_itself: false });
            }
            let Some(top) = self.frames.last_mut() else { return Ok(()) };
            if let Some(next) = graph.next(&mut top.way) {
                let level = levels[next as usize];
                if level != UNKNOWN {
                    top.level = top.level.max(level + 1);
                    continue;
                }
                let [visited, _] = self.found[next as usize];
                if visited == 0 {
                    entered = Some(next);
                } else {
                    let [_, lowest] = &mut self.found[top.node as usize];
                    *lowest = visited.min(*lowest);
                    top.leads_to_itself |= next == top.node;
                }
                continue;
            }
            let Some(done) = self.frames.pop() else { return Ok(()) };
            let [visited, lowest] = self.found[done.node as usize];
            let finished = lowest == visited;
            if finished {
                let own = self.open.iter().rposition(|other| *other == done.node).unwrap_or(0);
                let members = &self.open[own..];
                let is_cyclic = members.len() > 1 || done.leads_to_itself;
                finish(Component { members, is_cyclic, level: done.level }, levels)?;
                self.open.truncate(own);
            }
            if let Some(parent) = self.frames.last_mut() {
                if finished {
                    parent.level = parent.level.max(levels[done.node as usize] + 1);
                } else {
                    parent.level = parent.level.max(done.level);
                    let [_, above] = &mut self.found[parent.node as usize];
                    *above = lowest.min(*above);
                }
            }
        }
    }

    /// Asks for the memory that the way down takes when an array is full and doubles.
    fn may_grow(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        if self.frames.len() < self.frames.capacity() {
            return Ok(());
        }
        let growth = (2 * self.frames.capacity() * size_of::<Frame<W>>()) as u64;
        budget.more_memory(growth)?;
        budget.memory(self.held + 3 * growth / 2 + 2 * size_of_val(&self.open[..]) as u64)
    }
}
