//! Damage and block.

use super::queue::{Running, Todo};
use super::state::{ENEMIES, Enemy, State};
use super::{Rules, Track};
use crate::data::enemy::{Kind, MoveData};
use crate::data::power::Power;
use crate::data::relic::Relic;

/// The current strength of an attack, in quarters, before the enemy's Vulnerable: its own damage, plus strength times a
/// count, times a factor.
pub(crate) fn force(state: &State, damage: i32, strength: i32, factor: u8) -> u16 {
    let own_strength = i32::from(state.player.strength);
    let quarters = if state.player.has(Power::Weak) > 0 { 3 } else { 4 };
    let force = (damage + own_strength * strength).max(0) * i32::from(factor) * quarters;
    u16::try_from(force).unwrap_or(u16::MAX)
}

/// The strength given by a Red Skull.
pub(super) const SKULL: i16 = 3;

impl Rules {
    /// One hit of an attack on the enemy at this place. Returns the health it took.
    pub(crate) fn hit(&self, run: &mut Running, place: u8, force: u16) -> u16 {
        let Some(enemy) = run.state.living_at(place) else { return 0 };
        // One rounding at the end: Vulnerable 3/2 or 7/4.
        let quarters = match (enemy.vulnerable > 0, self.has(Relic::PaperPhrog)) {
            (false, _) => 4,
            (true, false) => 6,
            (true, true) => 7,
        };
        let damage = u16::try_from(u32::from(force) * quarters / 16).unwrap_or(u16::MAX);
        let mut through = damage - damage.min(enemy.block);
        enemy.block -= damage.min(enemy.block);
        if self.has(Relic::TheBoot) && (1..5).contains(&through) {
            through = 5;
        }
        let taken = through.min(enemy.health);
        enemy.health -= taken;
        if taken > 0 && enemy.lives() {
            enemy.strengthen(enemy.kind.anger(self.ascension));
            let block = if enemy.kind.is_louse() { std::mem::take(&mut enemy.special) } else { 0 };
            if block > 0 {
                run.later(Todo::Shield { place, block });
            }
        }
        self.after_damage(run, place, taken);
        taken
    }

    /// The player's current maximum health.
    pub(crate) fn highest(&self, state: &State) -> i16 {
        self.max_health + i16::from(state.player.has(Power::MaxHealth))
    }

    /// The maximum health grows, and the health with it.
    pub(crate) fn raise_health(&self, state: &mut State, amount: u8) {
        state.player.gain(Power::MaxHealth, amount);
        self.heal(state, amount.into());
    }

    /// Health is gained, up to the maximum.
    pub(crate) fn heal(&self, state: &mut State, amount: i16) {
        let highest = self.highest(state);
        state.health.heal(amount, highest);
        self.watch_health(state, |health| (health + amount).min(highest));
    }

    /// Changes the health, which a Red Skull watches: at no more than half of the maximum it gives strength.
    fn watch_health(&self, state: &mut State, changes: impl FnOnce(i16) -> i16) {
        if !self.has(Relic::RedSkull) {
            return;
        }
        let before = i16::from(state.player.has(Power::Health));
        let after = changes(before).clamp(0, u8::MAX.into());
        // The comparison before the change uses the maximum health before the change.
        let was_strong = state.player.has(Power::Skull) > 0;
        let is_strong = 2 * after <= self.highest(state);
        state.player.set(Power::Health, u8::try_from(after).unwrap_or(u8::MAX));
        state.player.set(Power::Skull, is_strong.into());
        match (was_strong, is_strong) {
            (false, true) => state.player.strengthen(SKULL),
            (true, false) => state.player.strengthen(-SKULL),
            _ => {}
        }
    }

