//! Best play, by searching only where it could be.
//!
//! Every position has an upper bound of its value: at first that of [`Bound`](crate::graph::bound), later the best of
//! its choices. Only the choices that look best are followed, depth first (the learning depth-first search of Bonet and
//! Geffner): a position is solved when all its successors under its best choices are. Positions that lead back to each
//! other (Tarjan's strongly connected components) are updated together until nothing changes.
//!
//! Updates are monotone and the first bounds hold, so all values are upper bounds at any time, also when the search is
//! stopped. That they are attained is proved separately, by following the choices ([`induced_chain`]).

pub mod best;
pub mod cycles;
pub mod deepen;
pub mod depth_first;
pub mod end_components;
pub mod exact;
pub mod extract_policy;
pub mod fallback_policy;
pub mod followed;
pub mod induced_chain;
pub mod known;
pub mod memo;
pub mod payoff;
pub mod policy_worth;
pub mod rollout;
pub mod root;
pub mod table;
pub mod tighten;
pub mod warm_start;

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use self::followed::Followed;
use self::induced_chain::Ending;
use self::known::{After, Before, INFERRED, NEW, PROVED, SOLVED, is_known};
use self::memo::Memo;
use self::payoff::Payoff;
use self::table::Table;
use crate::graph::choice::{Choice, SearchState};
use crate::graph::{Edge, Graph};
use crate::numbers::rounding::up;
use crate::rules::healing::Healing;

/// A search over a graph that grows with it.
#[derive(Debug)]
pub(crate) struct Search<'g, 'a> {
    pub graph: &'g mut Graph<'a>,
    pub payoff: Payoff,
    potions: u8,
    /// The sources of healing within the fight.
    pub(crate) healing: Healing,
    /// Whether there are any.
    pub(crate) heals: bool,
    /// The results for the before nodes with each health.
    before: Table<Before>,
    /// If set, the search looks a few turns ahead before it follows what looks best to its end: one turn more for each
    /// started group of this many turns of the last time.
    pub(crate) strides: Option<u8>,
    /// The results for the after nodes with each health.
    pub(crate) after: Table<After>,
    /// Whether each after node is open: whether its value is derived from those of its rolls.
    opened: Vec<bool>,
    /// For decisions with many choices the best one and its value at the last search for it.
    pub(super) best_known: FxHashMap<(u32, i16), (f64, Choice)>,
    /// The decisions of the current turn.
    pub(super) memo: Memo,
    /// The states on the current path, with their numbers in the order of discovery.
    active: FxHashMap<SearchState, u32>,
    met: u32,
    component: Vec<SearchState>,
    /// Choices that lead out of a set of positions that would not be left otherwise.
    pub(crate) forced: FxHashMap<(u32, i16), Choice>,
    /// How often such choices were found: then others may be taken than seemed best.
    pub(crate) freed: u64,
    /// Whether the last backup saw an end of the fight on its best choices.
    pub(crate) ends: bool,
    /// Whether values are inferred from those for less health.
    infers: bool,
    /// The number of backups.
    pub steps: u64,
    /// The number of states at the last check of the limits.
    checked: u64,
}

/// Strides with which the look-ahead grows by a third each time.
const LONG_STRIDES: u8 = 3;

impl<'g, 'a> Search<'g, 'a> {
    pub(crate) fn new(graph: &'g mut Graph<'a>, payoff: Payoff, potions: u8) -> Self {
        let healing = Healing::new(graph.transitions.rules);
        let looks_ahead = graph.looks_ahead();
        Self {
            graph,
            payoff,
            potions,
            before: Table::new(Before::UNKNOWN),
            strides: looks_ahead.then_some(u8::MAX),
            after: Table::new(After::UNKNOWN),
            opened: Vec::new(),
            healing,
            heals: healing.is_any(),
            best_known: FxHashMap::default(),
            memo: Memo::default(),
            active: FxHashMap::default(),
            met: 0,
            component: Vec::new(),
            forced: FxHashMap::default(),
            freed: 0,
            ends: false,
            infers: false,
            steps: 0,
            checked: 0,
        }
    }

    /// The look-ahead from the rolls of an after node, after this many turns from the node.
    pub(crate) fn looked_ahead(&self, node: u32, health: i16, turns: u8) -> u8 {
        let known = |(_, before): &(f64, u32)| match self.status((*before, health)) {
            PROVED => After::PROVED,
            SOLVED | INFERRED => After::KNOWN,
            _ => turns,
        };
        self.graph.rolls_of(node).unwrap_or_default().iter().map(known).min().unwrap_or(turns)
    }

