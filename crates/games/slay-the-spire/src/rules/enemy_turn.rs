//! The enemies' turn: what they do, and how the round ends.

use super::damage::hurt;
use super::fight_start::splits_at;
use super::running::Outcomes;
use super::state::{ENEMIES, Enemy, NONE, Player, State};
use super::{Rules, Track};
use crate::data::card::{Card, Kind};
use crate::data::enemy::{Act, Kind as EnemyKind, at};
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

/// What wears off by one at the end of every round.
const WEARING_OFF: [Power; 3] = [Power::Frail, Power::Vulnerable, Power::Weak];

impl Rules {
    pub(super) fn enemies_turn(&self, chance: Chance, mut state: State, fresh: [bool; 3], outcomes: &mut Outcomes) {
        state.close_ranks();
        if state.is_over() {
            return outcomes.push((chance, state));
        }
        for enemy in state.enemies.iter_mut().flatten() {
            (enemy.block, enemy.curling) = (0, 0);
        }
        self.enemies_act(chance, EnemiesTurn { state, fresh }, 0, outcomes);
    }

    /// The enemies from this place on make their moves, then the round ends.
    fn enemies_act(&self, chance: Chance, mut turn: EnemiesTurn, from: usize, outcomes: &mut Outcomes) {
        for place in from..ENEMIES {
            let Some(enemy) = turn.state.enemies[place].filter(Enemy::lives) else { continue };
            if enemy.intent == NONE {
                continue;
            }
            let acts = enemy.kind.data().moves[usize::from(enemy.intent)].acts;
            for act in acts {
                if let Act::Protect(block) = act {
                    let block = at(block, self.ascension).into();
                    let others: Vec<usize> = (0..ENEMIES)
                        .filter(|other| {
                            *other != place && turn.state.enemies[*other].is_some_and(|enemy| enemy.lives())
                        })
                        .collect();
                    let guarded = if others.is_empty() { vec![place] } else { others };
                    for other in &guarded {
                        let mut next = turn;
                        if let Some(enemy) = &mut next.state.enemies[*other] {
                            enemy.shield(block);
                        }
                        self.enemies_act(chance.and(Chance::one_in(guarded.len())), next, place + 1, outcomes);
                    }
                    return;
                }
                self.make_move(&mut turn, place, *act);
            }
            turn.state.curl();
        }
        self.end_of_round(&mut turn);
        outcomes.push((chance, turn.state));
    }

    fn make_move(&self, turn: &mut EnemiesTurn, place: usize, act: Act) {
        let ascension = self.ascension;
        let Some(enemy) = &mut turn.state.enemies[place] else { return };
        if !enemy.lives() {
            return;
        }
        match act {
            Act::Hit(damage, times) => (0..times).for_each(|_| self.attack(turn, place, at(damage, ascension))),
            Act::Bite => {
                let bite = enemy.bite;
                self.attack(turn, place, bite);
            }
            Act::Block(block) => enemy.shield(at(block, ascension).into()),
            Act::Strength(amount) => enemy.strengthen(at(amount, ascension).into()),
            Act::Frail(amount) => turn.debuff(0, at(amount, ascension)),
            Act::Vulnerable(amount) => turn.debuff(1, at(amount, ascension)),
            Act::Weak(amount) => turn.debuff(2, at(amount, ascension)),
            Act::Siphon(amount) => {
                let amount = at(amount, ascension);
                let player = &mut turn.state.player;
                if takes_hold(player) {
                    player.quicken(-i16::from(amount));
                }
                if takes_hold(player) {
                    player.strengthen(-i16::from(amount));
                }
            }
            Act::Entangle => {
                enemy.memory = 1;
                turn.state.player.suffer(Power::Entangled, 1);
            }
            Act::Create(name, count) => self.discard(&mut turn.state, Card::called(name), at(count, ascension)),
            Act::Ritual => enemy.memory = 2,
            Act::Enrage => enemy.memory = 1,
            Act::Sleep => enemy.memory = enemy.memory.saturating_sub(1),
            Act::Escape => enemy.health = 0,
            Act::Split(left, right) => split(&mut turn.state, place, [left, right]),
            Act::Measure => enemy.bite = self.divider(turn.state.health),
            Act::Divide => {
                let bite = std::mem::take(&mut enemy.bite);
                (0..6).for_each(|_| self.attack(turn, place, bite));
            }
            Act::Burn(count) => {
                let burn = Card::called(if enemy.memory > 0 { "burn+" } else { "burn" });
                self.discard(&mut turn.state, burn, at(count, ascension));
            }
            Act::Inferno => {
                enemy.memory = 1;
                self.upgrade_burns(&mut turn.state);
                self.discard(&mut turn.state, Card::called("burn+"), 3);
            }
            Act::Close => enemy.run = 1,
            Act::Open => {
                enemy.memory = enemy.memory.saturating_add(1);
                enemy.special = EnemyKind::mode_shift(ascension, enemy.memory);
            }
            Act::Protect(_) => {}
        }
    }

