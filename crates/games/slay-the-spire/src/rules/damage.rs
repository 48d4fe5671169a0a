//! Damage and block.

use super::running::{Playing, Running};
use super::state::{ENEMIES, Enemy, State};
use super::{Rules, Track};
use crate::data::enemy::{Kind, MoveData};
use crate::data::power::Power;
use crate::data::relic::Relic;

impl Rules {
    /// One hit of an attack on the enemy at this place.
    pub(crate) fn strike(&self, run: &mut Running, place: usize, damage: u8, playing: &Playing) {
        self.hit(run, place, damage.into(), 1, playing);
    }

    /// One hit of an attack on the enemy at this place. Returns the health it took.
    pub(crate) fn hit(&self, run: &mut Running, place: usize, damage: i32, strength: i32, playing: &Playing) -> u16 {
        let player = &run.state.player;
        let (weak, own_strength) = (player.has(Power::Weak) > 0, i32::from(player.strength));
        let Some(enemy) = run.state.enemies.get_mut(place).and_then(Option::as_mut).filter(|enemy| enemy.lives())
        else {
            return 0;
        };
        let dummy = if self.has(Relic::StrikeDummy) && playing.card.is_strike() { 3 } else { 0 };
        let base = damage + own_strength * strength + playing.bonus + dummy;
        // In eighths and quarters, with one rounding at the end: Weak 3/4, Vulnerable 3/2 or 7/4.
        let weakened = base.max(0) * playing.factor * if weak { 3 } else { 4 };
        let quarters = match (enemy.vulnerable > 0, self.has(Relic::PaperPhrog)) {
            (false, _) => 4,
            (true, false) => 6,
            (true, true) => 7,
        };
        let damage = u16::try_from(weakened * quarters / 16).unwrap_or(u16::MAX);
        let mut through = damage - damage.min(enemy.block);
        enemy.block -= damage.min(enemy.block);
        if self.has(Relic::TheBoot) && (1..5).contains(&through) {
            through = 5;
        }
        let taken = through.min(enemy.health);
        enemy.health -= taken;
        if taken > 0 && enemy.lives() {
            if enemy.kind.is_louse() {
                enemy.curling += std::mem::take(&mut enemy.special);
            }
            enemy.strengthen(enemy.kind.anger(self.ascension));
        }
        after_damage(&mut run.state, place, taken);
        taken
    }

    /// The highest health that the player can have now.
    pub(crate) fn highest(&self, state: &State) -> i16 {
        self.max_health + i16::from(state.player.has(Power::MaxHealth))
    }

    /// The highest health grows, and the health with it.
    pub(crate) fn raise_health(&self, state: &mut State, amount: u8) {
        state.player.gain(Power::MaxHealth, amount);
        state.health.heal(amount.into(), self.highest(state));
    }

    /// The player loses health.
    pub(crate) fn lose_health(&self, state: &mut State, amount: u16, by_card: bool) {
        if amount == 0 {
            return;
        }
        state.health.lose(i16::try_from(amount).unwrap_or(i16::MAX));
        if self.tracks(Track::Wounds) {
            let wounds = (state.player.has(Power::Wounds) + 1).min(4);
            state.player.set(Power::Wounds, wounds);
        }
        if self.has(Relic::SelfFormingClay) {
            state.player.gain(Power::NextBlock, 3);
        }
        if by_card {
            state.player.strengthen(state.player.has(Power::Rupture).into());
        }
    }

    /// Damage to the player, which block stops. Says whether health was lost.
    pub(crate) fn strike_player(&self, state: &mut State, damage: u16) -> bool {
        let stopped = damage.min(state.player.block);
        state.player.block -= stopped;
        self.lose_health(state, damage - stopped, false);
        damage > stopped
    }
}

/// What an enemy does that has lost health.
fn after_damage(state: &mut State, place: usize, taken: u16) {
    let others = state.living().count();
    let Some(enemy) = state.enemies[place].as_mut().filter(|_| taken > 0) else { return };
    if !enemy.lives() {
        if enemy.kind == Kind::FungiBeast && others > 0 {
            state.player.suffer(Power::Vulnerable, 2);
        }
    } else if enemy.kind == Kind::Lagavulin && enemy.memory > 0 {
        (enemy.memory, enemy.intent, enemy.run) = (0, 1, 0);
    } else if enemy.kind == Kind::TheGuardian {
        shift(enemy, taken);
    } else if enemy.kind.splits() && enemy.health <= enemy.special.into() {
        let split = enemy.kind.data().moves.iter().position(MoveData::is_split);
        let split = split.and_then(|place| u8::try_from(place).ok());
        (enemy.intent, enemy.run) = (split.unwrap_or(enemy.intent), 0);
    }
}

/// The Guardian, while it is open, counts what it loses, and means to close when that is enough.
fn shift(guardian: &mut Enemy, taken: u16) {
    if !guardian.is_open() {
        return;
    }
    guardian.special = guardian.special.saturating_sub(u8::try_from(taken).unwrap_or(u8::MAX));
    if guardian.special == 0 {
        (guardian.intent, guardian.run) = (CLOSE, 0);
        guardian.curling += 20;
    }
}

/// The Guardian's move of closing.
const CLOSE: u8 = 4;

/// The block that a card gives.
pub(crate) fn card_block(state: &State, base: i32) -> u16 {
    let block = base + i32::from(state.player.dexterity);
    let block = if state.player.has(Power::Frail) > 0 { block * 3 / 4 } else { block };
    u16::try_from(block.max(0)).unwrap_or(u16::MAX)
}

/// Block, as it is.
pub(crate) fn gain_block(run: &mut Running, block: u16) {
    if block > 0 {
        let player = &mut run.state.player;
        player.block = player.block.saturating_add(block).min(999);
        run.due.jolts += u8::from(player.has(Power::Juggernaut) > 0);
    }
}

/// Damage that is no attack.
pub(crate) fn hurt(state: &mut State, place: usize, damage: u16) {
    let Some(enemy) = state.enemies.get_mut(place).and_then(Option::as_mut).filter(|enemy| enemy.lives()) else {
        return;
    };
    let through = damage - damage.min(enemy.block);
    enemy.block -= damage.min(enemy.block);
    let taken = through.min(enemy.health);
    enemy.health -= taken;
    after_damage(state, place, taken);
}

/// The same to all enemies.
pub(crate) fn hurt_all(state: &mut State, damage: u16) {
    (0..ENEMIES).for_each(|place| hurt(state, place, damage));
}
