//! How a card or a potion is played.

use super::action::Action;
use super::damage::{gain_block, hurt, hurt_all};
use super::running::{Due, Outcomes, Playing, Running};
use super::state::{ENEMIES, Enemy, NONE, State};
use super::{Rules, Track};
use crate::data::card::{Card, CardData, Kind};
use crate::data::enemy::Kind as EnemyKind;
use crate::data::potion::Drink;
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

impl Rules {
    /// What a play or a potion leads to; not for the end of the turn.
    pub fn act(&self, state: &State, action: Action, outcomes: &mut Outcomes) {
        outcomes.clear();
        match action {
            Action::Play { slot, target, choice } => self.play(state, slot, target, choice, outcomes),
            Action::Use { potion, target } => self.drink(state, potion, target, outcomes),
            Action::PutOnTop { slot } => {
                let mut next = *state;
                next.hand.remove(slot, 1);
                next.put_on_top(slot);
                next.choosing -= 1;
                outcomes.push((Chance::ONE, next));
            }
            Action::EndTurn => debug_assert!(false, "the end of the turn is no play"),
        }
    }

    fn play(&self, state: &State, slot: u8, target: u8, choice: u8, outcomes: &mut Outcomes) {
        let card = self.card(slot);
        let data = card.data();
        let mut run = Running { state: *state, due: Due::default() };
        run.state.hand.remove(slot, 1);
        let energy = self.cost(state, slot).unwrap_or(0);
        run.state.energy = run.state.energy.saturating_sub(energy);
        let mut playing = Playing { card, slot, target: target.into(), choice, energy, bonus: 0, factor: 1, times: 1 };
        for (slot, count) in state.hand.iter().filter(|_| self.tracks(Track::Pain)) {
            if self.card(slot).data().name == "pain" {
                (0..count).for_each(|_| self.lose_health(&mut run.state, 1, false));
            }
        }
        if self.keeps(Power::Played) {
            run.state.player.gain(Power::Played, 1);
        }
        match data.kind {
            Kind::Attack => {
                let doubled = run.state.player.has(Power::DoubleTap);
                if doubled > 0 {
                    run.state.player.set(Power::DoubleTap, doubled - 1);
                    playing.times = 2;
                }
                self.before_attack(&mut run, &mut playing);
            }
            Kind::Skill => self.before_skill(&mut run),
            Kind::Power | Kind::Status | Kind::Curse => {}
        }
        self.carry_on(Chance::ONE, run, playing, 0, outcomes);
    }

    /// What happens whenever an attack is played.
    fn before_attack(&self, run: &mut Running, playing: &mut Playing) {
        let player = &mut run.state.player;
        (playing.bonus, playing.factor) = (if player.take(Power::Akabeko) > 0 { 8 } else { 0 }, 1);
        if self.has(Relic::PenNib) {
            player.gain(Power::PenNib, 1);
            if player.has(Power::PenNib) == 10 {
                player.set(Power::PenNib, 0);
                playing.factor = 2;
            }
        }
        if self.has(Relic::Nunchaku) {
            player.gain(Power::Nunchaku, 1);
            if player.has(Power::Nunchaku) == 10 {
                player.set(Power::Nunchaku, 0);
                run.state.energy += 1;
            }
        }
        let rage = player.has(Power::Rage);
        let mut third = false;
        if self.keeps(Power::Attacks) {
            player.gain(Power::Attacks, 1);
            third = player.has(Power::Attacks).is_multiple_of(3);
        }
        if third && self.has(Relic::Kunai) {
            player.quicken(1);
        }
        if third && self.has(Relic::Shuriken) {
            player.strengthen(1);
        }
        gain_block(run, rage.into());
        if third && self.has(Relic::OrnamentalFan) {
            gain_block(run, 4);
        }
    }

    /// What happens whenever a skill is played.
    fn before_skill(&self, run: &mut Running) {
        for enemy in run.state.enemies.iter_mut().flatten() {
            if enemy.kind == EnemyKind::GremlinNob && enemy.memory > 0 {
                enemy.strengthen(EnemyKind::enrage(self.ascension));
            }
        }
        if self.has(Relic::LetterOpener) {
            run.state.player.gain(Power::Skills, 1);
            if run.state.player.has(Power::Skills).is_multiple_of(3) {
                hurt_all(&mut run.state, 5);
            }
        }
    }

    /// Carries out the effects from a place on, then what follows a card.
    fn carry_on(&self, chance: Chance, mut run: Running, mut playing: Playing, from: usize, outcomes: &mut Outcomes) {
        let effects = playing.card.data().effects;
        let steps = effects.len() * playing.times;
        for step in from..=steps {
            let mut done = step == steps;
            if done || (step == effects.len() && playing.times > 1) {
                self.after_play(&mut run, &playing);
                // There is no second play at an enemy that the first one killed.
                let in_vain = playing.card.data().targeted && !is_at(&run.state, playing.target);
                done |= in_vain || run.state.is_over();
                if done {
                    self.put_away(&mut run, &playing);
                } else {
                    self.before_attack(&mut run, &mut playing);
                }
            }
            if !done {
                self.effect(&mut run, effects[step % effects.len()], &playing);
            }
            if run.due.any() {
                if run.state.is_over() {
                    run.due = Due::default();
                } else {
                    let mut branches = Vec::new();
                    self.resolve(chance, run, Some(&playing), &mut branches);
                    for (chance, run) in branches {
                        if done {
                            outcomes.push((chance, settled(run)));
                        } else {
                            self.carry_on(chance, run, playing, step + 1, outcomes);
                        }
                    }
                    return;
                }
            }
            if done {
                break;
            }
        }
        outcomes.push((chance, settled(run)));
    }

