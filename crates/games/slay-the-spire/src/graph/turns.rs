//! Turns with numbers for the parts of their ends.
//!
//! A turn in which nothing depends on the piles is looked at once for each hand, not for each pile: its ends say what
//! comes to the piles. The same holds of the first decision of a turn in which all that depends on the piles is which card
//! is drawn next: it is looked at once, with a draw pile in which there is one of each card, and then says for each draw
//! what comes to the hand of it that is not the card drawn. (Of more than one card drawn at once that pile would not show
//! every hand that there can be.)

use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

use super::bound::Bound;
use super::candidate::Ranked;
use super::dominance::Dominance;
use super::parts::{Key, NOBODY, Parts};
use super::turn::{End, View, Workspace, without_piles};
use crate::numbers::chance::Chance;
use crate::rules::Rules;
use crate::rules::spoils::Spoils;
use crate::rules::state::{Change, ENEMIES, FREE, Pile, State};

/// The end of a turn, for a closed one to be joined with the piles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedEnd {
    pub change: Change,
    /// What comes to the piles; `None` when the fight is won.
    deck: Option<u32>,
    player: u32,
    enemies: [u32; ENEMIES],
    pub spoils: Spoils,
}

/// A turn: its points with their ends and chances, numbered from its first point.
#[derive(Debug)]
pub(crate) struct ClosedTurn {
    pub points: Vec<ClosedPoint>,
    /// What is lost in this turn, as far as a bound asked for it.
    pub lost: OnceCell<Bound>,
    /// How a rule of thumb ranks what can be done at the points, as far as it was asked.
    ranked: OnceCell<Box<[OnceCell<Ranked>]>>,
}

impl ClosedTurn {
    /// Where the ranks of what can be done at a point are kept.
    pub(crate) fn ranked(&self, point: usize) -> &OnceCell<Ranked> {
        let none = || self.points.iter().map(|_| OnceCell::new()).collect();
        &self.ranked.get_or_init(none)[point]
    }
}

type ClosedPoint = (Box<[ClosedEnd]>, Vec<Vec<(Chance, usize)>>);

/// A turn, and the piles that its ends are to be joined with, if it is closed.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub turn: Rc<ClosedTurn>,
    deck: Option<u32>,
}

impl ClosedEnd {
    /// Where it leads if its piles are whole: `None` when the fight is won.
    pub(crate) fn to(&self) -> Option<Key> {
        self.deck.map(|deck| Key { deck, player: self.player, enemies: self.enemies })
    }

    /// Where it leads, if what comes to the piles is joined with these.
    fn joined(&self, parts: &mut Parts, deck: Option<u32>) -> Option<Key> {
        let mut key = self.to()?;
        if let Some(base) = deck {
            key.deck = parts.join(base, key.deck);
        }
        Some(key)
    }
}

impl Opened {
    /// Where an end of the turn leads: `None` when the fight is won.
    pub(crate) fn end(&self, parts: &mut Parts, end: &ClosedEnd) -> Option<Key> {
        end.joined(parts, self.deck)
    }
}

/// The decision of a position that depends on the piles.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    ends: Rc<[ClosedEnd]>,
    deck: Option<u32>,
    /// The plays left to chance: each leads to positions with their chances.
    pub chances: Vec<Vec<(Chance, State)>>,
}

impl Decided {
    /// The ends of the turn without asking chance, and where they lead: `None` when the fight is won.
    pub(crate) fn ends<'a>(&'a self, parts: &'a mut Parts) -> impl Iterator<Item = (&'a ClosedEnd, Option<Key>)> {
        self.ends.iter().map(|end| (end, end.joined(parts, self.deck)))
    }
}

/// A decision in which nothing depends on the piles but which card is drawn next.
#[derive(Debug)]
struct Drawing {
    ends: Rc<[ClosedEnd]>,
    draws: Vec<Drawn>,
}

/// The position after a play that draws a card, without that card and the piles as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Drawn {
    hand: Pile,
    free: [u8; FREE],
    key: Key,
    change: Change,
    energy: u8,
}

/// All that a turn depends on but the piles.
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

/// The closed turns that were looked at.
#[derive(Debug)]
pub(crate) struct Turns {
    pub dominance: Option<Dominance>,
    closed: FxHashMap<Opening, Rc<ClosedTurn>>,
    /// Where what is drawn matters otherwise, too, there is nothing.
    drawing: FxHashMap<Opening, Option<Rc<Drawing>>>,
    /// One of each card.
    each: Pile,
    space: Workspace,
    /// The ends that are being numbered.
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

    /// Whether what cannot be best is left out.
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
        // What the decision takes from the draw pile is there without a shuffle, and unknown.
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

    /// The decision with one of each card to be drawn, if every play left to chance draws one of them, which does nothing
    /// but come to the hand.
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
            // Of an end that is won the piles do not count.
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

    /// What was drawn, if it was one card of the draw pile that has one of each, and the position without that card.
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

    /// Every way to spend the rest of a turn, with numbers for the parts of its ends, without the ends that cannot be
    /// best.
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
                ClosedEnd { change, deck: None, player: 0, enemies: [NOBODY; ENEMIES], spoils }
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
            // A fight that is won beats every later end, unless health could still be gained or potions count.
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

    /// How many bytes they take, nearly.
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

/// The enemies in the order in which plays name them.
fn in_order(parts: &mut Parts, state: &State) -> [u32; ENEMIES] {
    let mut enemies = [NOBODY; ENEMIES];
    for (place, enemy) in enemies.iter_mut().zip(state.enemies.iter().flatten()) {
        *place = parts.enemy(*enemy);
    }
    enemies
}
