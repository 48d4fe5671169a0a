//! Turns with numbers for the parts of their ends.
//!
//! A turn in which nothing depends on the piles is looked at once for each hand, not for each pile: its ends say what
//! comes to the piles.

use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

use super::bound::Bound;
use super::chain::Spoils;
use super::chance::Chance;
use super::dominance::Dominance;
use super::parts::{Key, NOBODY, Parts};
use super::rules::Rules;
use super::state::{Change, ENEMIES, Pile, State};
use super::turn::{End, TurnTree, View, without_piles};

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
}

type ClosedPoint = (Vec<ClosedEnd>, Vec<Vec<(Chance, usize)>>);

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
}

impl Opened {
    /// Where an end of the turn leads: `None` when the fight is won.
    pub(crate) fn end(&self, parts: &mut Parts, end: &ClosedEnd) -> Option<Key> {
        let mut key = end.to()?;
        if let Some(base) = self.deck {
            key.deck = parts.join(base, key.deck);
        }
        Some(key)
    }
}

/// All that a closed turn depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Opening {
    hand: Pile,
    player: u32,
    enemies: [u32; ENEMIES],
    change: Change,
    energy: u8,
    ended: bool,
    whole: bool,
}

/// The closed turns that were looked at.
#[derive(Debug)]
pub(crate) struct Turns {
    pub dominance: Option<Dominance>,
    closed: FxHashMap<Opening, Rc<ClosedTurn>>,
}

impl Turns {
    /// No turns. With `reduced`, ends that cannot be best are left out.
    pub(crate) fn new(rules: &Rules, reduced: bool) -> Self {
        Self { dominance: reduced.then(|| Dominance::new(rules)), closed: FxHashMap::default() }
    }

    /// Every way to spend the rest of a turn.
    pub(crate) fn open(&mut self, rules: &Rules, parts: &mut Parts, state: &State, view: View) -> Opened {
        if !rules.is_closed(state) {
            let turn = Rc::new(self.number_turn(parts, rules.turn_tree(state, view)));
            return Opened { turn, deck: None };
        }
        let deck = Some(parts.deck(state));
        // The enemies stand in the order in which plays name them.
        let mut enemies = [NOBODY; ENEMIES];
        for (place, enemy) in enemies.iter_mut().zip(state.enemies.iter().flatten()) {
            *place = parts.enemy(*enemy);
        }
        let State { hand, health: change, energy, ended, .. } = *state;
        let whole = view == View::Whole;
        let opening = Opening { hand, player: parts.player(state), enemies, change, energy, ended, whole };
        if let Some(turn) = self.closed.get(&opening) {
            return Opened { turn: Rc::clone(turn), deck };
        }
        let turn = Rc::new(self.number_turn(parts, rules.turn_tree(&without_piles(state), view)));
        self.closed.insert(opening, Rc::clone(&turn));
        Opened { turn, deck }
    }

    /// A turn with numbers for the parts of its ends, without the ends that cannot be best.
    fn number_turn(&self, parts: &mut Parts, tree: TurnTree) -> ClosedTurn {
        let points = tree.points.into_iter().map(|point| (self.number_ends(parts, point.ends), point.chances));
        ClosedTurn { points: points.collect(), lost: OnceCell::new() }
    }

    /// Ends of a turn with numbers for their parts, without those that cannot be best.
    pub(crate) fn number_ends(&self, parts: &mut Parts, ends: Vec<End>) -> Vec<ClosedEnd> {
        let mut kept: Vec<ClosedEnd> = Vec::new();
        for End { change, state } in ends {
            let spoils = state.spoils();
            let end = if state.is_over() {
                ClosedEnd { change, deck: None, player: 0, enemies: [NOBODY; ENEMIES], spoils }
            } else {
                let Key { deck, player, enemies } = parts.key(&state);
                ClosedEnd { change, deck: Some(deck), player, enemies, spoils }
            };
            if kept.iter().any(|other| self.is_as_good(parts, other, &end)) {
                continue;
            }
            kept.retain(|other| !self.is_as_good(parts, &end, other));
            kept.push(end);
        }
        kept
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
        self.closed.len() * (2 * size_of::<Opening>() + 8 * size_of::<ClosedEnd>())
    }
}
