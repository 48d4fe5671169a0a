//! The enemies' turn: their actions, and the end of the round.

use super::Rules;
use super::carry_out::Flow;
use super::fight_start::splits_at;
use super::queue::{Running, Todo};
use super::state::{ENEMIES, Enemy, NONE, State};
use crate::data::card::Card;
use crate::data::enemy::{Act, Kind as EnemyKind, at};
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

/// What wears off by one at the end of every round.
const WEARING_OFF: [Power; 3] = [Power::Frail, Power::Vulnerable, Power::Weak];

impl Running {
    /// A debuff that wears off, by an enemy or as if by one: if the player had none of it, it does not wear off in this
    /// round.
    pub(super) fn suffer(&mut self, power: Power, amount: u8) {
        let had = self.state.player.has(power) > 0;
        if self.state.player.suffer(power, amount) && !had {
            for (fresh, wearing_off) in self.fresh.iter_mut().zip(WEARING_OFF) {
                *fresh |= wearing_off == power;
            }
        }
    }
}

impl Rules {
    /// Queues the actions of an enemy's move.
    pub(super) fn enemy_moves(&self, run: &mut Running, place: u8) {
        let Some(enemy) = run.state.living_at(place).filter(|enemy| enemy.intent != NONE) else { return };
        for act in enemy.kind.data().moves[usize::from(enemy.intent)].acts {
            let (damage, times) = match act {
                Act::Hit(damage, times) => (at(damage, self.ascension), *times),
                Act::Bite => (enemy.bite, 1),
                Act::Divide => (std::mem::take(&mut enemy.bite), 6),
                _ => {
                    run.queue.push_back(Todo::Act { place, act });
                    continue;
                }
            };
            (0..times).for_each(|_| run.queue.push_back(Todo::Attack { place, damage }));
        }
    }

    /// The actions of an enemy except attacks. Its effects on the player and his cards happen even if it has died
    /// meanwhile.
    pub(super) fn act_of_enemy(&self, run: &mut Running, place: u8, act: &'static Act) -> Flow {
        let amount = |steps| at(steps, self.ascension);
        match act {
            Act::Frail(steps) => run.suffer(Power::Frail, amount(steps)),
            Act::Vulnerable(steps) => run.suffer(Power::Vulnerable, amount(steps)),
            Act::Weak(steps) => run.suffer(Power::Weak, amount(steps)),
            Act::Siphon(steps) => {
                let player = &mut run.state.player;
                player.quicken(-i16::from(amount(steps)));
                player.strengthen(-i16::from(amount(steps)));
            }
            Act::Create(name, count) => self.discard(&mut run.state, Card::called(name), amount(count)),
            Act::Protect(block) => return protect(run, place, amount(block)),
            Act::Split(left, right) => split(&mut run.state, place.into(), [*left, *right]),
            _ => self.act_of_living(run, place, *act),
        }
        Flow::On
    }

    fn act_of_living(&self, run: &mut Running, place: u8, act: Act) {
        let amount = |steps| at(steps, self.ascension);
        let measured = if act == Act::Measure { self.divider(run.state.health) } else { 0 };
        let Some(enemy) = run.state.living_at(place) else { return };
        match act {
            Act::Block(block) => enemy.shield(at(block, self.ascension).into()),
            Act::Strength(steps) => enemy.strengthen(amount(steps).into()),
            Act::Entangle => {
                enemy.memory = 1;
                run.state.player.suffer(Power::Entangled, 1);
            }
            Act::Ritual => enemy.memory = 2,
            Act::Enrage => enemy.memory = 1,
            Act::Sleep => enemy.memory = enemy.memory.saturating_sub(1),
            Act::Escape => enemy.health = 0,
            Act::Measure => enemy.bite = measured,
            Act::Burn(count) => {
                let burn = Card::called(if enemy.memory > 0 { "burn+" } else { "burn" });
                self.discard(&mut run.state, burn, amount(count));
            }
            Act::Inferno => {
                enemy.memory = 1;
                self.upgrade_burns(run);
                self.discard(&mut run.state, Card::called("burn+"), 3);
            }
            Act::Close => enemy.run = 1,
            Act::Open => {
                enemy.memory = enemy.memory.saturating_add(1);
                enemy.special = EnemyKind::mode_shift(self.ascension, enemy.memory);
            }
            _ => {}
        }
    }

    /// Copies of a card come to the discard pile.
    fn discard(&self, state: &mut State, card: Card, count: u8) {
        if let Some(slot) = self.slot(card) {
            state.discard.add(slot, count);
        }
    }

    /// Upgrades every Burn of the piles.
    fn upgrade_burns(&self, run: &mut Running) {
        let (Some(burn), Some(better)) = (self.slot(Card::called("burn")), self.slot(Card::called("burn+"))) else {
            return;
        };
        if let Some(world) = &mut run.world {
            world.rename(burn, better, usize::MAX);
        }
        let state = &mut run.state;
        for pile in [&mut state.draw, &mut state.discard] {
            let count = pile.count(burn);
            pile.remove(burn, count);
            pile.add(better, count);
        }
        for known in state.top.iter_mut().filter(|slot| **slot == burn) {
            *known = better;
        }
    }

