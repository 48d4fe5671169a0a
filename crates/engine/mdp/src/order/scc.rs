//! Strongly connected components, and the level of every state.

use std::ops::Range;

use budget::{Budget, Stopped};

use super::inner::{Inner, Lockstep};
use super::nodes::Nodes;
use super::row_graph::RowGraph;
use crate::model::{CHANCE, Code, KIND, LOW, SHARED, StateId, target};
use crate::order::inner;
use crate::support::{filled, id, look, to_index};
use graph::{Component, Graph, Search, UNKNOWN};

/// Bytes for each state that [`order`](super::order()) needs beside the new stream: the search stores three numbers for
/// every state. Memory for the search path is requested as it grows.
pub(crate) const BYTES_PER_STATE: u64 = 3 * 4;
/// The same for each node where states form rows, including its first state and the number of its block. There are no
/// more nodes than states.
pub(crate) const BYTES_PER_NODE: u64 = BYTES_PER_STATE + Nodes::BYTES + 4;

/// The level of every node (of a state, or of states that are on one level), and the components.
pub(super) struct Sccs {
    pub(super) levels: Vec<u32>,
    /// The nodes of every component, each of one state, in increasing order.
    pub(super) cyclic: Vec<Vec<u32>>,
}

/// The states of a stream as a graph.
struct States<'a>(&'a Code);

/// A cursor over the targets of a state.
struct Cursor {
    /// Words of the state's run still to read.
    next: u64,
    end: u64,
    /// Targets of the current chance node still to visit.
    target: u64,
    targets: u32,
    /// The state's lane in its block.
    lane: u32,
}

impl Graph for States<'_> {
    type Cursor = Cursor;

    fn cursor(&self, state: StateId) -> Cursor {
        let (words, lane) = self.0.words_of(state);
        let Range { start: next, end } = words;
        Cursor { next, end, target: 0, targets: 0, lane }
    }

    #[inline]
    fn next(&self, cursor: &mut Cursor) -> Option<StateId> {
        while cursor.targets == 0 {
            if cursor.next == cursor.end {
                return None;
            }
            cursor.read_on(self.0);
        }
        let target = target(self.0.words[to_index(cursor.target)], cursor.lane);
        cursor.target += 1;
        cursor.targets -= 1;
        Some(target)
    }
}

impl Cursor {
    /// Moves on to the targets of the next chance node.
    fn read_on(&mut self, code: &Code) {
        let header = code.words[to_index(self.next)];
        self.next += 1;
        match header & KIND {
            CHANCE => {
                self.target = self.next;
                self.targets = id(code.weights.count(header));
                self.next += u64::from(self.targets);
            }
            SHARED => {
                let (owner, delta) = code.shared[(header & LOW) as usize];
                let node = code.offsets[owner as usize] + u64::from(delta);
                self.target = node + 1;
                self.targets = id(code.weights.count(code.words[to_index(node)]));
            }
            _ => {}
        }
    }
}

impl Graph for RowGraph {
    type Cursor = Range<usize>;

    fn cursor(&self, row: u32) -> Range<usize> {
        self.next_of(row)
    }

    #[inline]
    fn next(&self, cursor: &mut Range<usize>) -> Option<u32> {
        cursor.next().map(|index| self.next_at(index))
    }
}

impl Sccs {
    fn unknown(nodes: usize) -> Self {
        Self { levels: filled(UNKNOWN, nodes), cyclic: Vec::new() }
    }

