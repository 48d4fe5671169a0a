//! Turns with numbers for the parts of their ends.
//!
//! A turn in which nothing depends on the piles is evaluated once for each hand, not for each pile: its ends record the
//! cards that are added to the piles. The same holds for the first decision of a turn that depends on the piles only by
//! the card that is drawn next: it is evaluated once, with a draw pile of one of each card, which gives the result for
//! each draw. (For several cards drawn at once that pile would not produce every possible hand.)

use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

use super::bound::Bound;
use super::candidate::Ranked;
use super::dominance::Dominance;
use super::parts::{Key, NO_ENEMY, Parts};
use super::turn::{End, View, Workspace, without_piles};
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::spoils::Spoils;
use crate::rules::state::{Change, ENEMIES, FREE, Pile, State};

/// The end of a turn; for a closed turn, to be combined with the piles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedEnd {
    pub change: Change,
    /// The cards that are added to the piles; `None` when the fight is won.
    deck: Option<u32>,
    player: u32,
    enemies: [u32; ENEMIES],
    pub spoils: Spoils,
}

/// A turn: its points with their ends and chances, numbered from its first point.
#[derive(Debug)]
pub(crate) struct ClosedTurn {
    pub points: Vec<ClosedPoint>,
    /// The loss of this turn, once a bound has requested it.
    pub lost: OnceCell<Bound>,
    /// The ranked candidates of the points, where they have been requested.
    ranked: OnceCell<Box<[OnceCell<Ranked>]>>,
}

impl ClosedTurn {
    /// The ranked candidates of a point.
    pub(crate) fn ranked(&self, point: usize) -> &OnceCell<Ranked> {
        let none = || self.points.iter().map(|_| OnceCell::new()).collect();
        &self.ranked.get_or_init(none)[point]
    }
}

type ClosedPoint = (Box<[ClosedEnd]>, Vec<Vec<(Chance, usize)>>);

/// A turn, and the piles with which its ends are to be combined, if it is closed.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub turn: Rc<ClosedTurn>,
    deck: Option<u32>,
}

impl ClosedEnd {
    /// Its target if its piles are complete: `None` when the fight is won.
    pub(crate) fn to(&self) -> Option<Key> {
        self.deck.map(|deck| Key { deck, player: self.player, enemies: self.enemies })
    }

    /// Its target, with these cards added to the piles.
    fn joined(&self, parts: &mut Parts, deck: Option<u32>) -> Option<Key> {
        let mut key = self.to()?;
        if let Some(base) = deck {
            key.deck = parts.join(base, key.deck);
        }
        Some(key)
    }
}

impl Opened {
    /// The target of an end of the turn: `None` when the fight is won.
    pub(crate) fn end(&self, parts: &mut Parts, end: &ClosedEnd) -> Option<Key> {
        end.joined(parts, self.deck)
    }
}

/// The decision of a position that depends on the piles.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    ends: Rc<[ClosedEnd]>,
    deck: Option<u32>,
    /// The plays with random outcomes: each leads to positions with their chances.
    pub chances: Vec<Vec<(Chance, State)>>,
}

impl Decided {
    /// The ends of the turn without a random outcome, with their targets: `None` when the fight is won.
    pub(crate) fn ends<'a>(&'a self, parts: &'a mut Parts) -> impl Iterator<Item = (&'a ClosedEnd, Option<Key>)> {
        self.ends.iter().map(|end| (end, end.joined(parts, self.deck)))
    }
}

/// A decision that depends on the piles only by the card that is drawn next.
#[derive(Debug)]
struct Drawing {
    ends: Rc<[ClosedEnd]>,
    draws: Vec<Drawn>,
}

/// The position after a play that draws a card, without that card and with the piles as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Drawn {
    hand: Pile,
    free: [u8; FREE],
    key: Key,
    change: Change,
    energy: u8,
}

/// Everything on which a turn depends except the piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Opening {
    hand: Pile,
    player: u32,
    enemies: [u32; ENEMIES],
    change: Change,
    energy: u8,
    free: [u8; FREE],
    ended: bool,
    whole: bool,
}

/// The closed turns evaluated so far.
#[derive(Debug)]
pub(crate) struct Turns {
    pub dominance: Option<Dominance>,
    closed: FxHashMap<Opening, Rc<ClosedTurn>>,
    /// `None` for a turn that depends on the draw in other ways, too.
    drawing: FxHashMap<Opening, Option<Rc<Drawing>>>,
    /// One of each card.
    each: Pile,
    space: Workspace,
    /// A buffer for the ends that are being numbered.
    kept: Vec<ClosedEnd>,
}

