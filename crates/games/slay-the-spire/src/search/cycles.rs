//! Positions among which play could go round for ever.
//!
//! Where everything can be blocked and nothing needs to be hit, or where what is lost can be healed, an upper bound can
//! feed on itself: each position seems worth what the next one seems worth. But staying for ever earns nothing. So
//! positions among which one can stay are worth at most what the best way out of them is worth.
//!
//! Where best play, as it looks, does not leave some positions, the largest sets of them are looked for in which one can
//! stay by choices that look best (maximal end components). If the best way out of such a set is worth less than the set
//! seems to be, the set is worth less. If not, that way is taken, and everywhere else in the set something that leads
//! towards it by some chance. That is done for all sets at once, and then best play leaves: whatever it went round in
//! for ever would be a part of one of the sets, and from there it comes to the way out.

use budget::{Budget, Stopped};
use rustc_hash::FxHashMap;

use super::Search;
use super::end_components::{Options, end_components, leading};
use super::followed::Followed;
use super::known::NEW;
use crate::graph::choice::{Choice, Place};
use crate::numbers::index::index;

/// What became of positions that are not left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// There are none, or nothing is to be had from them.
    No,
    /// They are worth less than it seemed.
    Lowered,
    /// They are worth what it seems, and are left now.
    Freed,
}

/// A gain of less than this, relative to what there is to be had, is rounding.
const ROUNDING: f64 = 1e-12;

/// What rounding can make of a value.
fn rounding(value: f64) -> f64 {
    ROUNDING * value.abs().max(1.0)
}

/// Whether a choice looks as good as one that is worth `best`.
pub(super) fn looks_best(value: f64, best: f64) -> bool {
    // Ways out of a set are as good as what rounding made of its values, and these are rounded once more.
    value >= best - 4.0 * rounding(best)
}

/// A decision with a health.
type Decision = (u32, i16);

/// Places and their decisions, with the choices that look best and surely lead back to these places.
#[derive(Default)]
struct Maze {
    /// The places come first. They have one choice, which is nobody's: the draw.
    places: FxHashMap<Place, u32>,
    /// The decisions with the places to which they belong.
    decisions: Vec<(Decision, Place)>,
    numbers: FxHashMap<Decision, u32>,
    options: Options<Option<Choice>>,
}

impl Maze {
    fn decision(&self, node: u32) -> Option<(Decision, Place)> {
        let index = (node as usize).checked_sub(self.places.len())?;
        Some(self.decisions[index])
    }