    /// Records a look-ahead from a state, and the least look-ahead of its successors on the best choices.
    pub(crate) fn set_ahead(&mut self, (node, health): SearchState, turns: u8, beyond: u8) {
        let cell = self.before.at(node, health);
        cell.ahead = turns;
        match beyond {
            After::PROVED => cell.status = PROVED,
            After::KNOWN => cell.status = SOLVED,
            _ => {}
        }
    }

    /// From now on a few turns are looked ahead, in strides, before what looks best is followed to its end.
    pub(crate) fn look_ahead_first(&mut self) {
        self.strides = Some(LONG_STRIDES);
    }

    pub(super) fn status(&self, (node, health): SearchState) -> u8 {
        self.before.get(node, health).status
    }

    fn set_status(&mut self, (node, health): SearchState, status: u8) {
        self.before.at(node, health).status = status;
    }

    /// The number of turns looked ahead from a state.
    pub(crate) fn ahead(&self, (node, health): SearchState) -> u8 {
        self.before.get(node, health).ahead
    }

    pub(crate) fn upper(&self, (node, health): SearchState) -> f64 {
        self.before.get(node, health).upper
    }

    /// An upper bound of the value of an edge, with this health.
    pub(crate) fn edge_upper(&self, edge: &Edge, health: i16) -> f64 {
        let gained = self.payoff.gained(edge.change);
        let Some(left) = self.left(edge, health) else { return gained + self.payoff.of_end(Ending::DEAD) };
        match edge.to.node() {
            Err(_) if self.payoff.loss => gained,
            Err(spoils) => gained + self.payoff.won(left, spoils),
            Ok(node) => {
                let value = self.after_value(node, left);
                let value = if self.payoff.is_given_up(value) { self.payoff.of_end(Ending::DEAD) } else { value };
                gained + value
            }
        }
    }

    /// The health after an edge.
    pub(crate) fn left(&self, edge: &Edge, health: i16) -> Option<i16> {
        if self.payoff.loss { Some(0) } else { edge.change.after(health) }
    }

    /// An upper bound of the value of an after node.
    pub(crate) fn after_value(&self, node: u32, health: i16) -> f64 {
        let value = self.after.get(node, health).upper;
        if value == f64::INFINITY { self.bound_value(node, health) } else { value }
    }

    pub(crate) fn bound_value(&self, node: u32, health: i16) -> f64 {
        if self.payoff.loss {
            return -self.graph.least_loss(node, None);
        }
        if self.payoff.turns {
            return -1.0;
        }
        let health = f64::from(if self.heals { self.most_healed(node, health) } else { health });
        up(self.payoff.at_most((health - self.graph.least_loss(node, Some(health))).max(0.0), self.potions), 4)
    }

    /// An upper bound of the value with this much health in any case: no reported bound exceeds it.
    pub(crate) fn possible(&self, health: i16) -> f64 {
        let most = if self.heals { self.graph.transitions.rules.most_health() } else { health };
        if self.payoff.is_cost() { 0.0 } else { self.payoff.at_most(most.into(), self.potions) }
    }

    /// The highest possible final health, from an after node on.
    fn most_healed(&self, node: u32, health: i16) -> i16 {
        let most = self.graph.transitions.rules.most_health();
        let standing = self.graph.transitions.parts.standing(self.graph.after.value(node).enemies);
        let healed = self.healing.most(standing.iter().flatten()).and_then(|healed| i16::try_from(healed).ok());
        healed.map_or(most, |healed| health.saturating_add(healed).min(most))
    }

    /// Opens an after node: its value is derived from those of its rolls from now on. Returns whether it was closed.
    pub(crate) fn open(&mut self, node: u32) -> bool {
        if self.opened.get(node as usize).copied().unwrap_or(false) {
            return false;
        }
        if self.opened.len() <= node as usize {
            self.opened.resize(self.graph.after.len().max(node as usize + 1), false);
        }
        self.opened[node as usize] = true;
        let rolls = self.graph.expand_after(node);
        // The successors may be known already.
        if let Some((_, first)) = self.graph.outs[rolls.range()].first() {
            for health in self.before.columns(*first) {
                self.refresh(node, health);
            }
        }
        true
    }

    /// Backs a state up: its value from its best choices, and its successors.
    pub(crate) fn backup(&mut self, state: SearchState, followed: &mut Followed) {
        loop {
            followed.clear();
            let value = self.look_through(state, followed, |_| {});
            // A node that was opened just now may lead to solved states, and have a lower value than it seemed.
            if !followed.opened {
                self.lower(state, value);
                return;
            }
        }
    }