    /// So many copies of a card come to the discard pile.
    fn discard(&self, state: &mut State, card: Card, count: u8) {
        if let Some(slot) = self.slot(card) {
            state.discard.add(slot, count);
        }
    }

    /// Every Burn of the piles is upgraded.
    fn upgrade_burns(&self, state: &mut State) {
        let (Some(burn), Some(better)) = (self.slot(Card::called("burn")), self.slot(Card::called("burn+"))) else {
            return;
        };
        for pile in [&mut state.draw, &mut state.discard] {
            let count = pile.count(burn);
            pile.remove(burn, count);
            pile.add(better, count);
        }
        for known in state.top.iter_mut().filter(|slot| **slot == burn) {
            *known = better;
        }
    }

    /// How hard a hit of this enemy is on the player, before block.
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

    /// How hard and how often an enemy means to hit as things stand; `None` where it does not attack.
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
    fn attack(&self, turn: &mut EnemiesTurn, place: usize, damage: u8) {
        let state = &mut turn.state;
        let Some(enemy) = state.enemies[place].filter(Enemy::lives) else { return };
        let damage = self.damage_of(state, &enemy, damage);
        if self.strike_player(state, damage) {
            let plates = state.player.has(Power::PlatedArmor);
            state.player.set(Power::PlatedArmor, plates.saturating_sub(1));
        }
        let thorns = state.player.has(Power::Thorns);
        let flames = state.player.has(Power::FlameBarrier);
        for back in [thorns, flames] {
            if back > 0 {
                let vulnerable = state.player.has(Power::Vulnerable);
                hurt(state, place, back.into());
                // Spores of a beast that dies now are fresh.
                turn.fresh[1] |= vulnerable == 0 && state.player.has(Power::Vulnerable) > 0;
            }
        }
    }

    fn end_of_round(&self, turn: &mut EnemiesTurn) {
        turn.state.close_ranks();
        let state = &mut turn.state;
        for (power, fresh) in WEARING_OFF.into_iter().zip(turn.fresh) {
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
        // Nobody sees the block before it is gone.
        if state.player.has(Power::Barricade) == 0 {
            state.player.block = 0;
        }
        if state.player.has(Power::FlameBarrier) > 0 {
            state.player.set(Power::FlameBarrier, 0);
        }
    }
}

/// The enemies' turn under way.
#[derive(Clone, Copy)]
pub(super) struct EnemiesTurn {
    state: State,
    /// For each power that wears off: it took hold in this turn, when the player had none of it.
    fresh: [bool; 3],
}

impl EnemiesTurn {
    fn debuff(&mut self, which: usize, amount: u8) {
        let had = self.state.player.has(WEARING_OFF[which]) > 0;
        if self.state.player.suffer(WEARING_OFF[which], amount) && !had {
            self.fresh[which] = true;
        }
    }
}

/// What Doubt and Shame did just now does not wear off at once either.
pub(super) fn fresh_with_doubt(mut fresh: [bool; 3], state: &State, rules: &Rules) -> [bool; 3] {
    if !rules.tracks(Track::Held) {
        return fresh;
    }
    for (name, which) in [("shame", 0), ("doubt", 2)] {
        let held = state.hand.iter().any(|(slot, _)| {
            let data = rules.card(slot).data();
            data.name == name && data.kind == Kind::Curse
        });
        fresh[which] = held && state.player.has(WEARING_OFF[which]) == 0;
    }
    fresh
}

/// Whether a loss of strength or dexterity takes hold: Artifact takes it away.
fn takes_hold(player: &mut Player) -> bool {
    let shield = player.has(Power::Artifact);
    player.set(Power::Artifact, shield.saturating_sub(1));
    shield == 0
}

/// Two smaller ones with the same health in its place. They have rolled no move yet.
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