    /// The number of a decision of a place.
    fn number(&mut self, decision: Decision, place: Place) -> u32 {
        *self.numbers.entry(decision).or_insert_with(|| {
            self.decisions.push((decision, place));
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
    /// Finds those of these places that best play, as it looks, does not leave, and deals with them.
    pub(crate) fn unstick(&mut self, places: &[Place], budget: &Budget<'_>) -> Result<Stuck, Stopped> {
        let stuck = self.not_left(places);
        if stuck.is_empty() {
            return Ok(Stuck::No);
        }
        let mut maze = self.maze(&stuck, budget)?;
        let sets = end_components(&mut maze.options, budget)?;
        let leading = leading(&maze.options);
        let (mut lowered, mut freed) = (false, false);
        for set in sets {
            let exits = self.exits(&maze, &set, budget)?;
            let most = exits.iter().map(|exit| exit.value).fold(f64::NEG_INFINITY, f64::max);
            // Staying for ever earns nothing.
            let most = if self.payoff.loss { most } else { most.max(0.0) };
            let places = set.iter().take_while(|node| (**node as usize) < stuck.len());
            let seemed = places.map(|node| self.lower(stuck[*node as usize], most)).fold(0.0, f64::max);
            if seemed > rounding(most) {
                lowered = true;
            } else if most > 0.0 || self.payoff.loss {
                freed |= self.lead_out(&maze, &leading, exits, most);
            }
        }
        self.freed += u64::from(freed);
        Ok(match (lowered, freed) {
            (true, _) => Stuck::Lowered,
            (false, true) => Stuck::Freed,
            (false, false) => Stuck::No,
        })
    }

    /// The places that best play, as it looks, does not leave.
    fn not_left(&mut self, places: &[Place]) -> Vec<Place> {
        let numbers: FxHashMap<Place, usize> =
            places.iter().enumerate().map(|(number, place)| (*place, number)).collect();
        let mut followed = Followed::default();
        let mut follows: Vec<Vec<usize>> = Vec::new();
        let mut leaves = Vec::new();
        for place in places {
            self.ends = false;
            self.backup(*place, &mut followed);
            let next = &followed.next;
            leaves.push(self.ends || next.iter().any(|place| !numbers.contains_key(place)));
            follows.push(next.iter().filter_map(|place| numbers.get(place).copied()).collect());
        }
        loop {
            let before = leaves.iter().filter(|leaves| **leaves).count();
            for number in 0..places.len() {
                leaves[number] |= follows[number].iter().any(|next| leaves[*next]);
            }
            if leaves.iter().filter(|leaves| **leaves).count() == before {
                break;
            }
        }
        places.iter().zip(leaves).filter(|(_, leaves)| !leaves).map(|(place, _)| *place).collect()
    }

    fn maze(&mut self, places: &[Place], budget: &Budget<'_>) -> Result<Maze, Stopped> {
        let mut maze = Maze { places: places.iter().copied().zip(0..).collect(), ..Maze::default() };
        maze.options.resize_with(places.len(), Vec::new);
        for (index, place) in places.iter().enumerate() {
            self.ask(budget)?;
            let draws = self.graph.expand_before(place.0).range();
            let items: Vec<u32> = self.graph.items[draws].iter().map(|(_, point)| *point).collect();
            self.memo.begin(self.graph.points_of(place.0));
            let mut next = maze.decisions.len();
            let targets = items.iter().map(|point| maze.number((*point, place.1), *place)).collect();
            maze.options[index].push((None, targets));
            while let Some((decision, _)) = maze.decisions.get(next).copied() {
                let choices = self.staying(decision, *place, &mut maze);
                maze.options[places.len() + next] = choices;
                next += 1;
            }
            self.memo.end();
        }
        Ok(maze)
    }

    /// The choices of a decision that look best and surely lead to the places of the maze, or to decisions.
    fn staying(&mut self, (point, health): Decision, place: Place, maze: &mut Maze) -> Vec<(Option<Choice>, Vec<u32>)> {
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
                    // Where health has no limit, what is lost on the way counts.
                    if self.payoff.loss && edge.change.delta != 0 {
                        continue;
                    }
                    // It may be worth less than it seemed.
                    self.tighten(node, left);
                    self.open(node);
                    if !looks_best(self.choice_upper(choice, health), best) {
                        continue;
                    }
                    let rolls = self.graph.rolls_of(node).unwrap_or_default();
                    rolls.iter().map(|(_, before)| maze.places.get(&(*before, left)).copied()).collect()
                }
                Choice::Chance(index) => {
                    let items = self.graph.items[self.graph.chances[index].range()].iter();
                    Some(items.map(|(_, point)| maze.number((*point, health), place)).collect())
                }
            };
            if let Some(targets) = targets {
                found.push((Some(choice), targets));
            }
        }
        found
    }

    /// All that can be chosen in a set beside what surely leads to it again.
    fn exits(&mut self, maze: &Maze, set: &[u32], budget: &Budget<'_>) -> Result<Vec<Exit>, Stopped> {
        let mut exits = Vec::new();
        let mut here = None;
        for node in set {
            let Some(((point, health), place)) = maze.decision(*node) else { continue };
            if here.replace(place) != Some(place) {
                self.ask(budget)?;
                self.memo.begin(self.graph.points_of(place.0));
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

    /// Forces choices that leave a set by ways out that are worth as much as the best one. Says whether any of them is new.
    fn lead_out(&mut self, maze: &Maze, leading: &[Vec<u32>], mut exits: Vec<Exit>, most: f64) -> bool {
        exits.retain(|exit| exit.value >= most - rounding(most));
        // What leads to nothing new needs not be looked for.
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

    /// Whether all that can follow a way out was met before.
    fn is_known_exit(&mut self, maze: &Maze, exit: &Exit) -> bool {
        let Some(((_, health), _)) = maze.decision(exit.node) else { return false };
        match exit.choice {
            Choice::Edge(index) => {
                let edge = self.graph.edges[index];
                let (Some(left), Ok(node)) = (self.left(&edge, health), edge.to.node()) else { return true };
                let rolls = self.graph.rolls_of(node);
                rolls.is_some_and(|rolls| rolls.iter().all(|(_, before)| self.mark((*before, left)) != NEW))
            }
            Choice::Chance(index) => {
                let mut followed = Followed::default();
                for index in self.graph.chances[index].range() {
                    let (_, point) = self.graph.items[index];
                    self.follow(point, health, &mut followed);
                }
                followed.next.iter().all(|place| self.mark(*place) != NEW)
            }
        }
    }
}
