//! One world: all random outcomes of a fight, decided beforehand.
//!
//! A world is a number that determines everything: the order of the draw pile at first and after each shuffle, the
//! rolls of the enemies in each turn, the targets of random hits. The plays do not change it, so a player without
//! foresight meets outcomes with the probabilities of the rules. Two decks in the same world draw their common cards in
//! the same order.

use std::rc::Rc;

use super::state::{Pile, State};
use crate::data::card::Card;
use crate::numbers::chance::Chance;

/// The random outcomes of a world that are still to come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fate {
    world: u64,
    turn: u32,
    /// The number of random events of this turn so far.
    events: u32,
    shuffles: u32,
    /// The draw pile without the cards that are known to lie on top, the next one last.
    order: Vec<u8>,
}

/// How lucky the draws in a world were: the value of each card minus its mean given the draw pile. So the sum has mean
/// 0, whatever a player without foresight plays (a martingale).
#[derive(Clone, Debug, Default)]
pub(crate) struct Luck {
    /// The value of drawing a card of each slot; `None` if it is not counted.
    pub worths: Option<Rc<[f64]>>,
    /// The sum so far.
    pub sum: f64,
    /// For each slot how many cards were drawn minus their expected number; empty if not counted.
    pub drawn: Vec<f64>,
}

impl Luck {
    /// The sum is never further from 0: events that could lead beyond do not count, which is known before they happen.
    pub(crate) const MOST: f64 = 15.0;

    /// Counts an event of this value, whose value is `mean` on average, and between `least` and `most`.
    pub(crate) fn count(&mut self, worth: f64, mean: f64, (least, most): (f64, f64)) {
        if self.sum.abs() + (most - least) <= Self::MOST {
            self.sum += worth - mean;
        }
    }

    /// Counts that a card of this slot was the next of a pile.
    fn draw(&mut self, pile: &Pile, slot: u8) {
        let cards = f64::from(pile.len());
        if !self.drawn.is_empty() {
            self.drawn[usize::from(slot)] += 1.0;
            for (other, count) in pile.iter() {
                self.drawn[usize::from(other)] -= f64::from(count) / cards;
            }
        }
        let Some(worths) = self.worths.clone() else { return };
        let worth = |slot: u8| worths.get(usize::from(slot)).copied().unwrap_or(0.0);
        let (mut mean, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
        for (other, count) in pile.iter() {
            let own = worth(other);
            mean += own * f64::from(count) / cards;
            (least, most) = (own.min(least), own.max(most));
        }
        self.count(worth(slot), mean, (least, most));
    }
}

/// A world during a play.
#[derive(Clone, Debug)]
pub(crate) struct Unfolding {
    fate: Fate,
    luck: Luck,
}

/// What is decided, so that decisions are independent of each other.
#[derive(Clone, Copy)]
enum Decides {
    Begin,
    Shuffle,
    Roll,
    Event,
}

impl Fate {
    /// A world at the beginning.
    pub(super) fn new(world: u64) -> Self {
        Self { world, turn: 0, events: 0, shuffles: 0, order: Vec::new() }
    }

    /// The cards in unknown order, the next one last.
    #[cfg(test)]
    pub(super) fn order(&self) -> Vec<u8> {
        self.order.clone()
    }

    /// Another turn begins.
    pub(super) fn next_turn(&mut self) {
        self.turn += 1;
        self.events = 0;
    }

    /// Which of these beginnings the fight has.
    pub(super) fn beginning<T>(&self, ways: &[(Chance, T)]) -> usize {
        self.pick(Decides::Begin, (0, 0), ways)
    }

    /// Which of these moves the enemy at this place rolls in this turn.
    pub(super) fn roll<T>(&self, place: usize, moves: &[(Chance, T)]) -> usize {
        self.pick(Decides::Roll, (self.turn.into(), place as u64), moves)
    }

