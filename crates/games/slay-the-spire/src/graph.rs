//! The fight as a graph that grows on demand. Health is not part of its nodes.
//!
//! An *after* node is a position between the enemies' turn and the roll of their next moves, a *before* node one
//! between that roll and the draw. The draw leads from a before node to decisions ([`Graph::points`]), and edges lead
//! from each of these to after nodes. An edge records the change of the health.

pub mod bound;
pub mod bounds;
pub mod candidate;
pub mod choice;
pub mod dominance;
pub mod interner;
pub mod order;
pub mod parts;
pub mod transitions;
pub mod turn;
pub mod turns;

use budget::{Budget, Stopped};
use rustc_hash::FxHashMap;

use self::bound::Bound;
use self::bounds::Bounds;
use self::choice::Choice;
use self::dominance::Dominance;
use self::interner::Interner;
use self::parts::Key;
use self::transitions::Transitions;
use self::turns::{ClosedEnd, Opened};
use crate::numbers::chance::Chance;
use crate::numbers::index::index;
use crate::rules::Rules;
use crate::rules::spoils::Spoils;
use crate::rules::state::{Change, Enemy, State};

/// The most turns that a bound looks ahead.
const FURTHEST: usize = 2;

/// No index in a list.
const NOWHERE: u32 = u32::MAX;

/// How many points weaker enemies are searched for.
const NEAR: u8 = 6;

/// The ways in which an enemy can be weaker.
const WEAKEN: [fn(Enemy, u8) -> Option<Enemy>; 5] = [
    |enemy, step| Some(Enemy { health: enemy.health.checked_sub(step.into()).filter(|health| *health > 0)?, ..enemy }),
    |enemy, step| Some(Enemy { special: enemy.special.checked_sub(step)?, ..enemy }),
    |enemy, step| Some(Enemy { bite: enemy.bite.checked_sub(step).filter(|bite| *bite > 0)?, ..enemy }),
    |enemy, step| Some(Enemy { strength: enemy.strength - i16::from(step), ..enemy }),
    |enemy, step| Some(Enemy { vulnerable: enemy.vulnerable.checked_add(step)?, ..enemy }),
];

/// The target of an edge: an after node, or a fight that is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct To(u32);

impl To {
    /// Numbers from here on are won fights, with these spoils.
    const WON: u32 = u32::MAX - 0xffff;

    fn won(Spoils { potions, gained }: Spoils) -> Self {
        Self(Self::WON + u32::from(u16::from_le_bytes([potions, gained])))
    }

    /// The spoils of a won fight, otherwise the after node.
    pub(crate) fn node(self) -> Result<u32, Spoils> {
        match u16::try_from(self.0.wrapping_sub(Self::WON)) {
            Ok(spoils) if self.0 >= Self::WON => {
                let [potions, gained] = spoils.to_le_bytes();
                Err(Spoils { potions, gained })
            }
            _ => Ok(self.0),
        }
    }
}

/// One way in which a turn can end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub change: Change,
    pub to: To,
}

/// A range of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn new(from: usize, to: usize) -> Self {
        Self { from: index(from), to: index(to) }
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// The after nodes from which a before node can be rolled, one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RolledFrom(u32);

impl RolledFrom {
    /// The next one, if there is one.
    pub(crate) fn next(&mut self, graph: &Graph<'_>) -> Option<u32> {
        let (node, others) = *graph.rolled_from.get(self.0 as usize)?;
        self.0 = others;
        Some(node)
    }
}

/// A decision: edges, and plays with random outcomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointNode {
    pub edges: Span,
    pub chances: Span,
}

impl PointNode {
    /// All that can be chosen.
    pub(crate) fn choices(self) -> impl Iterator<Item = Choice> {
        self.edges.range().map(Choice::Edge).chain(self.chances.range().map(Choice::Chance))
    }
}

