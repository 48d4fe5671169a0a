//! The fight as a graph that grows on demand. Health is not a part of its nodes.
//!
//! A node *after* stands between the enemies' turn and the roll of their next moves, a node *before* between
//! that roll and the draw. A before node leads by the draw to decisions ([`Graph::points`]), each of these by
//! edges to after nodes. An edge says what happens to the health.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

use super::bound::{Bound, Bounds};
use super::chance::Chance;
use super::dominance::{Dominance, Standing};
use super::rules::Rules;
use super::state::{Change, ENEMIES, Enemy, Pile, Player, State, TOP};
use super::turn::{End, TurnTree, View, without_piles};

/// Numbers for values: equal ones get the same.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    numbers: FxHashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// The number of a value, and whether it is new.
    pub(crate) fn number(&mut self, value: T) -> (u32, bool) {
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        (number, number == next)
    }

    pub(crate) fn value(&self, number: u32) -> T {
        self.values[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}

/// The cards that are not in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Deck {
    draw: Pile,
    discard: Pile,
    exhausted: Pile,
    top: [u8; TOP],
}

/// No enemy.
const NOBODY: u32 = u32::MAX;

/// A position between two turns by the numbers of its parts: piles, player with potions, enemies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    deck: u32,
    player: u32,
    pub(crate) enemies: [u32; ENEMIES],
}

/// Where an edge leads: to an after node, or to a fight that is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct To(u32);

impl To {
    /// Numbers from here on are fights that are won, with these potions left.
    const WON: u32 = u32::MAX - 255;

    fn won(potions: u8) -> Self {
        Self(Self::WON + u32::from(potions))
    }

    /// The potions left if the fight is won, else the after node.
    pub(crate) fn node(self) -> Result<u32, u8> {
        match u8::try_from(self.0.wrapping_sub(Self::WON)) {
            Ok(potions) if self.0 >= Self::WON => Err(potions),
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

/// A part of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    from: u32,
    to: u32,
}

impl Span {
    fn new(from: usize, to: usize) -> Self {
        let narrow = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Self { from: narrow(from), to: narrow(to) }
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// A decision: edges, and plays that leave something to chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointNode {
    pub edges: Span,
    pub chances: Span,
}

/// The end of a closed turn, to be joined with the piles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedEnd {
    pub change: Change,
    /// What comes to the piles; `None` when the fight is won.
    deck: Option<u32>,
    player: u32,
    enemies: [u32; ENEMIES],
    potions: u8,
}

/// A closed turn: its points with their ends and chances, numbered from its first point.
#[derive(Debug)]
pub(crate) struct ClosedTurn {
    pub points: Vec<ClosedPoint>,
}

type ClosedPoint = (Vec<ClosedEnd>, Vec<Vec<(Chance, usize)>>);

/// A turn as a bound sees it.
pub(crate) struct Glimpse {
    pub turn: Rc<ClosedTurn>,
    deck: Option<u32>,
}

/// The fight as far as it is known.
#[derive(Debug)]
pub(crate) struct Graph<'a> {
    pub rules: &'a Rules,
    dominance: Option<Dominance>,
    /// Enemies in any order are the same.
    sorted: bool,
    decks: Interner<Deck>,
    players: Interner<(Player, u8)>,
    enemies: Interner<Enemy>,
    joined: FxHashMap<(u32, u32), u32>,
    /// Closed turns by their positions without piles, as they are and as a bound sees them.
    closed: FxHashMap<State, Rc<ClosedTurn>>,
    glimpsed: FxHashMap<State, Rc<ClosedTurn>>,
    /// The decisions of the turn that is being looked at.
    recent: FxHashMap<State, u32>,
    intents: FxHashMap<(u32, u8, bool), Vec<(Chance, u32)>>,
    pub after: Interner<Key>,
    pub before: Interner<Key>,
    /// For each after node its rolls, once it is expanded.
    after_outs: Vec<Option<Span>>,
    /// For each after node a bound on what is still lost.
    pub after_bounds: Vec<Bound>,
    /// For each before node its draws, once it is expanded.
    before_items: Vec<Option<Span>>,
    pub outs: Vec<(f64, u32)>,
    pub items: Vec<(f64, u32)>,
    pub points: Vec<PointNode>,
    pub edges: Vec<Edge>,
    pub chances: Vec<Span>,
    bounds: Option<Bounds>,
    /// The exact chances of `items` and `outs`, where they are wanted.
    exact: Option<ExactChances>,
}

/// Chances as fractions, in the order of the graph's lists.
#[derive(Debug, Default)]
struct ExactChances {
    items: Vec<Chance>,
    outs: Vec<Chance>,
}

impl<'a> Graph<'a> {
    /// An empty graph. `bounds` is how many turns a bound on losses looks ahead; 0 for none.
    pub(crate) fn new(rules: &'a Rules, kinds: &[super::enemy::Kind], reduced: bool, look_ahead: u8) -> Self {
        Self {
            rules,
            dominance: reduced.then(|| Dominance::new(rules)),
            sorted: reduced && super::order::is_free(rules, kinds),
            decks: Interner::default(),
            players: Interner::default(),
            enemies: Interner::default(),
            joined: FxHashMap::default(),
            closed: FxHashMap::default(),
            glimpsed: FxHashMap::default(),
            recent: FxHashMap::default(),
            intents: FxHashMap::default(),
            after: Interner::default(),
            before: Interner::default(),
            after_outs: Vec::new(),
            after_bounds: Vec::new(),
            before_items: Vec::new(),
            outs: Vec::new(),
            items: Vec::new(),
            points: Vec::new(),
            edges: Vec::new(),
            chances: Vec::new(),
            exact: None,
            bounds: (look_ahead > 0 && !rules.can_heal()).then(|| Bounds::new(rules, look_ahead)),
        }
    }

