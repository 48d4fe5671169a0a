//! Best play, by looking only where it could be.
//!
//! Every position has an upper bound of what it is worth: at first what [`Bound`](super::bound) says, later the
//! best of its choices. Only the choices that look best are followed, depth first (the learning depth-first search
//! of Bonet and Geffner): a position is solved when all that follows on its best choices is. Positions that lead
//! back to each other (Tarjan's strongly connected components) are improved together until nothing changes.
//!
//! Improving is monotone and the first bounds hold, so all values hold as upper bounds at any time, also when the
//! search is stopped. That what is found can be reached is proved separately, by following the choices
//! ([`chain`](super::chain)).

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use super::graph::{Edge, Graph};
use super::healing::Healing;
use super::memo::Memo;
use super::payoff::Payoff;
use super::rounding::up;
use super::stuck::Stuck;
use super::table::Table;

/// A before node with a health. Where health has no limit it is 0.
pub(crate) type Place = (u32, i16);

/// What is known of a before node with a health.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// It is worth no more; infinite where nothing is known.
    upper: f64,
    mark: u8,
    /// How many turns were looked ahead from there.
    ahead: u8,
}

impl Before {
    const UNKNOWN: Self = Self { upper: f64::INFINITY, mark: NEW, ahead: 0 };
}

/// What is known of an after node with a health.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After {
    /// It is worth no more; infinite where the bound of the graph is the best one.
    pub upper: f64,
    /// How many turns at least were looked ahead from all that can be rolled there, or one of the numbers below.
    pub ahead: u8,
}

impl After {
    const UNKNOWN: Self = Self { upper: f64::INFINITY, ahead: 0 };
    /// All that can be rolled there is known: no turn shows anything new.
    pub(crate) const KNOWN: u8 = u8::MAX - 1;
    /// And nothing of it was inferred.
    pub(crate) const PROVED: u8 = u8::MAX;
}

/// What is known of a place.
pub(super) const NEW: u8 = 0;
const ACTIVE: u8 = 1;
/// All that follows on its best choices is known.
const SOLVED: u8 = 2;
/// Its value follows from those with other healths.
const INFERRED: u8 = 3;
/// All that follows on its best choices comes to an end, and nothing of it was inferred.
const PROVED: u8 = 4;

/// Sweeps of a component at most. One that still improves then is taken as it is: its values hold from above as after any
/// sweep, and from below what comes of its choices is counted, so the bounds that are told are wider, but proved.
const SWEEPS: usize = 2_000;

/// The choice of a decision: an edge, or a play left to chance, by its place in the graph's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Edge(usize),
    Chance(usize),
}

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
}

/// Values that differ by so much less than the healths do are taken to differ by as much.
const INFERRING: f64 = 2e-12;

/// Strides in which a look ahead goes a third as far again each time.
const LONG_STRIDES: u8 = 3;

/// What follows a place, or some of its decisions, on the choices that look best.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The places that follow.
    pub next: Vec<Place>,
    /// The after nodes on the way with the health there, and what each seemed to be worth.
    pub after: Vec<(u32, i16, f64)>,
    /// An after node was opened: it may be worth less than it seemed.
    pub opened: bool,
}

impl Followed {
    pub(crate) fn clear(&mut self) {
        self.next.clear();
        self.after.clear();
        self.opened = false;
    }
}

/// One place on the way of the search.
#[derive(Debug)]
struct Frame {
    place: Place,
    number: u32,
    low: u32,
    waiting: Vec<Place>,
    /// What it was worth by when it was last backed up, and whether it led back to itself.
    after: Vec<(u32, i16, f64)>,
    returns: bool,
    /// How many sets had been freed then.
    freed: u64,
}

/// What became of a component that was improved.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Settled {
    /// Nothing changes any more.
    Yes,
    /// Its best choices lead to these new positions.
    Grown(Vec<Place>),
    /// Its best choices lead back to an active position before it, with this number.
    Joined(u32),
}

/// Whether this mark says that a value is known.
fn is_known(mark: u8) -> bool {
    matches!(mark, SOLVED | INFERRED | PROVED)
}

