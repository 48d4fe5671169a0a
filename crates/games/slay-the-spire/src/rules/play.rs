//! Playing a card or a potion.

use super::action::Action;
use super::damage::{card_block, force};
use super::queue::{Next, Outcomes, Running, Todo};
use super::state::{NONE, State};
use super::{Rules, Track};
use crate::data::card::{Effect, Kind};
use crate::data::enemy::Kind as EnemyKind;
use crate::data::potion::Drink;
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

/// A card being played.
#[derive(Clone, Copy, Debug)]
struct Played {
    slot: u8,
    target: u8,
    choice: u8,
    energy: u8,
    by: By,
    /// The damage added to each of its hits.
    bonus: u8,
    /// The factor of its hits.
    factor: u8,
}

/// How a card is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// From the hand.
    Hand,
    /// As a copy by Double Tap, which is not a card of its own.
    Again,
    /// From the top of the draw pile, by Havoc.
    Top,
}

impl Rules {
    /// The outcomes of a play or a potion; not for the end of the turn.
    pub fn act(&self, state: &State, action: Action, outcomes: &mut Outcomes) {
        outcomes.clear();
        self.carry_out(Chance::ONE, &mut self.played(state, action), outcomes);
    }

    /// The queue of a play or a potion.
    pub(super) fn played(&self, state: &State, action: Action) -> Running {
        match action {
            Action::Play { slot, target, choice } => {
                let mut run = Running::new(state);
                let energy = self.cost(state, slot).unwrap_or(0);
                run.state.energy = run.state.energy.saturating_sub(energy);
                let played = Played { slot, target, choice, energy, by: By::Hand, bonus: 0, factor: 1 };
                self.play(&mut run, played);
                run
            }
            Action::Use { potion, target } => self.drink(state, potion, target),
            Action::Choose { slot } => self.choose(state, slot),
            Action::EndTurn => {
                debug_assert!(false, "the end of the turn is no play");
                Running::new(state)
            }
        }
    }

    /// The copy of a card that Double Tap plays, if it can be played.
    pub(super) fn play_again(&self, run: &mut Running, slot: u8, target: u8, energy: u8) {
        if self.is_playable_by_itself(&mut run.state, slot, target) {
            let played = Played { slot, target, choice: NONE, energy, by: By::Again, bonus: 0, factor: 1 };
            self.play(run, played);
        }
    }

    /// The card that Havoc plays; a card that cannot be played is exhausted.
    pub(super) fn play_top(&self, run: &mut Running, slot: u8, target: u8, energy: u8) {
        if self.is_playable_by_itself(&mut run.state, slot, target) {
            let played = Played { slot, target, choice: NONE, energy, by: By::Top, bonus: 0, factor: 1 };
            self.play(run, played);
        } else if self.card(slot).data().kind != Kind::Power {
            run.later(Todo::PutAway { slot, exhausts: true });
        }
    }

    fn is_playable_by_itself(&self, state: &mut State, slot: u8, target: u8) -> bool {
        let data = self.card(slot).data();
        let in_vain = data.targeted && state.living_at(target).is_none();
        !in_vain && self.cost(state, slot).is_some() && self.allowed(state, slot)
    }

    /// Queues all effects of a card.
    fn play(&self, run: &mut Running, mut played: Played) {
        let card = self.card(played.slot);
        let data = card.data();
        if self.keeps(Power::Played) {
            run.state.player.gain(Power::Played, 1);
        }
        if data.kind == Kind::Attack {
            self.count_attack(run, &mut played);
        }
        data.effects.iter().for_each(|effect| self.queue_effect(run, effect, played));
        if played.by == By::Hand {
            run.state.hand.remove(played.slot, 1);
            run.state.spend_free(played.slot);
        }
        if self.has(Relic::InkBottle) && run.state.player.count(Power::InkBottle, 10) {
            run.later(Todo::Draw(1));
        }
        match data.kind {
            Kind::Attack => self.answer_attack(run, played),
            Kind::Skill => self.answer_skill(run),
            Kind::Power | Kind::Status | Kind::Curse => {}
        }
        if played.by != By::Again && data.kind != Kind::Power {
            let corrupted = data.kind == Kind::Skill && run.state.player.has(Power::Corruption) > 0;
            let exhausts = data.exhausts[card.form()] || corrupted || played.by == By::Top;
            run.later(Todo::PutAway { slot: self.grown[usize::from(played.slot)], exhausts });
        }
        if self.tracks(Track::Pain) {
            for (slot, count) in run.state.hand.iter() {
                if self.card(slot).data().name == "pain" {
                    (0..count).for_each(|_| run.at_once(Todo::Lose(1)));
                }
            }
        }
    }