    /// The player loses health, by his own action or not.
    pub(crate) fn lose_health(&self, run: &mut Running, amount: u16, own: bool) {
        if amount == 0 {
            return;
        }
        let state = &mut run.state;
        let amount = i16::try_from(amount).unwrap_or(i16::MAX);
        state.health.lose(amount);
        self.watch_health(state, |health| health - amount);
        if self.tracks(Track::Wounds) {
            let wounds = (state.player.has(Power::Wounds) + 1).min(4);
            state.player.set(Power::Wounds, wounds);
        }
        if self.has(Relic::SelfFormingClay) {
            state.player.gain(Power::NextBlock, 3);
        }
        if own {
            state.player.strengthen(state.player.has(Power::Rupture).into());
        }
        if state.player.take(Power::Puzzle) > 0 {
            run.at_once(Todo::Draw(3));
        }
    }

    /// Damage to the player, reduced by block, by a card that he holds or by an enemy. Returns whether health was lost.
    pub(crate) fn strike_player(&self, run: &mut Running, damage: u16, own: bool) -> bool {
        let stopped = damage.min(run.state.player.block);
        run.state.player.block -= stopped;
        self.lose_health(run, damage - stopped, own);
        damage > stopped
    }

    /// The reaction of an enemy to a loss of health.
    pub(super) fn after_damage(&self, run: &mut Running, place: u8, taken: u16) {
        let others = run.state.living().count();
        let Some(enemy) = run.state.enemies[usize::from(place)].as_mut().filter(|_| taken > 0) else { return };
        if !enemy.lives() {
            let kind = enemy.kind;
            if kind == Kind::FungiBeast && others > 0 {
                spread_spores(run);
            }
            if self.has(Relic::GremlinHorn) && others > 0 {
                run.later(Todo::Energy(1));
                run.later(Todo::Draw(1));
            }
        } else if enemy.kind == Kind::Lagavulin && enemy.memory > 0 {
            (enemy.memory, enemy.intent, enemy.run) = (0, 1, 0);
        } else if enemy.kind == Kind::TheGuardian {
            if shifts(enemy, taken) {
                run.later(Todo::Close { place });
            }
        } else if enemy.kind.splits() && enemy.health <= enemy.special.into() {
            let split = enemy.kind.data().moves.iter().position(MoveData::is_split);
            let split = split.and_then(|place| u8::try_from(place).ok());
            (enemy.intent, enemy.run) = (split.unwrap_or(enemy.intent), 0);
        }
    }

    /// Damage that is not an attack.
    pub(crate) fn hurt(&self, run: &mut Running, place: u8, damage: u16) {
        let Some(enemy) = run.state.living_at(place) else { return };
        let through = damage - damage.min(enemy.block);
        enemy.block -= damage.min(enemy.block);
        let taken = through.min(enemy.health);
        enemy.health -= taken;
        self.after_damage(run, place, taken);
    }

    /// The same to all enemies.
    pub(crate) fn hurt_all(&self, run: &mut Running, damage: u16) {
        (0u8..).take(ENEMIES).for_each(|place| self.hurt(run, place, damage));
    }
}

/// The Guardian decides to close, and gets block for it.
pub(super) fn close(run: &mut Running, place: u8) {
    if let Some(guardian) = run.state.living_at(place) {
        (guardian.intent, guardian.run) = (CLOSE, 0);
        run.later(Todo::Shield { place, block: 20 });
    }
}

/// A Fungi Beast died: its Vulnerable is fresh in the enemies' turn.
fn spread_spores(run: &mut Running) {
    let had = run.state.player.has(Power::Vulnerable) > 0;
    if run.state.player.suffer(Power::Vulnerable, 2) && !had {
        run.fresh[1] = run.enemies_act;
    }
}

/// The open Guardian counts its losses: whether they are now enough to shift.
fn shifts(guardian: &mut Enemy, taken: u16) -> bool {
    if !guardian.is_open() || guardian.special == 0 {
        return false;
    }
    guardian.special = guardian.special.saturating_sub(u8::try_from(taken).unwrap_or(u8::MAX));
    guardian.special == 0
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
        let jolt = player.has(Power::Juggernaut);
        if jolt > 0 {
            run.later(Todo::Jolt(jolt.into()));
        }
    }
}