    /// The draw pile in the order of this world, after another shuffle. The same cards lie in the same order whatever
    /// else is in the deck.
    pub(super) fn lay_down(&mut self, cards: &[Card], pile: &Pile) {
        self.shuffles += 1;
        let shuffles = self.shuffles.into();
        let copies = pile.iter().flat_map(|(slot, count)| (0..count).map(move |copy| (slot, copy)));
        let number = |slot: u8, copy: u8| copy_number(cards[usize::from(slot)], copy);
        let mut order: Vec<(u64, u8)> =
            copies.map(|(slot, copy)| (self.number(Decides::Shuffle, shuffles, number(slot, copy)), slot)).collect();
        order.sort_unstable();
        self.order.clear();
        self.order.extend(order.into_iter().map(|(_, slot)| slot));
    }

    /// A card is put into the draw pile at a position that the world decides.
    pub(super) fn lay_in(&mut self, state: &mut State, slot: u8) {
        self.events += 1;
        let places = (state.known() + self.order.len() + 1) as u64;
        let above = self.number(Decides::Event, self.turn.into(), self.events.into()) % places;
        let above = usize::try_from(above).unwrap_or(0);
        match above.checked_sub(state.known()) {
            None if state.has_room_on_top() => state.put_below(slot, above),
            below => {
                self.insert(slot, below.unwrap_or(0));
                state.draw.add(slot, 1);
            }
        }
    }

    /// A pseudorandom number.
    fn number(&self, what: Decides, first: u64, second: u64) -> u64 {
        [what as u64, first, second]
            .into_iter()
            .fold(scrambled(self.world), |sum, part| scrambled(sum ^ scrambled(part)))
    }

    /// A random one of these.
    fn pick<T>(&self, what: Decides, (first, second): (u64, u64), ways: &[(Chance, T)]) -> usize {
        let chance = unit(self.number(what, first, second));
        let mut sum = 0.0;
        let found = ways.iter().position(|(share, _)| {
            sum += share.as_f64();
            chance < sum
        });
        found.unwrap_or(ways.len().saturating_sub(1))
    }

    /// The next of the cards in unknown order.
    fn next_card(&mut self) -> Option<u8> {
        self.order.pop()
    }

    /// Inserts a card among those.
    fn insert(&mut self, slot: u8, at: usize) {
        self.order.insert(self.order.len() - at, slot);
    }
}

impl Unfolding {
    /// A world from here on.
    pub(super) fn new(fate: Fate, luck: Luck) -> Self {
        Self { fate, luck }
    }

    /// The next card of the draw pile; the discard pile is shuffled in if necessary.
    pub(super) fn next_card(&mut self, cards: &[Card], state: &mut State) -> Option<u8> {
        if state.known() > 0 {
            return Some(state.take_known());
        }
        if state.draw.is_empty() {
            state.draw = std::mem::take(&mut state.discard);
            self.fate.lay_down(cards, &state.draw);
        }
        let slot = self.fate.next_card()?;
        self.luck.draw(&state.draw, slot);
        state.draw.remove(slot, 1);
        Some(slot)
    }

    /// A card is shuffled into the draw pile.
    pub(super) fn shuffle_in(&mut self, state: &mut State, slot: u8) {
        self.fate.lay_in(state, slot);
    }

    /// The outcome in this world, and the number of events so far.
    pub(super) fn pick<T>(&self, ways: &[(Chance, T)]) -> (usize, u32) {
        let events = self.fate.events + 1;
        (self.fate.pick(Decides::Event, (self.fate.turn.into(), events.into()), ways), events)
    }

    /// Sets the number of events of this turn.
    pub(super) fn set_events(&mut self, events: u32) {
        self.fate.events = events;
    }

    /// The world and the luck, at the end of a play.
    pub(super) fn parts(self) -> (Fate, Luck) {
        (self.fate, self.luck)
    }

    /// Cards are replaced by others in place.
    pub(super) fn rename(&mut self, from: u8, to: u8, most: usize) {
        self.fate.order.iter_mut().filter(|slot| **slot == from).take(most).for_each(|slot| *slot = to);
    }
}

/// A number for one copy of a card.
fn copy_number(card: Card, copy: u8) -> u64 {
    card.key() << 8 | u64::from(copy)
}

/// A number that appears to be independent of this one (splitmix64).
pub(crate) fn scrambled(number: u64) -> u64 {
    let mut sum = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    sum ^ (sum >> 31)
}

/// A number from 0 to below 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits are as many as there is room for")]
pub(crate) fn unit(number: u64) -> f64 {
    (number >> 11) as f64 / (1u64 << 53) as f64
}
