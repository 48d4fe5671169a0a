//! Strongly connected components, and how deep every state lies.

use std::ops::Range;

use budget::{Budget, Stopped};

use super::inner::Inner;
use super::row_graph::RowGraph;
use super::search::{Component, Graph, Search, UNKNOWN};
use super::{BYTES_PER_STATE, BYTES_PER_STATE_OF_ROWS, look};
use crate::model::{CHANCE, Code, KIND, LOW, SHARED, StateId, target};
use crate::places::{id, place};

/// The level of every state, and the cyclic parts.
pub(super) struct Parts {
    pub(super) levels: Vec<u32>,
    /// Every cyclic part's states, in increasing order.
    pub(super) cyclic: Vec<Vec<StateId>>,
}

/// The states of a stream as a graph.
struct States<'a>(&'a Code);

/// How far the targets of a state have been looked at.
struct Way {
    /// Words of the state's run still to read.
    next: u64,
    end: u64,
    /// Targets of the current chance node still to visit.
    target: u64,
    targets: u32,
    /// The state's place in its block.
    lane: u32,
}

impl Graph for States<'_> {
    type Way = Way;

    fn way(&self, state: StateId) -> Way {
        let (words, lane) = self.0.words_of(state);
        let Range { start: next, end } = words;
        Way { next, end, target: 0, targets: 0, lane }
    }

    #[inline]
    fn next(&self, way: &mut Way) -> Option<StateId> {
        while way.targets == 0 {
            if way.next == way.end {
                return None;
            }
            way.read_on(self.0);
        }
        let target = target(self.0.words[place(way.target)], way.lane);
        way.target += 1;
        way.targets -= 1;
        Some(target)
    }
}

impl Way {
    /// Goes on to the targets of the next chance node.
    fn read_on(&mut self, code: &Code) {
        let header = code.words[place(self.next)];
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
                self.targets = id(code.weights.count(code.words[place(node)]));
            }
            _ => {}
        }
    }
}

impl Graph for RowGraph {
    type Way = Range<usize>;

    fn way(&self, row: u32) -> Range<usize> {
        self.next_of(row)
    }

    #[inline]
    fn next(&self, way: &mut Range<usize>) -> Option<u32> {
        way.next().map(|place| self.next_at(place))
    }
}

impl Parts {
    fn unknown(code: &Code) -> Self {
        Self { levels: vec![UNKNOWN; code.states() as usize], cyclic: Vec::new() }
    }

    /// Finds the components of these states; all to which they lead are known, or among them.
    fn search<G: Graph>(
        &mut self,
        graph: &G,
        search: &mut Search<G::Way>,
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
}

/// The strongly connected components. A state whose choices lead to higher numbers only is one by itself, if no choice
/// leads from a higher number to it or below it: models that are written down level by level need no search, nor do the
/// parts of others that are.
pub(super) fn strong_parts(code: &Code, held: u64, budget: &Budget<'_>) -> Result<Parts, Stopped> {
    let mut parts = Parts::unknown(code);
    let mut search = Search::new(parts.levels.len(), held + u64::from(code.states()) * BYTES_PER_STATE);
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
                level = level.max(parts.levels[target as usize].wrapping_add(1));
            }
        }
        if begin + 1 == end && least >= end {
            parts.levels[begin as usize] = level;
        } else {
            parts.search(&States(code), &mut search, begin..end, budget)?;
        }
        end = begin;
    }
    Ok(parts)
}

/// The same where states have rows: states of a row are as deep as the deepest of them, unless choices lead back to it.
pub(super) fn strong_parts_of_rows(
    code: &Code,
    rows: &RowGraph,
    held: u64,
    budget: &Budget<'_>,
) -> Result<Parts, Stopped> {
    /// What is kept of a row: its level, and what the search knows of it.
    const BYTES_PER_ROW: u64 = 3 * 4;
    let mut parts = Parts::unknown(code);
    let held = held + u64::from(code.states()) * BYTES_PER_STATE_OF_ROWS + rows.len() as u64 * BYTES_PER_ROW;
    let mut search = Search::new(parts.levels.len(), held);
    let mut inner = Inner::new(parts.levels.len());
    // The levels of rows: those of their deepest states.
    let mut levels = vec![UNKNOWN; rows.len()];
    let mut search_rows = Search::new(rows.len(), held);
    let mut finish = |component: Component<'_>, levels: &mut [u32]| {
        let Component { members, is_cyclic, level } = component;
        if is_cyclic {
            let states = || members.iter().map(|row| rows.states(*row));
            inner.read(code, &parts.levels, states(), budget)?;
            parts.search(&inner, &mut search, states().flatten(), budget)?;
        }
        for row in members {
            let states = rows.states(*row);
            let own = &mut parts.levels[states.start as usize..states.end as usize];
            if !is_cyclic {
                own.fill(level);
            }
            levels[*row as usize] = own.iter().copied().max().unwrap_or(0);
        }
        Ok(())
    };
    for row in (0..id(rows.len())).rev() {
        search_rows.find(rows, row, &mut levels, budget, &mut finish)?;
    }
    Ok(parts)
}
