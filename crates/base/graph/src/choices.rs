//! Graphs with choices, and their end components.

use budget::{Budget, Stopped};

use crate::tarjan::{Graph, Search, UNKNOWN};

/// No end component.
const NONE: u32 = u32::MAX;

/// A graph in which every node has choices, each of which can lead to several nodes: the graph of a Markov decision
/// process. Stored as compressed rows: 4 bytes for each node, choice and target.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Where each node's choices begin; one more entry than nodes.
    nodes: Vec<u32>,
    /// Where each choice's targets begin; one more entry than choices.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

/// The maximal end components of a graph: the largest sets of nodes with choices that surely lead to the same set
/// again, and with which each of its nodes can be reached from every other one. They are disjoint.
#[derive(Clone, Debug)]
pub struct EndComponents {
    of: Vec<u32>,
    kept: Vec<bool>,
}

impl EndComponents {
    /// The number of a node's end component; not every smaller number is used. `None` if the node is in none.
    pub fn of(&self, node: u32) -> Option<u32> {
        Some(self.of[node as usize]).filter(|component| *component != NONE)
    }

    /// For every choice, in order, whether it surely leads to its node's end component again.
    pub fn kept(&self) -> &[bool] {
        &self.kept
    }
}

/// The number of an entry.
fn id(entry: usize) -> u32 {
    u32::try_from(entry).expect("a graph has fewer than 2^32 edges")
}

impl Default for Choices {
    fn default() -> Self {
        Self::new()
    }
}

impl Choices {
    /// A graph without nodes.
    pub fn new() -> Self {
        Self { nodes: vec![0], starts: vec![0], targets: Vec::new() }
    }

    /// Adds a choice to the next node, which can lead to these nodes.
    ///
    /// # Panics
    /// When there are too many edges.
    pub fn choice(&mut self, targets: impl IntoIterator<Item = u32>) {
        self.targets.extend(targets);
        self.starts.push(id(self.targets.len()));
    }

