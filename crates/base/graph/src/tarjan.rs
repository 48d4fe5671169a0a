//! Tarjan's algorithm for strongly connected components, without recursion.

use budget::{Budget, Stopped};

/// The level of a node whose component has not been found.
pub const UNKNOWN: u32 = u32::MAX;

/// Steps between two looks at the budget.
const LOOK: u32 = 1 << 10;

/// A directed graph, which is asked for the edges of one node after another.
pub trait Graph {
    /// Which edges of a node have been told.
    type Cursor;

    /// None of the edges of a node has been told.
    fn cursor(&self, node: u32) -> Self::Cursor;

    /// The node to which the next edge leads.
    fn next(&self, cursor: &mut Self::Cursor) -> Option<u32>;

    /// One more than the highest level of nodes to which a node leads by edges that are not told.
    fn level(&self, _node: u32) -> u32 {
        0
    }
}

/// A graph whose edges a function tells: to which nodes each leads.
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
    /// One more than the highest level outside to which it leads; 0 where it leads nowhere.
    pub level: u32,
}

/// A node on the path of the depth-first search.
#[derive(Debug)]
struct Frame<C> {
    node: u32,
    cursor: C,
    /// One more than the highest level met outside the node's own component.
    level: u32,
    leads_to_itself: bool,
}

/// A depth-first search, which keeps its memory from one to the next.
#[derive(Debug)]
pub struct Search<C> {
    /// For every node how many were visited up to it (0 when it was not), and the lowest of these numbers of the nodes that
    /// it is known to lead to and that are still open.
    found: Vec<[u32; 2]>,
    visits: u32,
    open: Vec<u32>,
    frames: Vec<Frame<C>>,
    steps: u32,
    /// Bytes that are held beside `open` and `frames`.
    held: u64,
}

impl<C> Search<C> {
    /// A search among so many nodes, while `held` bytes are in use: what the search takes beside `12` bytes a node is asked for
    /// as it grows.
    pub fn new(nodes: usize, held: u64) -> Self {
        Self { found: vec![[0; 2]; nodes], visits: 0, open: Vec::new(), frames: Vec::new(), steps: 0, held }
    }

    /// The next search is among so many other nodes.
    pub fn restart(&mut self, nodes: usize) {
        self.found.clear();
        self.found.resize(nodes, [0; 2]);
        self.visits = 0;
    }

    /// Finds the components of a node and of all to which it leads and whose levels are [`UNKNOWN`]; others are not looked at.
    /// `finish` gets each component after all to which it leads, and the levels: it must give those of its nodes another value.
    ///
    /// # Errors
    /// When the budget or `finish` says stop.
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

    /// Asks for the memory that the path takes when an array is full and doubles.
    fn may_grow(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        if self.frames.len() < self.frames.capacity() {
            return Ok(());
        }
        let growth = (2 * self.frames.capacity() * size_of::<Frame<C>>()) as u64;
        budget.more_memory(growth)?;
        budget.memory(self.held + 3 * growth / 2 + 2 * size_of_val(&self.open[..]) as u64)
    }
}