    /// Finds the components of these states; all their successors are known, or among them.
    fn search<G: Graph>(
        &mut self,
        graph: &G,
        search: &mut Search<G::Cursor>,
        states: impl Iterator<Item = StateId>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let Self { levels, cyclic } = self;
        for root in states {
            search.find(graph, root, levels, budget, &mut |component, levels| {
                for member in component.members {
                    levels[*member as usize] = component.level;
                }
                if component.is_cyclic {
                    let mut members = component.members.to_vec();
                    members.sort_unstable();
                    cyclic.push(members);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The same for blocks whose states lead to each other in lockstep: results for the first states hold for all.
    fn search_blocks(
        &mut self,
        blocks: &Lockstep<'_>,
        search: &mut Search<inner::Cursor>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let Self { levels, cyclic } = self;
        let mut known = vec![UNKNOWN; blocks.len()];
        search.restart(blocks.len());
        for root in 0..id(blocks.len()) {
            search.find(blocks, root, &mut known, budget, &mut |component, known| {
                for block in component.members {
                    known[*block as usize] = component.level;
                    let Range { start, end } = blocks.states(*block);
                    levels[start as usize..end as usize].fill(component.level);
                }
                if component.is_cyclic {
                    let mut first: Vec<StateId> =
                        component.members.iter().map(|block| blocks.states(*block).start).collect();
                    first.sort_unstable();
                    let lanes = component.members.first().map_or(0..0, |block| blocks.states(*block));
                    let sccs = (0..id(lanes.len())).map(|lane| first.iter().map(|state| state + lane).collect());
                    cyclic.extend(sccs);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The strongly connected components. A state whose choices lead to higher numbers only is a component by itself, if no
/// choice leads from a higher number to it or below it: models that are written level by level need no search, nor do
/// such parts of other models.
pub(super) fn find_sccs(code: &Code, held: u64, budget: &Budget<'_>) -> Result<Sccs, Stopped> {
    let mut sccs = Sccs::unknown(code.states() as usize);
    let mut search = Search::new(sccs.levels.len(), held + u64::from(code.states()) * BYTES_PER_STATE);
    let mut end = code.states();
    while end > 0 {
        // The states from `begin` to `end` are those between which choices lead back.
        let mut begin = end;
        let mut least = StateId::MAX;
        let mut level = 0;
        while begin == end || least < begin {
            begin -= 1;
            look(budget, begin)?;
            for target in code.choices(begin).flat_map(|choice| choice.targets.iter()) {
                least = least.min(target);
                level = level.max(sccs.levels[target as usize].wrapping_add(1));
            }
        }
        if begin + 1 == end && least >= end {
            sccs.levels[begin as usize] = level;
        } else {
            sccs.search(&States(code), &mut search, begin..end, budget)?;
        }
        end = begin;
    }
    Ok(sccs)
}

/// The strongly connected components of rows, successors first.
pub(super) struct Components {
    /// The rows of all of them.
    rows: Vec<u32>,
    /// The end of each component, and whether it has a cycle.
    ends: Vec<(u32, bool)>,
}

impl Components {
    /// Bytes for each row: those of the search, and its level.
    const BYTES_PER_ROW: u64 = 3 * 4 + 3 * 4;

    pub(super) fn new(rows: &RowGraph, held: u64, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let mut components = Self { rows: Vec::with_capacity(rows.len()), ends: Vec::new() };
        let mut known = vec![UNKNOWN; rows.len()];
        let mut search = Search::new(rows.len(), held + rows.len() as u64 * Self::BYTES_PER_ROW);
        for row in (0..id(rows.len())).rev() {
            search.find(rows, row, &mut known, budget, &mut |Component { members, is_cyclic, .. }, known| {
                components.rows.extend_from_slice(members);
                components.ends.push((id(components.rows.len()), is_cyclic));
                for row in members {
                    known[*row as usize] = 0;
                }
                Ok(())
            })?;
        }
        Ok(components)
    }

    /// The rows of each component, and whether it has a cycle.
    fn iter(&self) -> impl Iterator<Item = (&[u32], bool)> {
        let mut begin = 0;
        self.ends.iter().map(move |(end, is_cyclic)| {
            let own = begin..*end as usize;
            begin = own.end;
            (&self.rows[own], *is_cyclic)
        })
    }

    /// For each row whether its component has a cycle.
    pub(super) fn cyclic_rows(&self, rows: usize) -> Vec<bool> {
        let mut cyclic = vec![false; rows];
        for (own, is_cyclic) in self.iter().filter(|(_, is_cyclic)| *is_cyclic) {
            for row in own {
                cyclic[*row as usize] = is_cyclic;
            }
        }
        cyclic
    }
}

/// [`find_sccs`] where states form rows: states of a row are as deep as the deepest of them, unless choices lead
/// back to it. `code` has the words of the nodes of cyclic rows.
pub(super) fn find_sccs_of_rows(
    code: &Code,
    rows: &RowGraph,
    nodes: &Nodes,
    components: &Components,
    held: u64,
    budget: &Budget<'_>,
) -> Result<Sccs, Stopped> {
    let mut sccs = Sccs::unknown(nodes.len());
    let held = held + nodes.len() as u64 * BYTES_PER_NODE + rows.len() as u64 * Components::BYTES_PER_ROW;
    let mut search = Search::new(nodes.len(), held);
    let mut search_of_blocks = Search::new(0, held);
    let mut inner = Inner::new(nodes.len());
    // The levels of rows: those of their deepest states.
    let mut levels = vec![0; rows.len()];
    for (step, (members, is_cyclic)) in (0..).zip(components.iter()) {
        look(budget, step)?;
        if is_cyclic {
            let own = || members.iter().map(|row| nodes.of_row(*row));
            inner.read(code, &sccs.levels, own(), budget)?;
            match inner.lockstep() {
                Some(blocks) => sccs.search_blocks(&blocks, &mut search_of_blocks, budget)?,
                None => sccs.search(&inner, &mut search, own().flatten(), budget)?,
            }
            for row in members {
                let own = nodes.of_row(*row);
                let own = &sccs.levels[own.start as usize..own.end as usize];
                levels[*row as usize] = own.iter().copied().max().unwrap_or(0);
            }
        } else {
            for row in members {
                let next = rows.next_of(*row).map(|index| levels[rows.next_at(index) as usize] + 1);
                let level = next.max().unwrap_or(0);
                levels[*row as usize] = level;
                sccs.levels[nodes.of_row(*row).start as usize] = level;
            }
        }
    }
    Ok(sccs)
}
