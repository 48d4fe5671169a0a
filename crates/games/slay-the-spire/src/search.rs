//! Best play, by looking only where it could be.
//!
//! Every position has an upper bound of what it is worth: at first what [`Bound`](crate::graph::bound) says, later the
//! best of its choices. Only the choices that look best are followed, depth first (the learning depth-first search
//! of Bonet and Geffner): a position is solved when all that follows on its best choices is. Positions that lead
//! back to each other (Tarjan's strongly connected components) are improved together until nothing changes.
//!
//! Improving is monotone and the first bounds hold, so all values hold as upper bounds at any time, also when the
//! search is stopped. That what is found can be reached is proved separately, by following the choices
//! ([`induced_chain`]).

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
use self::known::{After, Before, INFERRED, NEW, PROVED, SOLVED, is_known};
use self::memo::Memo;
use self::payoff::Payoff;
use self::table::Table;
use crate::graph::choice::{Choice, Place};
use crate::graph::{Edge, Graph};
use crate::numbers::rounding::up;
use crate::rules::healing::Healing;

/// A search over a graph that it lets grow.
#[derive(Debug)]
pub(crate) struct Search<'g, 'a> {
    pub graph: &'g mut Graph<'a>,
    pub payoff: Payoff,
    potions: u8,
    /// What makes health rise within the fight.
    pub(crate) healing: Healing,
    /// Whether anything does.
    pub(crate) heals: bool,
    /// What is known of the before nodes with each health.
    before: Table<Before>,
    /// If a few turns are looked at before what looks best is followed to its end: each time one more for every so many
    /// of the last time, begun ones counted.
    pub(crate) strides: Option<u8>,
    /// What is known of the after nodes with each health.
    pub(crate) after: Table<After>,
    /// The after nodes whose values follow those of their rolls.
    opened: Vec<bool>,
    /// For decisions with many choices the best one and its value, when it was last looked for.
    pub(super) best_known: FxHashMap<(u32, i16), (f64, Choice)>,
    /// The decisions of the turn that is looked at.
    pub(super) memo: Memo,
    /// The places that are active, with their numbers in the order in which they were met.
    active: FxHashMap<Place, u32>,
    met: u32,
    component: Vec<Place>,
    /// Choices that lead out of a set of positions that would not be left otherwise.
    pub(crate) forced: FxHashMap<(u32, i16), Choice>,
    /// How often such choices were found: then others may be taken than seemed best.
    pub(crate) freed: u64,
    /// The last backup saw an end of the fight on its best choices.
    pub(crate) ends: bool,
    /// What follows from values with less health is not looked for.
    infers: bool,
    /// Backups made.
    pub steps: u64,
    /// How many states there were when the limits were last asked.
    checked: u64,
}