impl<'g, 'a> Search<'g, 'a> {
    pub(crate) fn new(graph: &'g mut Graph<'a>, payoff: Payoff, potions: u8) -> Self {
        let healing = Healing::new(graph.rules);
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

    /// The most health that one can have at the end, from an after node on.
    fn most_healed(&self, node: u32, health: i16) -> i16 {
        let most = self.graph.rules.most_health();
        let standing = self.graph.parts.standing(self.graph.after.value(node).enemies);
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

    /// Solves an after node for a health: afterwards its value is that of best play, from above.
    pub(crate) fn solve(&mut self, node: u32, health: i16, budget: &Budget<'_>) -> Result<(), Stopped> {
        loop {
            self.open(node);
            let rolls = self.graph.rolls_of(node).unwrap_or_default();
            let places: Vec<Place> = rolls.iter().map(|(_, before)| (*before, health)).collect();
            let looked = self.deepen(&places, budget);
            if looked.is_err() {
                self.refresh(node, health);
                return looked;
            }
            for place in places {
                if !self.is_known(place) {
                    let solved = self.visit(place, budget);
                    if solved.is_err() {
                        self.forget_active();
                        return solved;
                    }
                }
            }
            if !self.refresh(node, health) {
                return Ok(());
            }
        }
    }

    /// Solves a decision for a health. Returns what it is then worth at most.
    pub(crate) fn solve_point(&mut self, point: u32, health: i16, budget: &Budget<'_>) -> Result<f64, Stopped> {
        let mut followed = Followed::default();
        loop {
            followed.clear();
            let value = self.follow(point, health, &mut followed);
            let open = followed.next.iter().find(|place| !self.is_known(**place)).copied();
            match open {
                None if !followed.opened => return Ok(value),
                None => {}
                Some(place) => {
                    self.deepen(&[place], budget)?;
                    let solved = self.visit(place, budget);
                    if solved.is_err() {
                        self.forget_active();
                    }
                    solved?;
                }
            }
        }
    }

    /// After a stop: nothing is on the way any more.
    fn forget_active(&mut self) {
        for place in std::mem::take(&mut self.component) {
            self.set_mark(place, NEW);
        }
        self.active.clear();
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

    fn enter(&mut self, place: Place) -> Frame {
        let number = self.met;
        self.met += 1;
        self.active.insert(place, number);
        self.component.push(place);
        self.set_mark(place, ACTIVE);
        let mut followed = Followed::default();
        self.backup(place, &mut followed);
        let Followed { next: waiting, after, .. } = followed;
        Frame { place, number, low: number, waiting, after, returns: false, freed: self.freed }
    }

    fn visit(&mut self, start: Place, budget: &Budget<'_>) -> Result<(), Stopped> {
        let mut frames = vec![self.enter(start)];
        let mut followed = Followed::default();
        while let Some(frame) = frames.last_mut() {
            if let Some(place) = frame.waiting.pop() {
                frame.returns |= place == frame.place;
                match self.mark(place) {
                    SOLVED | INFERRED | PROVED => {}
                    ACTIVE => frame.low = frame.low.min(self.active[&place]),
                    _ if self.infer(place) => {}
                    _ => {
                        self.ask(budget)?;
                        let entered = self.enter(place);
                        frames.push(entered);
                    }
                }
                continue;
            }
            let place = frame.place;
            if frame.freed != self.freed || !self.still(&frame.after) {
                frame.freed = self.freed;
                self.backup(place, &mut followed);
                std::mem::swap(&mut frame.after, &mut followed.after);
                frame.returns = followed.next.contains(&place);
                for place in &followed.next {
                    match self.mark(*place) {
                        SOLVED | INFERRED | PROVED => {}
                        ACTIVE => frame.low = frame.low.min(self.active[place]),
                        _ => frame.waiting.push(*place),
                    }
                }
                if !frame.waiting.is_empty() {
                    continue;
                }
            }
            let low = frame.low;
            if low == frame.number {
                let from = self.component.iter().rposition(|other| *other == place).unwrap_or(0);
                if self.component.len() - from > 1 || frame.returns {
                    match self.settle(from, budget)? {
                        Settled::Yes => {}
                        Settled::Grown(new) => {
                            // They are looked at as if they followed here: what leads back to an active position
                            // joins the component.
                            frame.waiting = new;
                            continue;
                        }
                        Settled::Joined(low) => {
                            frames.pop();
                            if let Some(parent) = frames.last_mut() {
                                parent.low = parent.low.min(low);
                            }
                            continue;
                        }
                    }
                }
                self.release(from, SOLVED);
            }
            frames.pop();
            if self.mark(place) == ACTIVE
                && let Some(parent) = frames.last_mut()
            {
                parent.low = parent.low.min(low);
            }
        }
        Ok(())
    }

    /// Lowers the upper bound of a place. Says by how much.
    pub(crate) fn lower(&mut self, place: Place, most: f64) -> f64 {
        let known = self.upper(place);
        if most < known {
            self.set_upper(place, most);
        }
        known - most
    }

    /// Takes the newest component from the active places.
    fn release(&mut self, from: usize, mark: u8) {
        for place in self.component.split_off(from) {
            self.active.remove(&place);
            self.set_mark(place, mark);
        }
    }

    /// Improves a component until nothing changes.
    fn settle(&mut self, from: usize, budget: &Budget<'_>) -> Result<Settled, Stopped> {
        let places: Vec<Place> = self.component[from..].to_vec();
        let first = self.active[&places[0]];
        let mut followed = Followed::default();
        for sweep in 0..SWEEPS {
            let mut change = 0.0f64;
            let mut new = Vec::new();
            for place in places.iter().rev() {
                self.ask(budget)?;
                let old = self.upper(*place);
                self.backup(*place, &mut followed);
                let next = &followed.next;
                change = change.max(old - self.upper(*place));
                new.extend(next.iter().filter(|place| self.mark(**place) == NEW));
                let earliest = next.iter().filter_map(|place| self.active.get(place)).min();
                if let Some(number) = earliest.filter(|number| **number < first) {
                    return Ok(Settled::Joined(*number));
                }
            }
            if !new.is_empty() {
                return Ok(Settled::Grown(new));
            }
            // What seems to be settled, or does not settle, may be a set of positions that is not left.
            let still = change <= 1e-14;
            if still || sweep % 64 == 63 {
                let stuck = self.unstick(&places, budget)?;
                if still && stuck == Stuck::No {
                    break;
                }
            }
        }
        Ok(Settled::Yes)
    }

    pub(crate) fn ask(&mut self, budget: &Budget<'_>) -> Result<(), Stopped> {
        if self.steps.is_multiple_of(1024) {
            self.fits(budget)?;
        }
        let (done, found) = (self.graph.before.len(), self.active.len());
        budget.step(Stage::Exploring, u64::try_from(done).unwrap_or(0), u64::try_from(found).unwrap_or(0))
    }

    /// Whether what is kept is within the limits.
    pub(crate) fn fits(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        budget.memory(self.bytes())?;
        budget.states(u64::try_from(self.graph.before.len()).unwrap_or(u64::MAX))
    }

    pub(crate) fn bytes(&self) -> u64 {
        let values = self.before.bytes() + self.after.bytes() + 40 * self.best_known.len();
        // Lists may be twice as long as what they hold.
        self.graph.bytes() + 2 * u64::try_from(values).unwrap_or(u64::MAX)
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

    /// Takes the value of a place from those with less health, if it follows from them (see
    /// [`tighten`](super::tighten)).
    fn infer(&mut self, (node, health): Place) -> bool {
        if !self.infers || !self.convex() {
            return false;
        }
        // The nearest two healths of which something is known.
        let mut below = self.before.below(node, health).filter(|(_, cell)| cell.upper < f64::INFINITY);
        let mut known = || below.next().filter(|(_, cell)| is_known(cell.mark));
        let Some((high, Before { upper, .. })) = known() else { return false };
        let Some((low, Before { upper: lower, .. })) = known() else { return false };
        if upper - lower < f64::from(high - low) - INFERRING {
            return false;
        }
        drop(below);
        let value = up(upper + f64::from(health - high), 2);
        self.lower((node, health), value);
        self.set_mark((node, health), INFERRED);
        true
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