    /// The damage of a hit of this enemy on the player, before block.
    fn damage_of(&self, state: &State, enemy: &Enemy, damage: u8) -> u16 {
        let base = (i32::from(damage) + i32::from(enemy.strength)).max(0);
        let quarters = base * if enemy.weak > 0 { 3 } else { 4 };
        let eighths = match (state.player.has(Power::Vulnerable) > 0, self.has(Relic::OddMushroom)) {
            (false, _) => 4,
            (true, false) => 6,
            (true, true) => 5,
        };
        u16::try_from(quarters * eighths / 16).unwrap_or(u16::MAX)
    }

    /// The strength and number of the hits that an enemy intends now; `None` if it does not attack.
    pub fn attack_of(&self, state: &State, enemy: &Enemy) -> Option<(u16, u8)> {
        let acts = enemy.kind.data().moves.get(usize::from(enemy.intent))?.acts;
        acts.iter().find_map(|act| match act {
            Act::Hit(damage, times) => Some((self.damage_of(state, enemy, at(damage, self.ascension)), *times)),
            Act::Bite => Some((self.damage_of(state, enemy, enemy.bite), 1)),
            Act::Divide => Some((self.damage_of(state, enemy, enemy.bite), 6)),
            _ => None,
        })
    }

    /// One hit on the player.
    pub(super) fn attack(&self, run: &mut Running, place: u8, damage: u8) {
        let Some(enemy) = run.state.living_at(place).copied() else { return };
        let damage = self.damage_of(&run.state, &enemy, damage);
        if self.strike_player(run, damage, false) {
            let plates = run.state.player.has(Power::PlatedArmor);
            run.state.player.set(Power::PlatedArmor, plates.saturating_sub(1));
        }
        for power in [Power::Thorns, Power::FlameBarrier] {
            let back = run.state.player.has(power);
            if back > 0 {
                self.hurt(run, place, back.into());
            }
        }
    }

    /// The end of the round: powers wear off.
    pub(super) fn end_round(&self, run: &mut Running) {
        run.state.close_ranks();
        let state = &mut run.state;
        for (power, fresh) in WEARING_OFF.into_iter().zip(run.fresh) {
            let turns = state.player.has(power);
            if !fresh {
                state.player.set(power, turns.saturating_sub(1));
            }
        }
        for enemy in state.enemies.iter_mut().flatten() {
            match (enemy.kind, enemy.memory) {
                (EnemyKind::Cultist, 2) => enemy.memory = 1,
                (EnemyKind::Cultist, 1) => enemy.strengthen(EnemyKind::ritual(self.ascension)),
                (EnemyKind::Lagavulin, 1..) => enemy.shield(8),
                (EnemyKind::GremlinWizard, _) if enemy.intent == 1 => enemy.memory = 1,
                _ => {}
            }
            enemy.vulnerable = enemy.vulnerable.saturating_sub(1);
            enemy.weak = enemy.weak.saturating_sub(1);
        }
        // The block is gone before it could be seen.
        if state.player.has(Power::Barricade) == 0 {
            state.player.block = 0;
        }
        state.player.set(Power::FlameBarrier, 0);
        (state.energy, state.ended) = (0, false);
    }
}

/// Block for another enemy, each equally likely; for itself when it is alone.
fn protect(run: &mut Running, place: u8, block: u8) -> Flow {
    let alone = run.state.living().count() == 1;
    let Some(own) = run.state.living_at(place) else { return Flow::On };
    own.memory = alone.into();
    let others = (0u8..).take(ENEMIES).filter(|other| *other != place);
    let others: Vec<u8> = others.filter(|other| run.state.living_at(*other).is_some()).collect();
    let guarded = if others.is_empty() { vec![place] } else { others };
    let way = |other: &u8| {
        let mut next = run.clone();
        if let Some(enemy) = next.state.living_at(*other) {
            enemy.shield(block.into());
        }
        (Chance::one_in(guarded.len()), next)
    };
    Flow::Ways(guarded.iter().map(way).collect())
}

/// Two smaller ones with the same health replace it. They have not rolled a move yet.
fn split(state: &mut State, place: usize, halves: [EnemyKind; 2]) {
    let Some(large) = state.enemies[place] else { return };
    let half = |kind: EnemyKind| {
        let special = if kind.splits() { splits_at(large.health) } else { 0 };
        Enemy { kind, block: 0, strength: 0, vulnerable: 0, weak: 0, intent: NONE, run: 0, special, ..large }
    };
    let mut standing: Vec<Enemy> = state.enemies.iter().flatten().copied().collect();
    let at = state.enemies.iter().take(place).flatten().count();
    standing.splice(at..=at, halves.map(half));
    state.enemies = [None; ENEMIES];
    for (place, enemy) in state.enemies.iter_mut().zip(standing) {
        *place = Some(enemy);
    }
}