impl Turns {
    /// No turns. With `reduced`, ends that cannot be best are left out.
    pub(crate) fn new(rules: &Rules, reduced: bool) -> Self {
        let mut each = Pile::default();
        (0u8..).zip(&rules.cards).for_each(|(slot, _)| each.add(slot, 1));
        Self {
            dominance: reduced.then(|| Dominance::new(rules)),
            closed: FxHashMap::default(),
            drawing: FxHashMap::default(),
            each,
            space: Workspace::default(),
            kept: Vec::new(),
        }
    }

    /// Whether ends that cannot be best are left out.
    pub(crate) fn reduced(&self) -> bool {
        self.dominance.is_some()
    }

    /// Every way to spend the rest of a turn.
    pub(crate) fn open(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> Opened {
        if !rules.is_closed(state) {
            let turn = Rc::new(self.look_at(rules, parts, state, view));
            return Opened { turn, deck: None };
        }
        let deck = Some(parts.piles(state));
        let opening = opening(parts, state, view);
        if let Some(turn) = self.closed.get(&opening) {
            return Opened { turn: Rc::clone(turn), deck };
        }
        let turn = Rc::new(self.look_at(rules, parts, &without_piles(state), view));
        self.closed.insert(opening, Rc::clone(&turn));
        Opened { turn, deck }
    }

    /// The decision of a position that depends on the piles.
    pub(crate) fn decide(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> Decided {
        // The cards that the decision takes from the draw pile come without a shuffle, and are unknown.
        let draws_one = !state.draw.is_empty() && state.known() == 0 && rules.draws_singly(state);
        let drawing = if draws_one { self.drawing(rules, parts, state, view) } else { None };
        let Some(drawing) = drawing else {
            let reduced = self.reduced();
            let (point, later) = rules.decision(&mut self.space, state, view, reduced);
            let chances = point.chances.into_iter();
            let chances = chances.map(|items| items.into_iter().map(|(chance, to)| (chance, later[to])).collect());
            return Decided {
                ends: self.number_ends(parts, point.ends).into(),
                deck: None,
                chances: chances.collect(),
            };
        };
        let total = u128::from(state.draw.len());
        let chances = drawing.draws.iter().map(|drawn| {
            let mut after = parts.state(drawn.key, 0);
            (after.hand, after.health, after.energy) = (drawn.hand, drawn.change, drawn.energy);
            after.free = drawn.free;
            after.draw = state.draw;
            after.discard.join(&state.discard);
            after.exhausted.join(&state.exhausted);
            let draw = |(slot, count): (u8, u8)| {
                let mut next = after;
                next.hand.add(slot, 1);
                next.draw.remove(slot, 1);
                (Chance::new(count.into(), total), next)
            };
            state.draw.iter().map(draw).collect()
        });
        let chances = chances.collect();
        Decided { ends: Rc::clone(&drawing.ends), deck: Some(parts.piles(state)), chances }
    }

    fn drawing(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> Option<Rc<Drawing>> {
        let opening = opening(parts, state, view);
        if let Some(known) = self.drawing.get(&opening) {
            return known.clone();
        }
        let found = self.find_drawing(rules, parts, state, view).map(Rc::new);
        self.drawing.insert(opening, found.clone());
        found
    }

    /// The decision with one of each card to be drawn, if every play with random outcomes draws one of them, which only
    /// comes to the hand.
    fn find_drawing(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> Option<Drawing> {
        let (reduced, start) = (self.reduced(), State { draw: self.each, ..without_piles(state) });
        let (point, later) = rules.decision(&mut self.space, &start, view, reduced);
        let draws: Option<Vec<Drawn>> = point
            .chances
            .iter()
            .map(|items| {
                let mut slots: Vec<u8> = Vec::new();
                let mut common = None;
                for (_, to) in items {
                    let (slot, drawn) = self.drawn(parts, &later[*to])?;
                    slots.push(slot);
                    if *common.get_or_insert_with(|| drawn.clone()) != drawn {
                        return None;
                    }
                }
                slots.sort_unstable();
                slots.dedup();
                common.filter(|_| slots.len() == items.len() && slots.len() == self.each.iter().count())
            })
            .collect();
        let draws = draws?;
        let ends = point.ends.into_iter().map(|mut end| {
            // In a won fight the piles do not matter.
            if !end.state.is_over() {
                self.each.iter().try_for_each(|(slot, _)| {
                    let left = end.state.draw.count(slot);
                    (left > 0).then(|| end.state.draw.remove(slot, 1))
                })?;
            }
            Some(end)
        });
        let ends = ends.collect::<Option<Vec<End>>>()?;
        Some(Drawing { draws, ends: self.number_ends(parts, ends).into() })
    }

    /// The card that was drawn, if it was one card of the draw pile with one of each, and the position without that
    /// card.
    fn drawn(&self, parts: &mut Parts, state: &State) -> Option<(u8, Drawn)> {
        let (slot, _) = self.each.iter().find(|(slot, _)| state.draw.count(*slot) == 0)?;
        let mut all = state.draw;
        all.add(slot, 1);
        if all != self.each || state.hand.count(slot) == 0 || state.known() > 0 || state.waiting > 0 || state.ended {
            return None;
        }
        let mut hand = state.hand;
        hand.remove(slot, 1);
        let mut key = parts.key(&State { hand: Pile::default(), draw: Pile::default(), ..*state });
        key.enemies = in_order(parts, state);
        Some((slot, Drawn { hand, free: state.free, key, change: state.health, energy: state.energy }))
    }

    /// Every way to spend the rest of a turn, with numbers for the parts of its ends, without ends that cannot be best.
    fn look_at(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> ClosedTurn {
        let reduced = self.reduced();
        let tree = rules.turn_tree(&mut self.space, state, view, reduced);
        let points = tree.points.into_iter().map(|point| (self.number_ends(parts, point.ends), point.chances));
        let points: Vec<ClosedPoint> = points.collect();
        ClosedTurn { points, lost: OnceCell::new(), ranked: OnceCell::new() }
    }

    /// Ends of a turn with numbers for their parts, without those that cannot be best.
    fn number_ends(&mut self, parts: &mut Parts, ends: Vec<End>) -> Box<[ClosedEnd]> {
        let mut kept = std::mem::take(&mut self.kept);
        for End { change, state } in &ends {
            let (change, spoils) = (*change, state.spoils());
            let end = if state.is_over() {
                ClosedEnd { change, deck: None, player: 0, enemies: [NO_ENEMY; ENEMIES], spoils }
            } else {
                let Key { deck, player, enemies } = parts.key(state);
                ClosedEnd { change, deck: Some(deck), player, enemies, spoils }
            };
            if kept.iter().any(|other| self.is_as_good(parts, other, &end)) {
                continue;
            }
            kept.retain(|other| !self.is_as_good(parts, &end, other));
            kept.push(end);
        }
        self.space.take_back(ends);
        let numbered = Box::from(kept.as_slice());
        kept.clear();
        self.kept = kept;
        numbered
    }

    fn is_as_good(&self, parts: &Parts, this: &ClosedEnd, that: &ClosedEnd) -> bool {
        if !this.change.is_as_good_as(that.change) {
            return false;
        }
        let Some(dominance) = self.dominance else {
            return this.change == that.change
                && (this.deck, this.player, this.enemies, this.spoils)
                    == (that.deck, that.player, that.enemies, that.spoils);
        };
        match (this.deck, that.deck) {
            // A won fight beats every later end, unless health could still be gained or potions count.
            (None, _) => {
                this.spoils.potions & that.spoils.potions == that.spoils.potions && !dominance.heals
                    || that.deck.is_none() && this.spoils == that.spoils
            }
            (Some(_), None) => false,
            (Some(deck), Some(other)) => {
                deck == other
                    && this.player == that.player
                    && (this.enemies == that.enemies
                        || dominance.is_as_good(&parts.standing(this.enemies), &parts.standing(that.enemies)))
            }
        }
    }

    /// The approximate number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        let ends = 8 * size_of::<ClosedEnd>();
        self.closed.len() * (2 * size_of::<Opening>() + ends)
            + self.drawing.len() * (2 * size_of::<Opening>() + ends + 2 * size_of::<Drawn>())
    }
}

fn opening(parts: &mut Parts, state: &State, view: View) -> Opening {
    let State { hand, health: change, energy, free, ended, .. } = *state;
    let (player, enemies) = (parts.player(state), in_order(parts, state));
    Opening { hand, player, enemies, change, energy, free, ended, whole: view == View::Whole }
}

/// The enemies in the order in which plays refer to them.
fn in_order(parts: &mut Parts, state: &State) -> [u32; ENEMIES] {
    let mut enemies = [NO_ENEMY; ENEMIES];
    for (place, enemy) in enemies.iter_mut().zip(state.enemies.iter().flatten()) {
        *place = parts.enemy(*enemy);
    }
    enemies
}