/// The part of the fight that has been explored.
#[derive(Debug)]
pub(crate) struct Graph<'a> {
    pub transitions: Transitions<'a>,
    /// The decisions of the current turn.
    recent: FxHashMap<State, u32>,
    pub after: Interner<Key>,
    pub before: Interner<Key>,
    /// For each after node its rolls, once it is expanded.
    after_outs: Vec<Option<Span>>,
    /// For each followed after node bounds on the loss still to come, from one turn, from two, as far as computed.
    after_bounds: Vec<[Bound; FURTHEST]>,
    /// For each of them the number of turns looked ahead.
    after_looks: Vec<u8>,
    /// For each before node its draws, once it is expanded.
    before_items: Vec<Option<Span>>,
    /// For each before node that is expanded all decisions of its turn.
    before_points: Vec<Span>,
    expanded: usize,
    pub outs: Vec<(f64, u32)>,
    /// For each of `outs` its after node, and the next of them that leads to the same before node.
    rolled_from: Vec<(u32, u32)>,
    /// For each before node the last of `outs` that leads to it.
    rolled_last: Vec<u32>,
    pub items: Vec<(f64, u32)>,
    pub points: Vec<PointNode>,
    pub edges: Vec<Edge>,
    pub chances: Vec<Span>,
    pub(crate) bounds: Option<Bounds>,
    /// The exact chances of `items` and `outs`, if they are wanted.
    exact: Option<ExactChances>,
}

/// Chances as fractions, in the order of the graph's lists.
#[derive(Debug, Default)]
struct ExactChances {
    items: Vec<Chance>,
    outs: Vec<Chance>,
}

impl<'a> Graph<'a> {
    /// An empty graph. `bounds` is the number of turns that a bound on losses looks ahead; 0 for none.
    pub(crate) fn new(rules: &'a Rules, kinds: &[crate::data::enemy::Kind], reduced: bool, look_ahead: u8) -> Self {
        Self {
            transitions: Transitions::new(rules, kinds, reduced),
            recent: FxHashMap::default(),
            after: Interner::default(),
            before: Interner::default(),
            after_outs: Vec::new(),
            after_bounds: Vec::new(),
            after_looks: Vec::new(),
            before_items: Vec::new(),
            before_points: Vec::new(),
            expanded: 0,
            outs: Vec::new(),
            rolled_from: Vec::new(),
            rolled_last: Vec::new(),
            items: Vec::new(),
            points: Vec::new(),
            edges: Vec::new(),
            chances: Vec::new(),
            exact: None,
            bounds: (look_ahead > 0 && !rules.can_heal()).then(|| Bounds::new(rules, look_ahead)),
        }
    }

    /// The same graph, with exact chances kept.
    pub(crate) fn keeping_chances(mut self) -> Self {
        self.exact = Some(ExactChances::default());
        self
    }

    /// The after node of a position.
    pub(crate) fn after_node(&mut self, state: &State) -> u32 {
        let key = self.transitions.parts.key(state);
        self.after_of_key(key)
    }

    fn after_of_key(&mut self, key: Key) -> u32 {
        let (node, new) = self.after.number(key);
        if new {
            self.after_outs.push(None);
        }
        node
    }

    /// Looks one turn further ahead for a bound on the loss from an after node on. Returns whether it did.
    pub(crate) fn look_further(&mut self, node: u32) -> bool {
        let looked = self.after_looks.get(node as usize).copied().unwrap_or(0);
        let Some(mut bounds) = self.bounds.take_if(|bounds| looked < bounds.turns && usize::from(looked) < FURTHEST)
        else {
            return false;
        };
        let key = self.after.value(node);
        let bound = bounds.of(&mut self.transitions, key, looked + 1);
        self.bounds = Some(bounds);
        if self.after_looks.len() <= node as usize {
            self.after_looks.resize(self.after.len(), 0);
            self.after_bounds.resize(self.after.len(), [Bound::NONE; FURTHEST]);
        }
        self.after_looks[node as usize] = looked + 1;
        self.after_bounds[node as usize][usize::from(looked)] = bound;
        true
    }