    /// Adds the next node, with the choices that were added since the last one.
    ///
    /// # Panics
    /// When there are too many choices.
    pub fn node(&mut self) {
        self.nodes.push(id(self.starts.len() - 1));
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn targets(&self, choice: u32) -> &[u32] {
        &self.targets[self.starts[choice as usize] as usize..self.starts[choice as usize + 1] as usize]
    }

    /// The maximal end components (de Alfaro, *Formal Verification of Probabilistic Systems*, 1997).
    ///
    /// They are computed as the strongly connected components of the choices that stay within one, repeated until
    /// nothing changes. A node without remaining choices at once removes the choices that lead to it, so that a long
    /// path out is not removed one node a round. The first round, in which all nodes are one component, only does that:
    /// often no node is left.
    ///
    /// # Errors
    /// When the budget stops the run.
    ///
    /// ```
    /// use budget::Budget;
    /// use graph::Choices;
    ///
    /// // 0 and 1 lead to each other; 0 has another choice, which may lead to 2, where there is none.
    /// let mut choices = Choices::new();
    /// choices.choice([1]);
    /// choices.choice([0, 2]);
    /// choices.node();
    /// choices.choice([0]);
    /// choices.node();
    /// choices.node();
    /// let found = choices.end_components(&Budget::unlimited())?;
    /// assert!(found.of(0).is_some() && found.of(0) == found.of(1) && found.of(2).is_none());
    /// assert_eq!(found.kept(), [true, false, true]);
    /// # Ok::<(), budget::Stopped>(())
    /// ```
    pub fn end_components(&self, budget: &Budget<'_>) -> Result<EndComponents, Stopped> {
        let mut found = EndComponents { of: vec![0; self.len()], kept: vec![true; self.starts.len() - 1] };
        if found.kept.is_empty() {
            found.of.fill(NONE);
            return Ok(found);
        }
        let mut left: Vec<u32> = self.nodes.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let (starts, leading) = self.leading();
        let mut dead: Vec<u32> = Vec::new();
        let mut is_first = true;
        loop {
            let mut changed = std::mem::replace(&mut is_first, false);
            if !changed {
                found.of = self.components(&found, budget)?;
            }
            let EndComponents { of, kept } = &mut found;
            for node in 0..self.len() {
                for choice in self.nodes[node]..self.nodes[node + 1] {
                    let stays =
                        of[node] != NONE && self.targets(choice).iter().all(|target| of[*target as usize] == of[node]);
                    if kept[choice as usize] && !stays {
                        kept[choice as usize] = false;
                        left[node] -= 1;
                        changed = true;
                    }
                }
                if left[node] == 0 && of[node] != NONE {
                    of[node] = NONE;
                    dead.push(id(node));
                }
            }
            while let Some(node) = dead.pop() {
                let to_node = starts[node as usize] as usize..starts[node as usize + 1] as usize;
                for (choice, owner) in &leading[to_node] {
                    if std::mem::replace(&mut kept[*choice as usize], false) {
                        changed = true;
                        left[*owner as usize] -= 1;
                        if left[*owner as usize] == 0 && of[*owner as usize] != NONE {
                            of[*owner as usize] = NONE;
                            dead.push(*owner);
                        }
                    }
                }
            }
            if !changed || of.iter().all(|component| *component == NONE) {
                return Ok(found);
            }
            budget.check()?;
        }
    }

    /// For every node the choices that lead to it with their nodes, and where each node's list begins.
    fn leading(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut starts = vec![0; self.len() + 1];
        for target in &self.targets {
            starts[*target as usize + 1] += 1;
        }
        for node in 0..self.len() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut leading = vec![(0, 0); self.targets.len()];
        for owner in 0..id(self.len()) {
            for choice in self.nodes[owner as usize]..self.nodes[owner as usize + 1] {
                for target in self.targets(choice) {
                    leading[next[*target as usize] as usize] = (choice, owner);
                    next[*target as usize] += 1;
                }
            }
        }
        (starts, leading)
    }

    /// The strongly connected component of every node that is still in one, by the choices that are kept.
    fn components(&self, found: &EndComponents, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
        // Nodes in none count as finished.
        let mut components: Vec<u32> = found.of.iter().map(|own| if *own == NONE { 0 } else { UNKNOWN }).collect();
        let mut search = Search::new(self.len(), 0);
        let mut number = 0;
        let kept = KeptStates { graph: self, kept: &found.kept };
        for root in 0..id(self.len()) {
            search.find(&kept, root, &mut components, budget, &mut |component, components| {
                component.members.iter().for_each(|member| components[*member as usize] = number);
                number += 1;
                Ok(())
            })?;
        }
        components
            .iter_mut()
            .zip(&found.of)
            .filter(|(_, own)| **own == NONE)
            .for_each(|(component, _)| *component = NONE);
        Ok(components)
    }
}

/// The edges of choices that are kept.
struct KeptStates<'a> {
    graph: &'a Choices,
    kept: &'a [bool],
}

/// The remaining edges of a node.
struct Cursor {
    /// The first remaining choice.
    choice: u32,
    end: u32,
    /// Its first remaining target.
    target: u32,
}

impl Graph for KeptStates<'_> {
    type Cursor = Cursor;

    fn cursor(&self, node: u32) -> Cursor {
        let [choice, end] = [node, node + 1].map(|node| self.graph.nodes[node as usize]);
        Cursor { choice, end, target: 0 }
    }

    fn next(&self, cursor: &mut Cursor) -> Option<u32> {
        while cursor.choice < cursor.end {
            let targets = self.graph.targets(cursor.choice);
            if self.kept[cursor.choice as usize]
                && let Some(target) = targets.get(cursor.target as usize)
            {
                cursor.target += 1;
                return Some(*target);
            }
            cursor.choice += 1;
            cursor.target = 0;
        }
        None
    }
}