    /// Queues an effect of a card, with the current numbers.
    fn queue_effect(&self, run: &mut Running, effect: &'static Effect, played: Played) {
        let Played { slot, target, choice, energy, by, bonus, factor } = played;
        let card = self.card(slot);
        let form = card.form();
        let dummy = if self.has(Relic::StrikeDummy) && card.is_strike() { 3 } else { 0 };
        let hits_with =
            |damage: i32, strength: i32| force(&run.state, damage + i32::from(bonus) + dummy, strength, factor);
        let place = target;
        let todo = match effect {
            Effect::Hit(damage, times) => {
                let hit = Todo::Hit { place, force: hits_with(i32::from(damage[form]) + i32::from(card.grown()), 1) };
                return (0..times[form]).for_each(|_| run.later(hit));
            }
            Effect::HitBlock => Todo::Hit { place, force: hits_with(run.state.player.block.into(), 1) },
            Effect::HitStrength(damage, times) => {
                Todo::Hit { place, force: hits_with(damage[form].into(), times[form].into()) }
            }
            Effect::HitStrikes(damage, more) => {
                let damage = i32::from(damage[form]) + i32::from(more[form]) * self.strikes(&run.state);
                Todo::Hit { place, force: hits_with(damage, 1) }
            }
            Effect::HitAll(damage) => Todo::HitAll { force: hits_with(damage[form].into(), 1) },
            Effect::HitAllForEnergy(damage) => Todo::Whirl { force: hits_with(damage[form].into(), 1), times: energy },
            Effect::HitRandom(damage, times) => {
                let hit = Todo::HitRandom { damage: damage[form], bonus, factor };
                return (0..times[form]).for_each(|_| run.later(hit));
            }
            Effect::HitFeeding(damage, more) => {
                Todo::Feed { place, force: hits_with(damage[form].into(), 1), more: more[form] }
            }
            Effect::HitAllHealing(damage) => Todo::Reap { force: hits_with(damage[form].into(), 1) },
            Effect::ExhaustHand(damage) => Todo::FiendFire { place, force: hits_with(damage[form].into(), 1) },
            Effect::Block(block) => Todo::Block(card_block(&run.state, block[form].into())),
            Effect::ExhaustNonAttacks(block) => {
                let block = if block[form] > 0 { card_block(&run.state, block[form].into()) } else { 0 };
                Todo::ExhaustNonAttacks { block }
            }
            // This is part of putting the card away.
            Effect::GrowThis(_) if by != By::Again => return,
            Effect::GrowThis(_) => Todo::Grow { slot },
            Effect::LoseHealth(amount) => Todo::Lose(amount[form].into()),
            Effect::Draw(count) => Todo::Draw(count[form]),
            Effect::Energy(amount) => Todo::Energy(amount[form]),
            _ => Todo::Effect { effect, form: u8::from(form == 1), target, choice, slot },
        };
        run.later(todo);
    }

    /// An attack is played: updates the counters of attacks, and applies the bonuses to this one.
    fn count_attack(&self, run: &mut Running, played: &mut Played) {
        let player = &mut run.state.player;
        if player.take(Power::Akabeko) > 0 {
            played.bonus = 8;
        }
        if self.has(Relic::PenNib) && player.count(Power::PenNib, 10) {
            played.factor = 2;
        }
        if self.keeps(Power::Attacks) {
            player.gain(Power::Attacks, 1);
        }
    }

