//! Tarjan's algorithm for strongly connected components, without recursion.

use budget::{Budget, Stopped};

/// The level of a node whose component is not known yet.
pub const UNKNOWN: u32 = u32::MAX;

/// Steps between two checks of the budget.
const LOOK: u32 = 1 << 10;

/// A directed graph, whose edges are requested one by one.
pub trait Graph {
    /// The position among the edges of a node.
    type Cursor;

    /// The position before the first edge of a node.
    fn cursor(&self, node: u32) -> Self::Cursor;

    /// The target of the next edge.
    fn next(&self, cursor: &mut Self::Cursor) -> Option<u32>;

    /// One more than the highest level of targets whose edges are left out.
    fn level(&self, _node: u32) -> u32 {
        0
    }
}

/// A graph given by a function that returns the targets of each node.
pub struct Edges<F>(pub F);

impl<E: Iterator<Item = u32>, F: Fn(u32) -> E> Graph for Edges<F> {
    type Cursor = E;

    fn cursor(&self, node: u32) -> E {
        self.0(node)
    }

    #[inline]
    fn next(&self, cursor: &mut E) -> Option<u32> {
        cursor.next()
    }
}

/// A strongly connected component.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    /// Its nodes, in the order in which they were visited.
    pub members: &'a [u32],
    /// Whether a path leads from it to itself: it has several nodes, or one that leads to itself.
    pub is_cyclic: bool,
    /// One more than the highest level of its targets outside; 0 if there are none.
    pub level: u32,
}

/// A node on the path of the depth-first search.
#[derive(Debug)]
struct Frame<C> {
    node: u32,
    cursor: C,
    /// One more than the highest level reached outside the node's own component.
    level: u32,
    leads_to_itself: bool,
}

/// A depth-first search, which can be repeated without new allocations.
#[derive(Debug)]
pub struct Search<C> {
    /// For every node its number in the order of visits (0 if it was not visited), and the lowest number of an open
    /// node that it is known to lead to.
    found: Vec<[u32; 2]>,
    visits: u32,
    open: Vec<u32>,
    frames: Vec<Frame<C>>,
    steps: u32,
    /// Bytes held in addition to `open` and `frames`.
    held: u64,
}

impl<C> Search<C> {
    /// A search among this many nodes, while `held` bytes are in use: memory beyond `12` bytes for each node is
    /// requested as it grows.
    pub fn new(nodes: usize, held: u64) -> Self {
        Self { found: vec![[0; 2]; nodes], visits: 0, open: Vec::new(), frames: Vec::new(), steps: 0, held }
    }

    /// Prepares a search among this many other nodes.
    pub fn restart(&mut self, nodes: usize) {
        self.found.clear();
        self.found.resize(nodes, [0; 2]);
        self.visits = 0;
    }

    /// Finds the components of a node and of all nodes reachable from it through levels that are [`UNKNOWN`]; others
    /// are skipped. `finish` gets each component after its successors, and the levels, and must set those of its nodes.
    ///
    /// # Errors
    /// When the budget or `finish` stops the run.
    ///
    /// # Panics
    /// When there are fewer levels than nodes.
    pub fn find(
        &mut self,
        graph: &impl Graph<Cursor = C>,
        root: u32,
        levels: &mut [u32],
        budget: &Budget<'_>,
        finish: &mut impl FnMut(Component<'_>, &mut [u32]) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut entered = Some(root).filter(|root| levels[*root as usize] == UNKNOWN);
        loop {
            self.steps = self.steps.wrapping_add(1);
            if self.steps.is_multiple_of(LOOK) {
                budget.check()?;
            }
            if let Some(node) = entered.take() {
                self.visits += 1;
                self.found[node as usize] = [self.visits; 2];
                self.may_grow(budget)?;
                self.open.push(node);
                let (cursor, level) = (graph.cursor(node), graph.level(node));
                self.frames.push(Frame { node, cursor, level, leads_to_itself: false });
            }
            let Some(top) = self.frames.last_mut() else { return Ok(()) };
            if let Some(next) = graph.next(&mut top.cursor) {
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

    /// Requests the memory for the path when an array is full and doubles.
    fn may_grow(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        if self.frames.len() < self.frames.capacity() {
            return Ok(());
        }
        let growth = (2 * self.frames.capacity() * size_of::<Frame<C>>()) as u64;
        budget.more_memory(growth)?;
        budget.memory(self.held + 3 * growth / 2 + 2 * size_of_val(&self.open[..]) as u64)
    }
}