    /// The same graph, which keeps exact chances.
    pub(crate) fn keeping_chances(mut self) -> Self {
        self.exact = Some(ExactChances::default());
        self
    }

    /// The after node of a position.
    pub(crate) fn after_node(&mut self, state: &State) -> u32 {
        let key = self.key(state, true);
        self.after_of_key(key)
    }

    fn after_of_key(&mut self, key: Key) -> u32 {
        let (node, new) = self.after.number(key);
        if new {
            self.after_outs.push(None);
            let bound = if self.bounds.is_some() { self.bound(key) } else { Bound::NONE };
            self.after_bounds.push(bound);
        }
        node
    }

    /// What is lost from here on, at least.
    fn bound(&mut self, key: Key) -> Bound {
        let Some(mut bounds) = self.bounds.take() else { return Bound::NONE };
        let bound = bounds.of(self, key);
        self.bounds = Some(bounds);
        bound
    }

    /// The rolls of an after node: chances and before nodes.
    pub(crate) fn expand_after(&mut self, node: u32) -> Span {
        if let Some(span) = self.after_outs[node as usize] {
            return span;
        }
        let key = self.after.value(node);
        let from = self.outs.len();
        let mut exact: Vec<Chance> = Vec::new();
        for (chance, rolled) in self.rolls(key) {
            let (before, new) = self.before.number(rolled);
            if new {
                self.before_items.push(None);
            }
            // Equal enemies can roll the same in different ways.
            match self.outs[from..].iter().position(|(_, other)| *other == before) {
                Some(place) => {
                    exact[place] = exact[place].or(chance);
                    self.outs[from + place].0 = exact[place].as_f64();
                }
                None => {
                    exact.push(chance);
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

    /// The draws of a before node that is expanded.
    pub(crate) fn draws_of(&self, node: u32) -> Option<Span> {
        self.before_items[node as usize]
    }

    /// Every combination of next moves.
    pub(crate) fn rolls(&mut self, key: Key) -> Vec<(Chance, Key)> {
        let living = key.enemies.iter().take_while(|enemy| **enemy != NOBODY).count();
        let mut rolled = vec![(Chance::ONE, key)];
        for place in 0..living {
            let nexts = self.intents(key.enemies[place], place, living > 1);
            rolled = rolled
                .into_iter()
                .flat_map(|(chance, key)| {
                    nexts.iter().map(move |(share, enemy)| {
                        let mut next = key;
                        next.enemies[place] = *enemy;
                        (chance.and(*share), next)
                    })
                })
                .collect();
        }
        if self.sorted && living > 1 {
            for (_, key) in &mut rolled {
                self.sort(&mut key.enemies[..living]);
            }
        }
        rolled
    }

    fn sort(&self, enemies: &mut [u32]) {
        enemies.sort_by_key(|enemy| self.enemies.value(*enemy));
    }

    fn intents(&mut self, enemy: u32, place: usize, others: bool) -> Vec<(Chance, u32)> {
        let place = u8::try_from(place).unwrap_or(u8::MAX);
        if let Some(known) = self.intents.get(&(enemy, place, others)) {
            return known.clone();
        }
        let nexts = self.rules.intents(&self.enemies.value(enemy), place.into(), others);
        let nexts: Vec<(Chance, u32)> =
            nexts.into_iter().map(|(chance, next)| (chance, self.enemies.number(next).0)).collect();
        self.intents.insert((enemy, place, others), nexts.clone());
        nexts
    }

    /// The draws of a before node: chances and decisions.
    pub(crate) fn expand_before(&mut self, node: u32) -> Span {
        if let Some(span) = self.before_items[node as usize] {
            return span;
        }
        let state = self.state(self.before.value(node));
        let drawn = self.rules.start_turn(&state);
        self.recent.clear();
        let points: Vec<(Chance, u32)> = drawn.iter().map(|(chance, state)| (*chance, self.point(state))).collect();
        let span = self.add_items(points);
        self.before_items[node as usize] = Some(span);
        span
    }

    /// The decision of a position within a turn.
    pub(crate) fn point(&mut self, state: &State) -> u32 {
        if state.is_over() {
            let end = Edge { change: state.health, to: To::won(state.potions) };
            return self.add_point(vec![end], Vec::new());
        }
        if let Some(known) = self.recent.get(state) {
            return *known;
        }
        let number = if state.ended || self.rules.is_closed(state) {
            let (turn, deck) = self.turn(state, View::Whole);
            self.add_turn(&turn, deck)
        } else {
            self.open_point(state)
        };
        self.recent.insert(*state, number);
        number
    }

    /// The decision of a position that depends on the piles. What chance leads to is a decision of its own, which may
    /// be closed.
    fn open_point(&mut self, state: &State) -> u32 {
        let (point, later) = self.rules.decision(state);
        let later: Vec<u32> = later.iter().map(|state| self.point(state)).collect();
        let ends = self.number_ends(point.ends);
        let edges = ends.iter().map(|end| self.edge(end, None)).collect();
        let mut chances: Vec<Vec<(Chance, u32)>> = Vec::new();
        for items in point.chances {
            let items = items.into_iter().map(|(chance, place)| (chance, later[place])).collect();
            if !chances.contains(&items) {
                chances.push(items);
            }
        }
        self.add_point(edges, chances)
    }

    /// Every way to spend the rest of a turn, and the piles to be joined with its ends, if it is closed.
    fn turn(&mut self, state: &State, view: View) -> (Rc<ClosedTurn>, Option<u32>) {
        if !self.rules.is_closed(state) {
            let tree = self.rules.turn_tree(state, view);
            return (Rc::new(self.number_turn(tree)), None);
        }
        let State { draw, discard, exhausted, top, .. } = *state;
        let deck = self.decks.number(Deck { draw, discard, exhausted, top }).0;
        let bare = without_piles(state);
        let known = if view == View::Whole { &self.closed } else { &self.glimpsed };
        if let Some(turn) = known.get(&bare) {
            return (Rc::clone(turn), Some(deck));
        }
        let tree = self.rules.turn_tree(&bare, view);
        let turn = Rc::new(self.number_turn(tree));
        let known = if view == View::Whole { &mut self.closed } else { &mut self.glimpsed };
        known.insert(bare, Rc::clone(&turn));
        (turn, Some(deck))
    }

    /// The turn as a bound sees it.
    pub(crate) fn glimpse(&mut self, state: &State) -> Glimpse {
        let (turn, deck) = self.turn(state, View::AttacksOnly);
        Glimpse { turn, deck }
    }

    /// Where an end of such a turn leads: `None` when the fight is won.
    pub(crate) fn glimpsed(&mut self, glimpse: &Glimpse, end: &ClosedEnd) -> Option<Key> {
        let added = end.deck?;
        let deck = glimpse.deck.map_or(added, |base| self.join(base, added));
        Some(Key { deck, player: end.player, enemies: end.enemies })
    }

    /// A turn with numbers for the parts of its ends, without the ends that cannot be best.
    fn number_turn(&mut self, tree: TurnTree) -> ClosedTurn {
        let points = tree.points.into_iter().map(|point| (self.number_ends(point.ends), point.chances));
        ClosedTurn { points: points.collect() }
    }

    fn number_ends(&mut self, ends: Vec<End>) -> Vec<ClosedEnd> {
        let mut kept: Vec<(ClosedEnd, Standing)> = Vec::new();
        for end in ends {
            let (state, potions) = (end.state, end.state.potions);
            let mut enemies = [NOBODY; ENEMIES];
            let deck = (!state.is_over()).then(|| {
                let mut living = 0;
                for (place, enemy) in enemies.iter_mut().zip(state.living()) {
                    *place = self.enemies.number(*enemy).0;
                    living += 1;
                }
                if self.sorted {
                    self.sort(&mut enemies[..living]);
                }
                let State { draw, discard, exhausted, top, .. } = state;
                self.decks.number(Deck { draw, discard, exhausted, top }).0
            });
            let player = self.players.number((state.player, potions)).0;
            let player = if deck.is_some() { player } else { 0 };
            let end = ClosedEnd { change: end.change, deck, player, enemies, potions };
            let standing = self.standing(enemies);
            self.keep_if_useful(&mut kept, (end, standing));
        }
        kept.into_iter().map(|(end, _)| end).collect()
    }

    /// Adds an end unless one of the others is as good, and drops those that are then no better.
    fn keep_if_useful(&self, ends: &mut Vec<(ClosedEnd, Standing)>, end: (ClosedEnd, Standing)) {
        if ends.iter().any(|other| self.is_as_good(other, &end)) {
            return;
        }
        ends.retain(|other| !self.is_as_good(&end, other));
        ends.push(end);
    }

    fn is_as_good(&self, (this, these): &(ClosedEnd, Standing), (that, those): &(ClosedEnd, Standing)) -> bool {
        if !this.change.is_as_good_as(that.change) {
            return false;
        }
        let Some(dominance) = self.dominance else {
            return this.change == that.change
                && (this.deck, this.player, this.enemies, this.potions)
                    == (that.deck, that.player, that.enemies, that.potions);
        };
        match (this.deck, that.deck) {
            // A fight that is won beats every later end, unless health could still be gained or potions count.
            (None, _) => {
                this.potions & that.potions == that.potions && !self.rules.can_heal()
                    || that.deck.is_none() && this.potions == that.potions
            }
            (Some(_), None) => false,
            (Some(deck), Some(other)) => {
                deck == other
                    && this.player == that.player
                    && (this.enemies == that.enemies || dominance.is_as_good(these, those))
            }
        }
    }

    /// The enemies of these numbers.
    pub(crate) fn standing(&self, enemies: [u32; ENEMIES]) -> Standing {
        enemies.map(|enemy| (enemy != NOBODY).then(|| self.enemies.value(enemy)))
    }

    /// Adds the points of a turn, joined with the piles that were left out of it.
    fn add_turn(&mut self, turn: &ClosedTurn, deck: Option<u32>) -> u32 {
        let first = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        // Later points of the same turn are named before they are there.
        let empty = PointNode { edges: Span::default(), chances: Span::default() };
        self.points.extend(std::iter::repeat_n(empty, turn.points.len()));
        for (index, (ends, chances)) in turn.points.iter().enumerate() {
            let edges = ends.iter().map(|end| self.edge(end, deck)).collect();
            let offset = |(chance, point): &(Chance, usize)| (*chance, first + u32::try_from(*point).unwrap_or(0));
            let chances = chances.iter().map(|items| items.iter().map(offset).collect()).collect();
            let node = self.new_point(edges, chances);
            self.points[first as usize + index] = node;
        }
        first
    }

    fn edge(&mut self, end: &ClosedEnd, base: Option<u32>) -> Edge {
        let Some(added) = end.deck else {
            return Edge { change: end.change, to: To::won(end.potions) };
        };
        let deck = base.map_or(added, |base| self.join(base, added));
        let node = self.after_of_key(Key { deck, player: end.player, enemies: end.enemies });
        Edge { change: end.change, to: To(node) }
    }

    /// The piles together.
    fn join(&mut self, base: u32, added: u32) -> u32 {
        if let Some(known) = self.joined.get(&(base, added)) {
            return *known;
        }
        let (mut deck, more) = (self.decks.value(base), self.decks.value(added));
        deck.draw.join(&more.draw);
        deck.discard.join(&more.discard);
        deck.exhausted.join(&more.exhausted);
        let (number, _) = self.decks.number(deck);
        self.joined.insert((base, added), number);
        number
    }

    fn add_point(&mut self, edges: Vec<Edge>, chances: Vec<Vec<(Chance, u32)>>) -> u32 {
        let node = self.new_point(edges, chances);
        self.points.push(node);
        u32::try_from(self.points.len() - 1).unwrap_or(u32::MAX)
    }

    fn add_items(&mut self, items: Vec<(Chance, u32)>) -> Span {
        let from = self.items.len();
        self.items.extend(items.iter().map(|(chance, point)| (chance.as_f64(), *point)));
        if let Some(kept) = &mut self.exact {
            kept.items.extend(items.into_iter().map(|(chance, _)| chance));
        }
        Span::new(from, self.items.len())
    }

    /// The exact chances of a part of [`items`](Self::items), when they were kept.
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

    /// The numbers of a position's parts.
    pub(crate) fn key(&mut self, state: &State, sort: bool) -> Key {
        let State { draw, discard, exhausted, top, player, potions, .. } = *state;
        let deck = self.decks.number(Deck { draw, discard, exhausted, top }).0;
        let player = self.players.number((player, potions)).0;
        let mut enemies = [NOBODY; ENEMIES];
        for (place, enemy) in enemies.iter_mut().zip(state.living()) {
            *place = self.enemies.number(*enemy).0;
        }
        let living = state.living().count();
        if sort && self.sorted {
            self.sort(&mut enemies[..living]);
        }
        Key { deck, player, enemies }
    }

    /// A position between two turns.
    pub(crate) fn state(&self, key: Key) -> State {
        let Deck { draw, discard, exhausted, top } = self.decks.value(key.deck);
        let (player, potions) = self.players.value(key.player);
        let enemies = self.standing(key.enemies);
        State {
            hand: Pile::default(),
            draw,
            discard,
            exhausted,
            top,
            player,
            health: Change::none(self.rules.max_health),
            energy: 0,
            potions,
            choosing: 0,
            ended: false,
            enemies,
        }
    }

    /// The same position with only one of its enemies.
    pub(crate) fn alone(key: Key, place: usize) -> Key {
        let mut enemies = [NOBODY; ENEMIES];
        enemies[0] = key.enemies[place];
        Key { enemies, ..key }
    }

    /// How many bytes the graph takes, nearly.
    pub(crate) fn bytes(&self) -> u64 {
        fn of<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        let interned = (self.after.len() + self.before.len()) * (2 * size_of::<Key>() + 8)
            + self.decks.len() * 2 * size_of::<Deck>();
        let kept = self.exact.as_ref().map_or(0, |kept| of(&kept.items) + of(&kept.outs));
        let lists = kept + of(&self.outs) + of(&self.items) + of(&self.points) + of(&self.edges) + of(&self.chances);
        let nodes = self.after.len() * (size_of::<Bound>() + 12) + self.before.len() * 12;
        let turns = (self.closed.len() + self.glimpsed.len()) * (2 * size_of::<State>() + 8 * size_of::<ClosedEnd>());
        u64::try_from(interned + lists + nodes + turns).unwrap_or(u64::MAX)
    }
}