    /// What follows each play of a card: enemies curl up, and a hide may be sharp, also that of the dead.
    fn after_play(&self, run: &mut Running, playing: &Playing) {
        run.state.curl();
        let sharp = run.state.enemies.iter().flatten().any(Enemy::has_sharp_hide);
        if sharp && playing.card.data().kind == Kind::Attack {
            self.strike_player(&mut run.state, EnemyKind::sharp_hide(self.ascension).into());
        }
    }

    /// The card goes where it belongs; the dead are carried away.
    fn put_away(&self, run: &mut Running, playing: &Playing) {
        let data: &CardData = playing.card.data();
        let corrupted = data.kind == Kind::Skill && run.state.player.has(Power::Corruption) > 0;
        if data.kind == Kind::Power {
            // It is gone.
        } else if data.exhausts[playing.card.form()] || corrupted {
            self.exhaust(run, playing.slot);
        } else {
            run.state.discard.add(playing.slot, 1);
        }
        run.state.close_ranks();
    }

    /// Does by chance what is due, until nothing is.
    pub(crate) fn resolve_draws(&self, run: Running, branches: &mut Vec<(Chance, Running)>) {
        self.resolve(Chance::ONE, run, None, branches);
    }

    fn resolve(
        &self,
        chance: Chance,
        mut run: Running,
        playing: Option<&Playing>,
        branches: &mut Vec<(Chance, Running)>,
    ) {
        if !run.due.any() || run.state.is_over() {
            run.due = Due::default();
            branches.push((chance, run));
            return;
        }
        if run.due.hits > 0 || run.due.jolts > 0 {
            let alive: Vec<usize> =
                (0..ENEMIES).filter(|place| run.state.enemies[*place].is_some_and(|e| e.lives())).collect();
            let share = chance.and(Chance::one_in(alive.len()));
            for place in alive {
                let mut next = run;
                if run.due.hits > 0 {
                    next.due.hits -= 1;
                    if let Some(playing) = playing {
                        let damage = next.due.damage.into();
                        self.hit(&mut next, place, damage, 1, playing);
                    }
                } else {
                    next.due.jolts -= 1;
                    let damage = next.state.player.has(Power::Juggernaut);
                    hurt(&mut next.state, place, damage.into());
                }
                self.resolve(share, next, playing, branches);
            }
        } else if run.due.exhausts > 0 {
            run.due.exhausts -= 1;
            let cards = u128::from(run.state.hand.len());
            if cards == 0 {
                return self.resolve(chance, run, playing, branches);
            }
            for (slot, count) in run.state.hand.iter() {
                let mut next = run;
                next.state.hand.remove(slot, 1);
                self.exhaust(&mut next, slot);
                self.resolve(chance.and(Chance::new(count.into(), cards)), next, playing, branches);
            }
        } else {
            let count = std::mem::take(&mut run.due.draws);
            for (share, next) in self.draws(&run, count) {
                self.resolve(chance.and(share), next, playing, branches);
            }
        }
    }

    fn drink(&self, state: &State, potion: u8, target: u8, outcomes: &mut Outcomes) {
        let mut run = Running { state: *state, due: Due::default() };
        let state = &mut run.state;
        state.potions &= !(1 << potion);
        if self.has(Relic::ToyOrnithopter) {
            state.health.heal(5, self.highest(state));
        }
        let target = usize::from(target);
        match self.potions[usize::from(potion)].data().does {
            Drink::Damage(damage) => hurt(state, target, damage.into()),
            Drink::DamageAll(damage) => hurt_all(state, damage.into()),
            Drink::Block(block) => gain_block(&mut run, block.into()),
            Drink::Dexterity(amount) => state.player.quicken(amount.into()),
            Drink::DexterityThisTurn(amount) => {
                state.player.quicken(amount.into());
                state.player.suffer(Power::DexterityLoss, amount);
            }
            Drink::Heal(hundredths) => {
                let highest = self.highest(state);
                state.health.heal(highest * i16::from(hundredths) / 100, highest);
            }
            Drink::MaxHealth(amount) => self.raise_health(state, amount),
            Drink::UpgradeHand => self.upgrade_hand(state),
            Drink::As(effect) => {
                // A potion is no card: what an effect asks of one is neutral.
                let playing = Playing {
                    card: self.cards.first().copied().unwrap_or_else(|| Card::called("wound")),
                    slot: NONE,
                    target,
                    choice: NONE,
                    energy: 0,
                    bonus: 0,
                    factor: 1,
                    times: 1,
                };
                self.effect(&mut run, effect, &playing);
            }
        }
        run.state = settled(run);
        let mut branches = Vec::new();
        self.resolve_draws(run, &mut branches);
        outcomes.extend(branches.into_iter().map(|(chance, run)| (chance, settled(run))));
    }
}

/// The position when all that was set off has happened: what drawing cards sets off can kill, too.
fn settled(mut run: Running) -> State {
    run.state.curl();
    run.state.close_ranks();
    run.state
}

/// Whether an enemy lives at this place.
fn is_at(state: &State, place: usize) -> bool {
    state.enemies.get(place).is_some_and(|enemy| enemy.is_some_and(|enemy| enemy.lives()))
}