    /// The reactions of powers and relics, then of the enemies, to an attack.
    fn answer_attack(&self, run: &mut Running, played: Played) {
        let player = &mut run.state.player;
        let doubled = player.has(Power::DoubleTap);
        if doubled > 0 && played.by != By::Again {
            player.set(Power::DoubleTap, doubled - 1);
            run.next.push_front(Next::Copy {
                slot: self.grown[usize::from(played.slot)],
                target: played.target,
                energy: played.energy,
            });
        }
        let player = &mut run.state.player;
        let rage = player.has(Power::Rage);
        let third = self.keeps(Power::Attacks) && player.has(Power::Attacks).is_multiple_of(3);
        let tenth = self.has(Relic::Nunchaku) && player.count(Power::Nunchaku, 10);
        let sharp = run.state.enemies.iter().flatten().any(|enemy| enemy.lives() && enemy.has_sharp_hide());
        let answers = [
            (rage > 0, Todo::Block(rage.into())),
            (third && self.has(Relic::Kunai), Todo::Quicken(1)),
            (tenth, Todo::Energy(1)),
            (third && self.has(Relic::OrnamentalFan), Todo::Block(4)),
            (third && self.has(Relic::Shuriken), Todo::Strengthen(1)),
            (sharp, Todo::Scratch(EnemyKind::sharp_hide(self.ascension).into())),
        ];
        answers.into_iter().filter(|(comes, _)| *comes).for_each(|(_, todo)| run.later(todo));
    }

    /// The reactions of relics and enemies to a skill.
    fn answer_skill(&self, run: &mut Running) {
        if self.has(Relic::LetterOpener) {
            run.state.player.gain(Power::Skills, 1);
            if run.state.player.has(Power::Skills).is_multiple_of(3) {
                run.later(Todo::HurtAll(5));
            }
        }
        for enemy in run.state.enemies.iter_mut().flatten() {
            if enemy.kind == EnemyKind::GremlinNob && enemy.memory > 0 {
                enemy.strengthen(EnemyKind::enrage(self.ascension));
            }
        }
    }

    fn drink(&self, state: &State, potion: u8, target: u8) -> Running {
        let mut run = Running::new(state);
        let state = &mut run.state;
        state.potions &= !(1 << potion);
        match &self.potions[usize::from(potion)].data().does {
            Drink::Damage(damage) => run.later(Todo::Hurt { place: target, damage: (*damage).into() }),
            Drink::DamageAll(damage) => run.later(Todo::HurtAll((*damage).into())),
            Drink::Block(block) => run.later(Todo::Block((*block).into())),
            Drink::Dexterity(amount) => state.player.quicken((*amount).into()),
            Drink::DexterityThisTurn(amount) => {
                state.player.quicken((*amount).into());
                let first = state.player.has(Power::StrengthLoss) == 0;
                if state.player.suffer(Power::DexterityLoss, *amount) && first {
                    state.player.set(Power::DexterityFirst, 1);
                }
            }
            Drink::Heal(hundredths) => {
                let amount = self.highest(state) * i16::from(*hundredths) / 100;
                run.later(Todo::Heal(amount.unsigned_abs()));
            }
            Drink::MaxHealth(amount) => self.raise_health(state, *amount),
            Drink::UpgradeHand => self.upgrade_hand(state),
            Drink::As(Effect::Draw([count, _])) => run.later(Todo::Draw(*count)),
            Drink::As(Effect::Energy([amount, _])) => run.later(Todo::Energy(*amount)),
            Drink::As(effect) => run.later(Todo::Effect { effect, form: 0, target, choice: NONE, slot: NONE }),
        }
        if self.has(Relic::ToyOrnithopter) {
            run.later(Todo::Heal(5));
        }
        run
    }
}
