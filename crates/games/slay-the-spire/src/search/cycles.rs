//! Positions among which play could continue for ever.
//!
//! Where everything can be blocked and nothing needs to be hit, or where what is lost can be healed, an upper bound can
//! justify itself: each position seems to have the value of the next one. But staying for ever earns nothing. So the
//! value of positions among which play can stay is at most that of the best way out of them.
//!
//! Where apparently best play does not leave some positions, the largest sets of them are computed in which play can
//! stay by choices that look best (maximal end components). If the value of the best way out of such a set is less than
//! that of the set, the set is lowered to it. If not, that way is taken, and everywhere else in the set a choice that
//! can lead towards it. That is done for all sets at once, and then best play leaves: any set in which it stayed for
//! ever would be part of one of these sets, from which it reaches the way out.

use budget::{Budget, Stopped};
use rustc_hash::FxHashMap;

use super::Search;
use super::end_components::{Options, end_components, leading};
use super::followed::Followed;
use super::known::NEW;
use crate::graph::choice::{Choice, SearchState};
use crate::numbers::index::index;

/// The result for positions that apparently best play does not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CycleOutcome {
    /// There are none, or their value is zero.
    No,
    /// Their values were lowered.
    Lowered,
    /// Their values hold, and they are left now.
    Freed,
}

/// A gain of less than this, relative to the largest possible value, is rounding.
const ROUNDING: f64 = 1e-12;

/// The rounding error of a value.
fn rounding(value: f64) -> f64 {
    ROUNDING * value.abs().max(1.0)
}

/// Whether a choice looks as good as one with the value `best`.
pub(super) fn looks_best(value: f64, best: f64) -> bool {
    // Ways out of a set have the values of the set up to rounding, and these are rounded once more.
    value >= best - 4.0 * rounding(best)
}

/// A decision with a health.
type Decision = (u32, i16);

/// States and their decisions, with the choices that look best and surely lead back to these states.
#[derive(Default)]
struct Maze {
    /// The states come first. Each has one choice, which is the draw.
    states: FxHashMap<SearchState, u32>,
    /// The decisions with the states to which they belong.
    decisions: Vec<(Decision, SearchState)>,
    numbers: FxHashMap<Decision, u32>,
    options: Options<Option<Choice>>,
}

impl Maze {
    fn decision(&self, node: u32) -> Option<(Decision, SearchState)> {
        let index = (node as usize).checked_sub(self.states.len())?;
        Some(self.decisions[index])
    }

    /// The number of a decision of a state.
    fn number(&mut self, decision: Decision, state: SearchState) -> u32 {
        *self.numbers.entry(decision).or_insert_with(|| {
            self.decisions.push((decision, state));
            self.options.push(Vec::new());
            index(self.options.len() - 1)
        })
    }
}

/// A way out of a set.
struct Exit {
    node: u32,
    choice: Choice,
    value: f64,
}

impl Search<'_, '_> {
    /// Finds those of these states that apparently best play does not leave, and resolves them.
    pub(crate) fn break_cycles(
        &mut self,
        states: &[SearchState],
        budget: &Budget<'_>,
    ) -> Result<CycleOutcome, Stopped> {
        let stuck = self.not_left(states);
        if stuck.is_empty() {
            return Ok(CycleOutcome::No);
        }
        let mut maze = self.maze(&stuck, budget)?;
        let sets = end_components(&mut maze.options, budget)?;
        let leading = leading(&maze.options);
        let (mut lowered, mut freed) = (false, false);
        for set in sets {
            let exits = self.exits(&maze, &set, budget)?;
            let most = exits.iter().map(|exit| exit.value).fold(f64::NEG_INFINITY, f64::max);
            // Staying for ever earns nothing.
            let most = if self.payoff.is_cost() { most } else { most.max(0.0) };
            let states = set.iter().take_while(|node| (**node as usize) < stuck.len());
            let seemed = states.map(|node| self.lower(stuck[*node as usize], most)).fold(0.0, f64::max);
            if seemed > rounding(most) {
                lowered = true;
            } else if most > 0.0 || self.payoff.is_cost() {
                freed |= self.lead_out(&maze, &leading, exits, most);
            }
        }
        self.freed += u64::from(freed);
        Ok(match (lowered, freed) {
            (true, _) => CycleOutcome::Lowered,
            (false, true) => CycleOutcome::Freed,
            (false, false) => CycleOutcome::No,
        })
    }

    /// The states that apparently best play does not leave.
    fn not_left(&mut self, states: &[SearchState]) -> Vec<SearchState> {
        let numbers: FxHashMap<SearchState, usize> =
            states.iter().enumerate().map(|(number, state)| (*state, number)).collect();
        let mut followed = Followed::default();
        let mut follows: Vec<Vec<usize>> = Vec::new();
        let mut leaves = Vec::new();
        for state in states {
            self.ends = false;
            self.backup(*state, &mut followed);
            let next = &followed.next;
            leaves.push(self.ends || next.iter().any(|state| !numbers.contains_key(state)));
            follows.push(next.iter().filter_map(|state| numbers.get(state).copied()).collect());
        }
        loop {
            let before = leaves.iter().filter(|leaves| **leaves).count();
            for number in 0..states.len() {
                leaves[number] |= follows[number].iter().any(|next| leaves[*next]);
            }
            if leaves.iter().filter(|leaves| **leaves).count() == before {
                break;
            }
        }
        states.iter().zip(leaves).filter(|(_, leaves)| !leaves).map(|(state, _)| *state).collect()
    }

