//! How cards are drawn: as many of each, with their chances. The order of a draw pile is unknown, except for
//! what a card has put on top.

use super::carry_out::Flow;
use super::queue::{Running, Todo};
use super::state::{NONE, Pile};
use super::{Rules, Track};
use crate::data::card::Kind;
use crate::data::power::Power;
use crate::numbers::chance::{Chance, binomial};

/// As many cards as a hand holds.
const FULL_HAND: u32 = 10;

impl Rules {
    /// Every way in which so many cards can be drawn. What drawing sets off comes at the end of the queue.
    pub(crate) fn draw(&self, run: &mut Running, count: u8) -> Flow {
        if run.state.player.has(Power::NoDraw) > 0 {
            return Flow::On;
        }
        let state = &mut run.state;
        let mut left = u32::from(count).min(FULL_HAND.saturating_sub(state.hand.len()));
        let mut drawn = Pile::default();
        while left > 0 && state.top[0] != NONE {
            drawn.add(state.top[0], 1);
            state.top[0] = NONE;
            state.top.rotate_left(1);
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

    /// These cards come from the draw pile to the hand.
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

/// Every part of a pile of this size, with the chance to draw it.
pub(crate) fn for_each_part(pile: &Pile, size: u32, each: &mut dyn FnMut(Chance, &Pile)) {
    let kinds: Vec<(u8, u8)> = pile.iter().collect();
    let mut parts = Parts { total: binomial(pile.len(), size), taken: Pile::default(), each };
    parts.take(&kinds, size, pile.len(), 1);
}

/// The parts of a pile, one after another.
struct Parts<'e> {
    /// Of so many ways to draw.
    total: u128,
    taken: Pile,
    each: &'e mut dyn FnMut(Chance, &Pile),
}

impl Parts<'_> {
    /// Takes `size` more of these kinds of cards, of which there are `cards`; what was taken came in so many ways.
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
