//! What the effects of cards and potions do.

use super::damage::{card_block, gain_block};
use super::running::{Playing, Running};
use super::state::{ENEMIES, Enemy, NONE, State, TOP};
use super::{Rules, Track};
use crate::data::card::{Card, Effect, Kind, Pile as Where};
use crate::data::enemy::MoveData;
use crate::data::power::Power;

impl Rules {
    pub(crate) fn effect(&self, run: &mut Running, effect: Effect, playing: &Playing) {
        let form = playing.card.form();
        let all = 0..ENEMIES;
        let target = playing.target;
        match effect {
            Effect::Hit(damage, times) => {
                (0..times[form]).for_each(|_| self.strike(run, target, damage[form], playing));
            }
            Effect::HitAll(damage) => all.for_each(|place| self.strike(run, place, damage[form], playing)),
            Effect::HitAllForEnergy(damage) => {
                for _ in 0..playing.energy {
                    all.clone().for_each(|place| self.strike(run, place, damage[form], playing));
                }
            }
            Effect::HitRandom(damage, times) => {
                run.due.hits += times[form];
                run.due.damage = damage[form];
            }
            Effect::HitBlock => {
                self.hit(run, target, run.state.player.block.into(), 1, playing);
            }
            Effect::HitStrength(damage, times) => {
                self.hit(run, target, damage[form].into(), times[form].into(), playing);
            }
            Effect::HitStrikes(damage, more) => {
                let strikes = self.strikes(&run.state) + i32::from(playing.card.is_strike());
                let damage = i32::from(damage[form]) + i32::from(more[form]) * strikes;
                self.hit(run, target, damage, 1, playing);
            }
            Effect::HitFeeding(damage, more) => {
                self.strike(run, target, damage[form], playing);
                if enemy_at(&run.state, target).is_some_and(|enemy| !enemy.lives()) {
                    self.raise_health(&mut run.state, more[form]);
                }
            }
            Effect::HitAllHealing(damage) => {
                let taken: u16 = all.map(|place| self.hit(run, place, damage[form].into(), 1, playing)).sum();
                let highest = self.highest(&run.state);
                run.state.health.heal(i16::try_from(taken).expect("an enemy has at most 999 health"), highest);
            }
            Effect::Block(block) => gain_block(run, card_block(&run.state, block[form].into())),
            Effect::DoubleBlock => gain_block(run, run.state.player.block),
            Effect::LoseHealth(amount) => self.lose_health(&mut run.state, amount[form].into(), true),
            Effect::Draw(count) => run.due.draws += count[form],
            Effect::Energy(amount) => run.state.energy = run.state.energy.saturating_add(amount[form]),
            Effect::IfVulnerable => {
                if enemy_at(&run.state, target).is_some_and(|enemy| enemy.vulnerable > 0) {
                    run.state.energy += 1;
                    run.due.draws += 1;
                }
            }
            Effect::ExhaustRandom if form == 0 => run.due.exhausts += 1,
            Effect::Vulnerable(_)
            | Effect::Weak(_)
            | Effect::VulnerableAll(_)
            | Effect::WeakAll(_)
            | Effect::Enfeeble(_) => debuff(&mut run.state, effect, form, target),
            Effect::Strength(_)
            | Effect::StrengthThisTurn(_)
            | Effect::StrengthAgainstAttack(_)
            | Effect::DoubleStrength
            | Effect::Gain(..) => buff(&mut run.state, effect, form, target),
            _ => self.piles_effect(run, effect, playing),
        }
    }

    /// The effects that move cards.
    fn piles_effect(&self, run: &mut Running, effect: Effect, playing: &Playing) {
        let form = playing.card.form();
        let chosen = (playing.choice != NONE).then_some(playing.choice);
        match (effect, chosen) {
            (Effect::Create(name, place, count), _) => {
                if let Some(slot) = self.slot(Card::called(name)) {
                    create(&mut run.state, slot, place, count[form]);
                }
            }
            (Effect::CopyOfThis, _) => run.state.discard.add(playing.slot, 1),
            (Effect::UpgradeHand, _) if form == 1 => self.upgrade_hand(&mut run.state),
            (Effect::UpgradeHand, Some(slot)) => {
                run.state.hand.remove(slot, 1);
                run.state.hand.add(self.upgraded[usize::from(slot)], 1);
            }
            (Effect::ExhaustChosen | Effect::ExhaustRandom, Some(slot)) => {
                run.state.hand.remove(slot, 1);
                self.exhaust(run, slot);
            }
            (Effect::ExhaustNonAttacks(block), _) => {
                for (slot, count) in run.state.hand.iter() {
                    if self.card(slot).data().kind != Kind::Attack {
                        run.state.hand.remove(slot, count);
                        for _ in 0..count {
                            self.exhaust(run, slot);
                            if block[form] > 0 {
                                gain_block(run, card_block(&run.state, block[form].into()));
                            }
                        }
                    }
                }
            }
            (Effect::ExhaustHand(damage), _) => {
                let mut exhausted = 0;
                for (slot, count) in run.state.hand.iter() {
                    run.state.hand.remove(slot, count);
                    exhausted += count;
                    (0..count).for_each(|_| self.exhaust(run, slot));
                }
                for _ in 0..exhausted {
                    self.hit(run, playing.target, damage[form].into(), 1, playing);
                }
            }
            (Effect::DiscardToTop, Some(slot)) if run.state.discard.count(slot) > 0 => {
                run.state.discard.remove(slot, 1);
                run.state.put_on_top(slot);
            }
            (Effect::HandToTop, _) if !run.state.hand.is_empty() && run.state.known() < TOP => run.state.choosing += 1,
            (Effect::CopyChosen(count), Some(slot)) => create(&mut run.state, slot, Where::Hand, count[form]),
            (Effect::ExhaustedToHand, Some(slot)) => {
                run.state.exhausted.remove(slot, 1);
                create(&mut run.state, slot, Where::Hand, 1);
            }
            _ => {}
        }
    }