    /// Visits each decision of a state once. Returns an upper bound of its value; `each` is called after each draw with
    /// the successors so far.
    pub(crate) fn look_through(
        &mut self,
        (node, health): SearchState,
        followed: &mut Followed,
        mut each: impl FnMut(&Followed),
    ) -> f64 {
        self.steps += 1;
        let items = self.graph.expand_before(node);
        self.memo.begin(self.graph.points_of(node));
        let mut sum = 0.0;
        for index in items.range() {
            let (chance, point) = self.graph.items[index];
            sum += chance * self.follow(point, health, followed);
            each(followed);
        }
        self.memo.end();
        up(sum, items.range().len())
    }

    /// Whether after nodes still have the values that they seemed to have: then so do all states whose best choices
    /// lead to them, because the values of other choices never rise.
    pub(crate) fn still(&self, after: &[(u32, i16, f64)]) -> bool {
        after.iter().all(|(node, health, value)| self.after_value(*node, *health) >= *value)
    }

    /// Lowers the bound of a state, and marks the nodes from which it can be rolled.
    fn set_upper(&mut self, (node, health): SearchState, value: f64) {
        self.before.at(node, health).upper = value;
        let mut parents = self.graph.rolled_from(node);
        while let Some(parent) = parents.next(self.graph) {
            self.refresh(parent, health);
        }
    }

    /// Adds the successors of a decision. Returns an upper bound of its value.
    pub(crate) fn follow(&mut self, point: u32, health: i16, followed: &mut Followed) -> f64 {
        let (value, choice) = self.best(point, health);
        match choice {
            Some(Choice::Edge(index)) => {
                let edge = self.graph.edges[index];
                if let (Ok(node), Some(left)) = (edge.to.node(), self.left(&edge, health))
                    && !self.payoff.is_given_up(self.after_value(node, left))
                {
                    followed.after.push((node, left, self.after_value(node, left)));
                    followed.opened |= self.open(node);
                    let rolls = self.graph.rolls_of(node).unwrap_or_default();
                    followed.next.extend(rolls.iter().map(|(_, before)| (*before, left)));
                } else {
                    self.ends = true;
                }
            }
            Some(Choice::Chance(index)) => {
                for index in self.graph.chances[index].range() {
                    let (_, point) = self.graph.items[index];
                    self.follow(point, health, followed);
                }
            }
            None => {}
        }
        value
    }

    /// Lowers the upper bound of a state. Returns by how much.
    pub(crate) fn lower(&mut self, state: SearchState, most: f64) -> f64 {
        let known = self.upper(state);
        if most < known {
            self.set_upper(state, most);
        }
        known - most
    }

    pub(crate) fn ask(&mut self, budget: &Budget<'_>) -> Result<(), Stopped> {
        // One turn can have thousands of decisions, so the number of steps alone does not show how much was added.
        let states = self.graph.states();
        if self.steps.is_multiple_of(1024) || states >= self.checked + 1024 {
            self.checked = states;
            self.fits(budget)?;
        }
        budget.step(Stage::Exploring, states, self.active.len() as u64)
    }

    /// Bounds are computed within this budget's time only.
    pub(crate) fn bound_within(&mut self, budget: &Budget<'_>) {
        self.graph.bounds.iter_mut().for_each(|bounds| bounds.end_at(budget.deadline()));
    }

    /// Checks the limits.
    pub(crate) fn fits(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        budget.memory(self.bytes())?;
        budget.states(self.graph.states())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let values = self.before.bytes() + self.after.bytes() + 40 * self.best_known.len();
        // Lists may have twice the capacity that they use.
        self.graph.bytes() + 2 * values as u64
    }

    /// Whether the value of a state is known.
    pub(crate) fn is_known(&self, state: SearchState) -> bool {
        is_known(self.status(state))
    }

    /// Turns the inference of values on or off. Solved states must be solved again, which takes less time: values stay.
    pub(crate) fn inferring(&mut self, infers: bool) {
        self.infers = infers;
        self.before.cells_mut().filter(|cell| cell.status != PROVED).for_each(|cell| cell.status = NEW);
        self.after.cells_mut().filter(|cell| cell.ahead == After::KNOWN).for_each(|cell| cell.ahead = 0);
    }

    /// Whether best play from a state was found.
    pub(crate) fn is_solved(&self, state: SearchState) -> bool {
        matches!(self.status(state), SOLVED | PROVED)
    }

    /// An upper bound of the value of a decision.
    pub(crate) fn value(&mut self, point: u32, health: i16) -> f64 {
        self.best(point, health).0
    }

    /// The choice that looks best.
    pub(crate) fn choice(&mut self, point: u32, health: i16) -> Option<Choice> {
        self.best(point, health).1
    }
}
