//! How cards are drawn: as many of each, with their chances. The order of a draw pile is unknown, except for
//! what a card has put on top.

use super::Rules;
use super::damage::hurt_all;
use super::running::Running;
use super::state::{NONE, Pile, TOP};
use crate::data::card::Kind;
use crate::data::power::Power;
use crate::numbers::chance::{Chance, binomial};

/// As many cards as a hand holds.
const FULL_HAND: u32 = 10;

impl Rules {
    /// Every way in which so many cards can be drawn. What drawing draws is then due.
    pub(crate) fn draws(&self, run: &Running, count: u8) -> Vec<(Chance, Running)> {
        let mut run = *run;
        if run.state.player.has(Power::NoDraw) > 0 {
            return vec![(Chance::ONE, run)];
        }
        let mut left = u32::from(count).min(FULL_HAND.saturating_sub(run.state.hand.len()));
        let mut drawn = Pile::default();
        while left > 0 && run.state.top[0] != NONE {
            drawn.add(run.state.top[0], 1);
            run.state.top[0] = NONE;
            run.state.top.rotate_left(1);
            left -= 1;
        }
        if left >= run.state.draw.len() {
            drawn.join(&run.state.draw);
            left -= run.state.draw.len();
            run.state.draw = Pile::default();
            if left > 0 {
                run.state.draw = std::mem::take(&mut run.state.discard);
                if left >= run.state.draw.len() {
                    drawn.join(&run.state.draw);
                    run.state.draw = Pile::default();
                    left = 0;
                }
            }
        }
        debug_assert_eq!(run.state.top.len(), TOP);
        let mut outcomes = Vec::new();
        for_each_part(&run.state.draw, left, &mut |chance, part| {
            let mut next = run;
            for (slot, count) in part.iter() {
                next.state.draw.remove(slot, count);
            }
            let mut all = drawn;
            all.join(part);
            next.state.hand.join(&all);
            self.after_draw(&mut next, &all);
            outcomes.push((chance, next));
        });
        outcomes
    }

    /// What happens when these cards are drawn.
    fn after_draw(&self, run: &mut Running, drawn: &Pile) {
        for (slot, count) in drawn.iter() {
            let data = self.card(slot).data();
            if data.name == "void" {
                run.state.energy = run.state.energy.saturating_sub(count);
            }
            if data.kind == Kind::Status {
                run.due.draws += count * run.state.player.has(Power::Evolve);
            }
            let fire = run.state.player.has(Power::FireBreathing);
            if fire > 0 && matches!(data.kind, Kind::Status | Kind::Curse) {
                (0..count).for_each(|_| hurt_all(&mut run.state, fire.into()));
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