    fn maze(&mut self, states: &[SearchState], budget: &Budget<'_>) -> Result<Maze, Stopped> {
        let mut maze = Maze { states: states.iter().copied().zip(0..).collect(), ..Maze::default() };
        maze.options.resize_with(states.len(), Vec::new);
        for (index, state) in states.iter().enumerate() {
            self.ask(budget)?;
            let draws = self.graph.expand_before(state.0).range();
            let items: Vec<u32> = self.graph.items[draws].iter().map(|(_, point)| *point).collect();
            self.memo.begin(self.graph.points_of(state.0));
            let mut next = maze.decisions.len();
            let targets = items.iter().map(|point| maze.number((*point, state.1), *state)).collect();
            maze.options[index].push((None, targets));
            while let Some((decision, _)) = maze.decisions.get(next).copied() {
                let choices = self.staying(decision, *state, &mut maze);
                maze.options[states.len() + next] = choices;
                next += 1;
            }
            self.memo.end();
        }
        Ok(maze)
    }

    /// The choices of a decision that look best and surely lead to states of the maze, or to decisions.
    fn staying(
        &mut self,
        (point, health): Decision,
        state: SearchState,
        maze: &mut Maze,
    ) -> Vec<(Option<Choice>, Vec<u32>)> {
        let (best, _) = self.best(point, health);
        let mut found = Vec::new();
        for choice in self.graph.points[point as usize].choices() {
            if !looks_best(self.choice_upper(choice, health), best) {
                continue;
            }
            let targets = match choice {
                Choice::Edge(index) => {
                    let edge = self.graph.edges[index];
                    let (Some(left), Ok(node)) = (self.left(&edge, health), edge.to.node()) else { continue };
                    // What is lost on the way counts.
                    if self.payoff.gained(edge.change) != 0.0 {
                        continue;
                    }
                    // Its value may be lower than it seemed.
                    self.tighten(node, left);
                    self.open(node);
                    if !looks_best(self.choice_upper(choice, health), best) {
                        continue;
                    }
                    let rolls = self.graph.rolls_of(node).unwrap_or_default();
                    rolls.iter().map(|(_, before)| maze.states.get(&(*before, left)).copied()).collect()
                }
                Choice::Chance(index) => {
                    let items = self.graph.items[self.graph.chances[index].range()].iter();
                    Some(items.map(|(_, point)| maze.number((*point, health), state)).collect())
                }
            };
            if let Some(targets) = targets {
                found.push((Some(choice), targets));
            }
        }
        found
    }

    /// All choices in a set that do not surely lead back to it.
    fn exits(&mut self, maze: &Maze, set: &[u32], budget: &Budget<'_>) -> Result<Vec<Exit>, Stopped> {
        let mut exits = Vec::new();
        let mut here = None;
        for node in set {
            let Some(((point, health), state)) = maze.decision(*node) else { continue };
            if here.replace(state) != Some(state) {
                self.ask(budget)?;
                self.memo.begin(self.graph.points_of(state.0));
            }
            let stays = &maze.options[*node as usize];
            for choice in self.graph.points[point as usize].choices() {
                if !stays.iter().any(|(other, _)| *other == Some(choice)) {
                    exits.push(Exit { node: *node, choice, value: self.choice_upper(choice, health) });
                }
            }
        }
        self.memo.end();
        Ok(exits)
    }

    /// Forces choices that leave a set by ways out whose values equal that of the best one. Returns whether any of them
    /// is new.
    fn lead_out(&mut self, maze: &Maze, leading: &[Vec<u32>], mut exits: Vec<Exit>, most: f64) -> bool {
        exits.retain(|exit| exit.value >= most - rounding(most));
        // Ways out that lead to nothing new come first.
        let known: Vec<bool> = exits.iter().map(|exit| self.is_known_exit(maze, exit)).collect();
        if known.contains(&true) {
            let mut known = known.into_iter();
            exits.retain(|_| known.next() == Some(true));
        } else {
            exits.truncate(1);
        }
        let mut new = false;
        let mut force = |node: u32, choice: Choice| {
            if let Some((decision, _)) = maze.decision(node) {
                new |= self.forced.insert(decision, choice) != Some(choice);
            }
        };
        let mut reached = rustc_hash::FxHashSet::default();
        let mut queue = std::collections::VecDeque::new();
        for exit in exits {
            if reached.insert(exit.node) {
                force(exit.node, exit.choice);
                queue.push_back(exit.node);
            }
        }
        while let Some(node) = queue.pop_front() {
            for owner in &leading[node as usize] {
                if !reached.insert(*owner) {
                    continue;
                }
                let towards = maze.options[*owner as usize].iter().find(|(_, targets)| targets.contains(&node));
                if let Some((Some(choice), _)) = towards {
                    force(*owner, *choice);
                }
                queue.push_back(*owner);
            }
        }
        new
    }

    /// Whether all outcomes of a way out were discovered before.
    fn is_known_exit(&mut self, maze: &Maze, exit: &Exit) -> bool {
        let Some(((_, health), _)) = maze.decision(exit.node) else { return false };
        match exit.choice {
            Choice::Edge(index) => {
                let edge = self.graph.edges[index];
                let (Some(left), Ok(node)) = (self.left(&edge, health), edge.to.node()) else { return true };
                let rolls = self.graph.rolls_of(node);
                rolls.is_some_and(|rolls| rolls.iter().all(|(_, before)| self.status((*before, left)) != NEW))
            }
            Choice::Chance(index) => {
                let mut followed = Followed::default();
                for index in self.graph.chances[index].range() {
                    let (_, point) = self.graph.items[index];
                    self.follow(point, health, &mut followed);
                }
                followed.next.iter().all(|state| self.status(*state) != NEW)
            }
        }
    }
}