/// Strides in which a look ahead goes a third as far again each time.
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

    /// How far was looked ahead from what can be rolled at an after node, where so many turns were looked at.
    pub(crate) fn looked_ahead(&self, node: u32, health: i16, turns: u8) -> u8 {
        let known = |(_, before): &(f64, u32)| match self.mark((*before, health)) {
            PROVED => After::PROVED,
            SOLVED | INFERRED => After::KNOWN,
            _ => turns,
        };
        self.graph.rolls_of(node).unwrap_or_default().iter().map(known).min().unwrap_or(turns)
    }

    /// So many turns were looked ahead from a place, and so far from what follows on its best choices.
    pub(crate) fn set_ahead(&mut self, (node, health): Place, turns: u8, beyond: u8) {
        let cell = self.before.at(node, health);
        cell.ahead = turns;
        match beyond {
            After::PROVED => cell.mark = PROVED,
            After::KNOWN => cell.mark = SOLVED,
            _ => {}
        }
    }

    /// From now on a few turns are looked at before what looks best is followed to its end, in strides.
    pub(crate) fn look_ahead_first(&mut self) {
        self.strides = Some(LONG_STRIDES);
    }

    pub(super) fn mark(&self, (node, health): Place) -> u8 {
        self.before.get(node, health).mark
    }

    fn set_mark(&mut self, (node, health): Place, mark: u8) {
        self.before.at(node, health).mark = mark;
    }

    /// How many turns were looked ahead from a place.
    pub(crate) fn ahead(&self, (node, health): Place) -> u8 {
        self.before.get(node, health).ahead
    }

    pub(crate) fn upper(&self, (node, health): Place) -> f64 {
        self.before.get(node, health).upper
    }

    /// What an edge is worth at most, from this health.
    pub(crate) fn edge_upper(&self, edge: &Edge, health: i16) -> f64 {
        let Some(left) = self.left(edge, health) else { return 0.0 };
        let gained = if self.payoff.loss { f64::from(edge.change.delta) } else { 0.0 };
        match edge.to.node() {
            Err(_) if self.payoff.loss => gained,
            Err(spoils) => self.payoff.won(left, spoils),
            Ok(node) => gained + self.after_value(node, left),
        }
    }

    /// The health that an edge leaves.
    pub(crate) fn left(&self, edge: &Edge, health: i16) -> Option<i16> {
        if self.payoff.loss { Some(0) } else { edge.change.after(health) }
    }

    /// What an after node is worth at most.
    pub(crate) fn after_value(&self, node: u32, health: i16) -> f64 {
        let value = self.after.get(node, health).upper;
        if value == f64::INFINITY { self.bound_value(node, health) } else { value }
    }

    pub(crate) fn bound_value(&self, node: u32, health: i16) -> f64 {
        if self.payoff.loss {
            return -self.graph.least_loss(node, None);
        }
        let health = f64::from(if self.heals { self.most_healed(node, health) } else { health });
        up(self.payoff.at_most((health - self.graph.least_loss(node, Some(health))).max(0.0), self.potions), 4)
    }

    /// What it is worth at most to have this much health, whatever comes: no bound is told that is above it.
    pub(crate) fn possible(&self, health: i16) -> f64 {
        let most = if self.heals { self.graph.transitions.rules.most_health() } else { health };
        if self.payoff.loss { 0.0 } else { self.payoff.at_most(most.into(), self.potions) }
    }

    /// The most health that one can have at the end, from an after node on.
    fn most_healed(&self, node: u32, health: i16) -> i16 {
        let most = self.graph.transitions.rules.most_health();
        let standing = self.graph.transitions.parts.standing(self.graph.after.value(node).enemies);
        let healed = self.healing.most(standing.iter().flatten()).and_then(|healed| i16::try_from(healed).ok());
        healed.map_or(most, |healed| health.saturating_add(healed).min(most))
    }

    /// Opens an after node: its value follows those of its rolls from now on. Says whether it was closed.
    pub(crate) fn open(&mut self, node: u32) -> bool {
        if self.opened.get(node as usize).copied().unwrap_or(false) {
            return false;
        }
        if self.opened.len() <= node as usize {
            self.opened.resize(self.graph.after.len().max(node as usize + 1), false);
        }
        self.opened[node as usize] = true;
        let rolls = self.graph.expand_after(node);
        // What follows may be known already.
        if let Some((_, first)) = self.graph.outs[rolls.range()].first() {
            for health in self.before.columns(*first) {
                self.refresh(node, health);
            }
        }
        true
    }

    /// Backs a place up: its value from its best choices, and what follows.
    pub(crate) fn backup(&mut self, place: Place, followed: &mut Followed) {
        loop {
            followed.clear();
            let value = self.look_through(place, followed, |_| {});
            // What was opened just now may lead to what is solved, and be worth less than it seemed.
            if !followed.opened {
                self.lower(place, value);
                return;
            }
        }
    }

    /// Looks once at each decision of a place. Returns what the place is worth at most; `each` is told after each draw
    /// what was followed so far.
    pub(crate) fn look_through(
        &mut self,
        (node, health): Place,
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

    /// Whether after nodes are worth what they seemed to be: then so is all whose best choices lead to them, because
    /// other choices are not worth more than they were.
    pub(crate) fn still(&self, after: &[(u32, i16, f64)]) -> bool {
        after.iter().all(|(node, health, value)| self.after_value(*node, *health) >= *value)
    }

    /// A place is worth less than it was, and so may be what it can be rolled from.
    fn set_upper(&mut self, (node, health): Place, value: f64) {
        self.before.at(node, health).upper = value;
        let mut parents = self.graph.rolled_from(node);
        while let Some(parent) = parents.next(self.graph) {
            self.refresh(parent, health);
        }
    }

    /// Adds what follows a decision. Returns what the decision is worth at most.
    pub(crate) fn follow(&mut self, point: u32, health: i16, followed: &mut Followed) -> f64 {
        let (value, choice) = self.best(point, health);
        match choice {
            Some(Choice::Edge(index)) => {
                let edge = self.graph.edges[index];
                if let (Ok(node), Some(left)) = (edge.to.node(), self.left(&edge, health)) {
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

    /// Lowers the upper bound of a place. Says by how much.
    pub(crate) fn lower(&mut self, place: Place, most: f64) -> f64 {
        let known = self.upper(place);
        if most < known {
            self.set_upper(place, most);
        }
        known - most
    }

    pub(crate) fn ask(&mut self, budget: &Budget<'_>) -> Result<(), Stopped> {
        // One turn can have thousands of decisions, so steps alone do not say how much was added.
        let states = self.graph.states();
        if self.steps.is_multiple_of(1024) || states >= self.checked + 1024 {
            self.checked = states;
            self.fits(budget)?;
        }
        budget.step(Stage::Exploring, states, self.active.len() as u64)
    }

    /// Whether what is kept is within the limits.
    pub(crate) fn fits(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        budget.memory(self.bytes())?;
        budget.states(self.graph.states())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let values = self.before.bytes() + self.after.bytes() + 40 * self.best_known.len();
        // Lists may be twice as long as what they hold.
        self.graph.bytes() + 2 * values as u64
    }

    /// Whether the value of a place is known.
    pub(crate) fn is_known(&self, place: Place) -> bool {
        is_known(self.mark(place))
    }

    /// Infers values from now on, or looks for best play everywhere. What was solved is to be solved again, which
    /// takes less: values stay.
    pub(crate) fn inferring(&mut self, infers: bool) {
        self.infers = infers;
        self.before.cells_mut().filter(|cell| cell.mark != PROVED).for_each(|cell| cell.mark = NEW);
        self.after.cells_mut().filter(|cell| cell.ahead == After::KNOWN).for_each(|cell| cell.ahead = 0);
    }

    /// Whether best play of a place was found.
    pub(crate) fn is_solved(&self, place: Place) -> bool {
        matches!(self.mark(place), SOLVED | PROVED)
    }

    /// What a decision is worth at most.
    pub(crate) fn value(&mut self, point: u32, health: i16) -> f64 {
        self.best(point, health).0
    }

    /// The choice that looks best.
    pub(crate) fn choice(&mut self, point: u32, health: i16) -> Option<Choice> {
        self.best(point, health).1
    }
}