    pub(crate) fn upgrade_hand(&self, state: &mut State) {
        for slot in self.upgradable(&state.hand) {
            let count = state.hand.count(slot);
            state.hand.remove(slot, count);
            state.hand.add(self.upgraded[usize::from(slot)], count);
        }
    }

    /// How many cards named Strike there are, without the exhausted ones.
    fn strikes(&self, state: &State) -> i32 {
        let known = state.top.iter().filter(|slot| **slot != NONE && self.card(**slot).is_strike()).count();
        let piles = [state.hand, state.draw, state.discard];
        let cards = piles.iter().flat_map(|pile| pile.iter().collect::<Vec<_>>());
        let strikes: i32 =
            cards.filter(|(slot, _)| self.card(*slot).is_strike()).map(|(_, count)| i32::from(count)).sum();
        strikes + i32::try_from(known).unwrap_or(0)
    }

    /// A card is exhausted.
    pub(crate) fn exhaust(&self, run: &mut Running, slot: u8) {
        let card = self.card(slot);
        if self.tracks(Track::Exhausted) {
            run.state.exhausted.add(slot, 1);
        }
        if card.data().name == "sentinel" {
            run.state.energy = run.state.energy.saturating_add([2, 3][card.form()]);
        }
        run.due.draws += run.state.player.has(Power::DarkEmbrace);
        gain_block(run, run.state.player.has(Power::FeelNoPain).into());
    }
}

/// The enemy at this place, if there is one.
fn enemy_at(state: &State, place: usize) -> Option<Enemy> {
    state.enemies.get(place).copied().flatten()
}

/// Whether it intends to attack.
fn attacks(enemy: Enemy) -> bool {
    enemy.kind.data().moves.get(usize::from(enemy.intent)).is_some_and(MoveData::is_attack)
}

/// Cards come to a pile.
fn create(state: &mut State, slot: u8, place: Where, count: u8) {
    match place {
        Where::Hand => {
            let room = 10u32.saturating_sub(state.hand.len());
            let fits = count.min(u8::try_from(room).unwrap_or(0));
            state.hand.add(slot, fits);
            state.discard.add(slot, count - fits);
        }
        Where::Discard => state.discard.add(slot, count),
        Where::Draw => state.draw.add(slot, count),
    }
}

/// The effects that weaken enemies.
fn debuff(state: &mut State, effect: Effect, form: usize, target: usize) {
    let (all, number) = match effect {
        Effect::VulnerableAll(number) | Effect::WeakAll(number) => (true, number),
        Effect::Vulnerable(number) | Effect::Weak(number) | Effect::Enfeeble(number) => (false, number),
        _ => return,
    };
    let amount = number[form];
    for (place, enemy) in state.enemies.iter_mut().enumerate() {
        let Some(enemy) = enemy.as_mut().filter(|enemy| enemy.lives() && (all || place == target)) else { continue };
        if enemy.suffers() {
            match effect {
                Effect::Vulnerable(_) | Effect::VulnerableAll(_) => {
                    enemy.vulnerable = enemy.vulnerable.saturating_add(amount);
                }
                Effect::Weak(_) | Effect::WeakAll(_) => enemy.weak = enemy.weak.saturating_add(amount),
                _ => enemy.strengthen(-i16::from(amount)),
            }
        }
    }
}

/// The effects that strengthen the player.
fn buff(state: &mut State, effect: Effect, form: usize, target: usize) {
    let attacked = enemy_at(state, target).is_some_and(attacks);
    let player = &mut state.player;
    match effect {
        Effect::Strength(amount) => player.strengthen(amount[form].into()),
        Effect::StrengthThisTurn(amount) => {
            player.strengthen(amount[form].into());
            player.suffer(Power::StrengthLoss, amount[form]);
        }
        Effect::StrengthAgainstAttack(amount) if attacked => player.strengthen(amount[form].into()),
        Effect::DoubleStrength => player.strengthen(player.strength),
        Effect::Gain(power @ (Power::Vulnerable | Power::NoDraw), amount) => {
            player.suffer(power, amount[form]);
        }
        Effect::Gain(power, amount) => player.gain(power, amount[form]),
        _ => {}
    }
}
