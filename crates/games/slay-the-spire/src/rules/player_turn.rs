//! The player's turn: how it begins and ends.

use super::damage::{gain_block, hurt_all};
use super::enemy_turn::fresh_with_doubt;
use super::running::{Due, Outcomes, Running};
use super::state::State;
use super::{Rules, Track};
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

/// Energy of a turn.
const ENERGY: u8 = 3;
/// Cards of a turn.
const CARDS: u8 = 5;

impl Rules {
    /// The start of the player's turn, with the draw.
    pub fn start_turn(&self, state: &State) -> Outcomes {
        let mut run = Running { state: *state, due: Due::default() };
        let player = &mut run.state.player;
        player.set(Power::FlameBarrier, 0);
        run.state.energy = (ENERGY + player.has(Power::Berserk)).saturating_add(player.take(Power::NextEnergy));
        let mut block: u16 = player.take(Power::NextBlock).into();
        match player.has(Power::HornCleat) {
            0 => {}
            1 => {
                player.set(Power::HornCleat, 0);
                block += 14;
            }
            turns => player.set(Power::HornCleat, turns - 1),
        }
        if self.has(Relic::HappyFlower) {
            player.gain(Power::HappyFlower, 1);
            if player.has(Power::HappyFlower) == 3 {
                player.set(Power::HappyFlower, 0);
                run.state.energy += 1;
            }
        }
        let cards = CARDS + run.state.player.take(Power::NextDraw);
        gain_block(&mut run, block);
        if self.has(Relic::MercuryHourglass) {
            hurt_all(&mut run.state, 3);
            run.state.close_ranks();
        }
        run.due.draws += cards;
        let mut drawn = Vec::new();
        self.resolve_draws(run, &mut drawn);
        let mut outcomes = Vec::new();
        for (chance, mut run) in drawn {
            run.state.close_ranks();
            let brutality = run.state.player.has(Power::Brutality);
            (0..brutality).for_each(|_| self.lose_health(&mut run.state, 1, false));
            run.state.player.strengthen(run.state.player.has(Power::DemonForm).into());
            if brutality == 0 {
                outcomes.push((chance, run.state));
                continue;
            }
            run.due.draws += brutality;
            let mut more = Vec::new();
            self.resolve_draws(run, &mut more);
            outcomes.extend(more.into_iter().map(|(share, run)| (chance.and(share), run.state)));
        }
        for (_, state) in &mut outcomes {
            state.curl();
            state.close_ranks();
        }
        outcomes
    }

    /// The end of the player's turn and the enemies' turn. The positions are those before the enemies' next
    /// moves are rolled, with an empty hand.
    pub fn end_turn(&self, state: &State) -> Outcomes {
        let mut outcomes = Vec::new();
        self.end_turn_counting(state, true, &mut outcomes);
        outcomes
    }

    /// The same. Without `own` the losses and gains before the enemies act are forgotten.
    pub(crate) fn end_turn_counting(&self, state: &State, own: bool, outcomes: &mut Outcomes) {
        outcomes.clear();
        let mut run = Running { state: *state, due: Due::default() };
        self.end_of_players_turn(&mut run);
        if !own {
            run.state.health = super::state::Change::none(self.most_health());
        }
        let fresh = fresh_with_doubt([false; 3], state, self);
        if !run.due.any() {
            return self.enemies_turn(Chance::ONE, run.state, fresh, outcomes);
        }
        // Juggernaut may still have a target to choose.
        let mut branches = Vec::new();
        self.resolve_draws(run, &mut branches);
        for (chance, run) in branches {
            self.enemies_turn(chance, run.state, fresh, outcomes);
        }
    }

    fn end_of_players_turn(&self, run: &mut Running) {
        if self.has(Relic::Orichalcum) && run.state.player.block == 0 {
            gain_block(run, 6);
        }
        let metal = run.state.player.has(Power::Metallicize);
        let plates = run.state.player.has(Power::PlatedArmor);
        gain_block(run, metal.into());
        gain_block(run, plates.into());
        if self.tracks(Track::Held) {
            self.held_cards(&mut run.state);
        }
        let combust = run.state.player.has(Power::Combust);
        if combust > 0 {
            let cost = run.state.player.has(Power::CombustCost);
            self.lose_health(&mut run.state, cost.into(), true);
            hurt_all(&mut run.state, combust.into());
        }
        let player = &mut run.state.player;
        let (strength, dexterity) = (player.take(Power::StrengthLoss), player.take(Power::DexterityLoss));
        player.strengthen(-i16::from(strength));
        player.quicken(-i16::from(dexterity));
        player.strengthen(player.has(Power::Ritual).into());
        let healed = player.has(Power::Regeneration);
        player.set(Power::Regeneration, healed.saturating_sub(1));
        for power in [Power::Entangled, Power::NoDraw, Power::DoubleTap, Power::Rage, Power::Played, Power::Skills] {
            player.set(power, 0);
        }
        if player.take(Power::Attacks) == 0 && self.has(Relic::ArtOfWar) {
            player.gain(Power::NextEnergy, 1);
        }
        if healed > 0 {
            let highest = self.highest(&run.state);
            run.state.health.heal(healed.into(), highest);
        }
        let hand = std::mem::take(&mut run.state.hand);
        for (slot, count) in hand.iter() {
            if self.card(slot).data().ethereal {
                (0..count).for_each(|_| self.exhaust(run, slot));
            } else {
                run.state.discard.add(slot, count);
            }
        }
        // Cards that would be drawn now are left where they are.
        run.due.draws = 0;
        run.state.energy = 0;
        run.state.ended = false;
    }

    /// What statuses and curses in hand do at the end of the turn.
    fn held_cards(&self, state: &mut State) {
        let hand = state.hand;
        for (slot, count) in hand.iter() {
            let card = self.card(slot);
            for _ in 0..count {
                match card.data().name {
                    "burn" => drop(self.strike_player(state, [2, 4][card.form()])),
                    "decay" => drop(self.strike_player(state, 2)),
                    "doubt" => drop(state.player.suffer(Power::Weak, 1)),
                    "shame" => drop(state.player.suffer(Power::Frail, 1)),
                    "regret" => self.lose_health(state, u16::try_from(hand.len()).expect("a hand has few cards"), true),
                    _ => {}
                }
            }
        }
    }
}