    /// Whether there are bounds on the loss of the next turns.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.bounds.is_some()
    }

    /// A lower bound of the mean loss from an after node on, for a player who cannot die, or who has this much health.
    pub(crate) fn least_loss(&self, node: u32, health: Option<f64>) -> f64 {
        let least = |bound: &Bound| health.map_or(bound.least, |health| bound.at(health));
        self.after_bounds.get(node as usize).map_or(0.0, |bounds| bounds.iter().map(least).fold(0.0, f64::max))
    }

    /// Known after nodes that are at least as good as another one, because one of the enemies is a little weaker.
    pub(crate) fn better(&self, node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let Some(dominance) = self.transitions.dominance() else { return found };
        let key = self.after.value(node);
        let standing = self.transitions.parts.standing(key.enemies);
        for (place, enemy) in standing.iter().enumerate() {
            let Some(enemy) = enemy.as_ref().filter(|enemy| dominance.can_compare(enemy, &standing)) else { continue };
            for weaken in WEAKEN {
                let weaker = (1..=NEAR).map_while(|step| weaken(*enemy, step)).take_while(|weaker| {
                    let mut others = standing;
                    others[place] = Some(*weaker);
                    dominance.is_as_good(&others, &standing)
                });
                let node = |weaker: Enemy| self.after.find(&self.transitions.parts.with_enemy(key, place, &weaker)?);
                found.extend(weaker.into_iter().find_map(node));
            }
        }
        found
    }

    /// Whether positions like that of an after node can be compared by the weakness of their enemies.
    pub(crate) fn compares(&self, node: u32) -> bool {
        let standing = self.transitions.parts.standing(self.after.value(node).enemies);
        let compares =
            |dominance: Dominance| standing.iter().flatten().any(|enemy| dominance.can_compare(enemy, &standing));
        self.transitions.dominance().is_some_and(compares)
    }

    /// The rolls of an after node: chances and before nodes.
    pub(crate) fn expand_after(&mut self, node: u32) -> Span {
        if let Some(span) = self.after_outs[node as usize] {
            return span;
        }
        let key = self.after.value(node);
        let from = self.outs.len();
        let mut exact: Vec<Chance> = Vec::new();
        for (chance, rolled) in self.transitions.rolls(key) {
            let (before, new) = self.before.number(rolled);
            if new {
                self.before_items.push(None);
                self.before_points.push(Span::default());
                self.rolled_last.push(NOWHERE);
            }
            // Equal enemies can roll the same in different ways.
            match self.outs[from..].iter().position(|(_, other)| *other == before) {
                Some(place) => {
                    exact[place] = exact[place].or(chance);
                    self.outs[from + place].0 = exact[place].as_f64();
                }
                None => {
                    exact.push(chance);
                    let number = u32::try_from(self.outs.len()).unwrap_or(NOWHERE);
                    let others = std::mem::replace(&mut self.rolled_last[before as usize], number);
                    self.rolled_from.push((node, others));
                    self.outs.push((chance.as_f64(), before));
                }
            }
        }
        if let Some(kept) = &mut self.exact {
            kept.outs.extend(exact);
        }
        let span = Span::new(from, self.outs.len());
        self.after_outs[node as usize] = Some(span);
        span
    }

    /// The rolls of an after node that is expanded.
    pub(crate) fn rolls_of(&self, node: u32) -> Option<&[(f64, u32)]> {
        self.after_outs[node as usize].map(|span| &self.outs[span.range()])
    }

    /// The expanded after nodes from which a before node can be rolled.
    pub(crate) fn rolled_from(&self, before: u32) -> RolledFrom {
        RolledFrom(self.rolled_last[before as usize])
    }

    /// How many positions the graph holds: between the turns and at each decision of a turn.
    pub(crate) fn states(&self) -> u64 {
        (self.before.len() + self.points.len()) as u64
    }

    /// How many before nodes are expanded.
    pub(crate) fn expanded(&self) -> usize {
        self.expanded
    }

    /// The draws of a before node that is expanded.
    pub(crate) fn draws_of(&self, node: u32) -> Option<Span> {
        self.before_items[node as usize]
    }

    /// The draws of a before node, like [`expand_within`](Self::expand_within) without a limit.
    pub(crate) fn expand_before(&mut self, node: u32) -> Span {
        if let Some(span) = self.before_items[node as usize] {
            return span;
        }
        let expanded = self.expand_within(node, &Budget::unlimited());
        debug_assert!(expanded.is_ok(), "nothing stops an unlimited budget");
        expanded.unwrap_or_default()
    }

    /// The draws of a before node: chances and decisions. One turn can have very many decisions, so the limits are
    /// checked at each of them. A node whose expansion was stopped is not expanded.
    pub(crate) fn expand_within(&mut self, node: u32, budget: &Budget<'_>) -> Result<Span, Stopped> {
        if let Some(span) = self.before_items[node as usize] {
            return Ok(span);
        }
        let state = self.transitions.state(self.before.value(node));
        let drawn = self.transitions.rules.start_turn(&state);
        self.recent.clear();
        let first = self.points.len();
        let mut points: Vec<(Chance, u32)> = Vec::with_capacity(drawn.len());
        for (chance, state) in &drawn {
            points.push((*chance, self.point_within(state, budget)?));
        }
        let span = self.add_items(points);
        self.before_items[node as usize] = Some(span);
        self.before_points[node as usize] = Span::new(first, self.points.len());
        self.expanded += 1;
        Ok(span)
    }

    /// All decisions of the turn that begins at a before node, once it is expanded.
    pub(crate) fn points_of(&self, node: u32) -> Span {
        self.before_points[node as usize]
    }

    /// The decision of a position within a turn.
    pub(crate) fn point(&mut self, state: &State) -> u32 {
        let point = self.point_within(state, &Budget::unlimited());
        debug_assert!(point.is_ok(), "nothing stops an unlimited budget");
        point.unwrap_or(NOWHERE)
    }

    pub(crate) fn point_within(&mut self, state: &State, budget: &Budget<'_>) -> Result<u32, Stopped> {
        if state.is_over() {
            let end = Edge { change: state.health, to: To::won(state.spoils()) };
            return Ok(self.add_point(vec![end], Vec::new()));
        }
        if let Some(known) = self.recent.get(state) {
            return Ok(*known);
        }
        let number = if state.ended || self.transitions.rules.is_closed(state) {
            let opened = self.transitions.turn(state);
            self.add_turn(&opened)
        } else {
            self.fits(budget)?;
            self.open_point(state, budget)?
        };
        self.recent.insert(*state, number);
        Ok(number)
    }

    /// Checks the limits, including time.
    fn fits(&self, budget: &Budget<'_>) -> Result<(), Stopped> {
        budget.memory(self.bytes())?;
        budget.states(self.states())?;
        budget.check()
    }

    /// The decision of a position that depends on the piles. Outcomes of random plays are decisions of their own.
    fn open_point(&mut self, state: &State, budget: &Budget<'_>) -> Result<u32, Stopped> {
        let decided = self.transitions.decision(state);
        let ends: Vec<(ClosedEnd, Option<Key>)> =
            decided.ends(&mut self.transitions.parts).map(|(end, to)| (*end, to)).collect();
        let edges = ends.iter().map(|(end, to)| self.edge(end, *to)).collect();
        let mut chances: Vec<Vec<(Chance, u32)>> = Vec::new();
        for items in &decided.chances {
            let points = items.iter().map(|(chance, state)| Ok((*chance, self.point_within(state, budget)?)));
            let items = points.collect::<Result<Vec<_>, Stopped>>()?;
            if !chances.contains(&items) {
                chances.push(items);
            }
        }
        Ok(self.add_point(edges, chances))
    }

    /// Adds the points of a turn, combined with the piles that were left out of it.
    fn add_turn(&mut self, opened: &Opened) -> u32 {
        let turn = &opened.turn;
        let first = index(self.points.len());
        // Later points of the same turn are referred to before they exist.
        let empty = PointNode { edges: Span::default(), chances: Span::default() };
        self.points.extend(std::iter::repeat_n(empty, turn.points.len()));
        for (index, (ends, chances)) in turn.points.iter().enumerate() {
            let edges = ends.iter().map(|end| {
                let to = opened.end(&mut self.transitions.parts, end);
                self.edge(end, to)
            });
            let edges = edges.collect();
            let offset = |(chance, point): &(Chance, usize)| (*chance, first + u32::try_from(*point).unwrap_or(0));
            let chances = chances.iter().map(|items| items.iter().map(offset).collect()).collect();
            let node = self.new_point(edges, chances);
            self.points[first as usize + index] = node;
        }
        first
    }

    /// An edge to a position, or to a fight that is won.
    fn edge(&mut self, end: &ClosedEnd, to: Option<Key>) -> Edge {
        let to = to.map_or(To::won(end.spoils), |key| To(self.after_of_key(key)));
        Edge { change: end.change, to }
    }

    fn add_point(&mut self, edges: Vec<Edge>, chances: Vec<Vec<(Chance, u32)>>) -> u32 {
        let node = self.new_point(edges, chances);
        self.points.push(node);
        index(self.points.len() - 1)
    }

    fn add_items(&mut self, items: Vec<(Chance, u32)>) -> Span {
        let from = self.items.len();
        self.items.extend(items.iter().map(|(chance, point)| (chance.as_f64(), *point)));
        if let Some(kept) = &mut self.exact {
            kept.items.extend(items.into_iter().map(|(chance, _)| chance));
        }
        Span::new(from, self.items.len())
    }

    /// The exact chances of a range of [`items`](Self::items), if they were kept.
    pub(crate) fn exact_items(&self, span: Span) -> Vec<(Chance, u32)> {
        let exact = self.exact.as_ref().map_or(&[][..], |kept| &kept.items);
        span.range().filter_map(|index| Some((*exact.get(index)?, self.items[index].1))).collect()
    }

    /// The same of [`outs`](Self::outs).
    pub(crate) fn exact_outs(&self, span: Span) -> Vec<(Chance, u32)> {
        let exact = self.exact.as_ref().map_or(&[][..], |kept| &kept.outs);
        span.range().filter_map(|index| Some((*exact.get(index)?, self.outs[index].1))).collect()
    }

    fn new_point(&mut self, edges: Vec<Edge>, chances: Vec<Vec<(Chance, u32)>>) -> PointNode {
        let from = self.edges.len();
        self.edges.extend(edges);
        let edges = Span::new(from, self.edges.len());
        let from = self.chances.len();
        for items in chances {
            let span = self.add_items(items);
            self.chances.push(span);
        }
        PointNode { edges, chances: Span::new(from, self.chances.len()) }
    }

    /// The approximate number of bytes of the graph.
    pub(crate) fn bytes(&self) -> u64 {
        let interned = (self.after.len() + self.before.len()) * (2 * size_of::<Key>() + 8);
        let kept = self.exact.as_ref().map_or(0, |kept| size_of_val(&kept.items[..]) + size_of_val(&kept.outs[..]));
        let rolls = size_of_val(&self.outs[..]) + size_of_val(&self.rolled_from[..]) + size_of_val(&self.items[..]);
        let plays = size_of_val(&self.points[..]) + size_of_val(&self.edges[..]) + size_of_val(&self.chances[..]);
        let looks = size_of_val(&self.after_bounds[..]) + size_of_val(&self.after_looks[..]);
        let nodes = looks + self.after.len() * 12 + self.before.len() * 24;
        (interned + kept + rolls + plays + nodes + self.transitions.bytes()) as u64
    }
}
