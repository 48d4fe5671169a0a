//! Draws of cards: the number of each, with probabilities. The order of a draw pile is unknown, except for cards that
//! have been put on top.

use super::carry_out::Flow;
use super::queue::{Running, Todo};
use super::state::{Pile, State};
use super::{Rules, Track};
use crate::data::card::Kind;
use crate::data::power::Power;
use crate::numbers::chance::{Chance, binomial};

/// The most cards of a hand.
const FULL_HAND: u32 = 10;

impl Rules {
    /// Every way to draw this many cards. Effects of drawing go to the end of the queue.
    pub(crate) fn draw(&self, run: &mut Running, count: u8) -> Flow {
        if run.state.player.has(Power::NoDraw) > 0 {
            return Flow::On;
        }
        let state = &mut run.state;
        let mut left = u32::from(count).min(FULL_HAND.saturating_sub(state.hand.len()));
        if left > 0 && state.anywhere().next().is_some() {
            return self.draw_one_by_one(run, left);
        }
        let mut drawn = Pile::default();
        if let Some(world) = &mut run.world {
            for slot in (0..left).map_while(|_| world.next_card(&self.cards, state)) {
                drawn.add(slot, 1);
            }
            self.take_up(run, &drawn);
            return Flow::On;
        }
        while left > 0 && state.known() > 0 {
            drawn.add(state.take_known(), 1);
            left -= 1;
        }
        if left >= state.draw.len() {
            drawn.join(&state.draw);
            left -= state.draw.len();
            state.draw = Pile::default();
            if left > 0 {
                state.draw = std::mem::take(&mut state.discard);
                if left >= state.draw.len() {
                    drawn.join(&state.draw);
                    state.draw = Pile::default();
                    left = 0;
                }
            }
        }
        if left == 0 {
            self.take_up(run, &drawn);
            return Flow::On;
        }
        let mut ways = Vec::new();
        for_each_part(&run.state.draw, left, &mut |chance, part| {
            let mut next = run.clone();
            for (slot, count) in part.iter() {
                next.state.draw.remove(slot, count);
            }
            let mut all = drawn;
            all.join(part);
            self.take_up(&mut next, &all);
            ways.push((chance, next));
        });
        Flow::Ways(ways)
    }

    /// The same where cards may lie anywhere among known ones.
    fn draw_one_by_one(&self, run: &Running, left: u32) -> Flow {
        let ways = top_cards(&run.state).into_iter().map(|(chance, state, slot)| {
            let mut next = Running { state, ..run.clone() };
            let mut drawn = Pile::default();
            drawn.add(slot, 1);
            if let Ok(more @ 1..) = u8::try_from(left - 1) {
                next.at_once(Todo::Draw(more));
            }
            self.take_up(&mut next, &drawn);
            (chance, next)
        });
        Flow::Ways(ways.collect())
    }

    /// Moves these cards from the draw pile to the hand.
    fn take_up(&self, run: &mut Running, drawn: &Pile) {
        run.state.hand.join(drawn);
        let (evolve, fire) = (run.state.player.has(Power::Evolve), run.state.player.has(Power::FireBreathing));
        if evolve == 0 && fire == 0 && !self.tracks(Track::Drawn) {
            return;
        }
        for (slot, count) in drawn.iter() {
            let data = self.card(slot).data();
            for _ in 0..count {
                if data.name == "void" {
                    run.later(Todo::LoseEnergy(1));
                }
                if evolve > 0 && data.kind == Kind::Status {
                    run.later(Todo::Draw(evolve));
                }
                if fire > 0 && matches!(data.kind, Kind::Status | Kind::Curse) {
                    run.later(Todo::HurtAll(fire.into()));
                }
            }
        }
    }
}

/// Every card that can be next in the draw pile, and the position without it; the discard pile is shuffled in if
/// necessary. Empty if there are no cards.
pub(super) fn top_cards(state: &State) -> Vec<(Chance, State, u8)> {
    let mut state = *state;
    let anywhere: Vec<u8> = state.anywhere().collect();
    let cards = state.draw.len() + u32::try_from(state.known() + anywhere.len()).unwrap_or(0);
    if cards == 0 {
        state.draw = std::mem::take(&mut state.discard);
        let cards = state.draw.len();
        return unknown_cards(&state, cards);
    }
    if state.known() == 0 {
        return unknown_cards(&state, cards);
    }
    let mut known = state;
    let slot = known.take_known();
    let others = cards - u32::try_from(anywhere.len()).unwrap_or(0);
    let mut ways = vec![(Chance::new(others.into(), cards.into()), known, slot)];
    for slot in anywhere {
        let mut next = state;
        next.take_anywhere(slot);
        ways.push((Chance::new(1, cards.into()), next, slot));
    }
    ways
}

/// Each card of the draw pile, whose order is unknown, as the next one.
fn unknown_cards(state: &State, cards: u32) -> Vec<(Chance, State, u8)> {
    let way = |(slot, count): (u8, u8)| {
        let mut next = *state;
        next.draw.remove(slot, 1);
        (Chance::new(count.into(), cards.into()), next, slot)
    };
    state.draw.iter().map(way).collect()
}

/// Every subset of a pile of this size, with the probability of drawing it.
pub(crate) fn for_each_part(pile: &Pile, size: u32, each: &mut dyn FnMut(Chance, &Pile)) {
    let kinds: Vec<(u8, u8)> = pile.iter().collect();
    let mut parts = Parts { total: binomial(pile.len(), size), taken: Pile::default(), each };
    parts.take(&kinds, size, pile.len(), 1);
}

/// The subsets of a pile, one after another.
struct Parts<'e> {
    /// The number of ways to draw.
    total: u128,
    taken: Pile,
    each: &'e mut dyn FnMut(Chance, &Pile),
}

impl Parts<'_> {
    /// Takes `size` more of these kinds of cards, of which there are `cards`; the cards taken so far came in `ways`
    /// ways.
    fn take(&mut self, kinds: &[(u8, u8)], size: u32, cards: u32, ways: u128) {
        if size == 0 {
            return (self.each)(Chance::new(ways, self.total), &self.taken);
        }
        let Some(((slot, count), rest)) = kinds.split_first() else { return };
        let others = cards - u32::from(*count);
        for now in 0..=*count {
            if u32::from(now) > size || size - u32::from(now) > others {
                continue;
            }
            self.taken.add(*slot, now);
            let more = binomial((*count).into(), now.into());
            self.take(rest, size - u32::from(now), others, ways * more);
            self.taken.remove(*slot, now);
        }
    }
}
