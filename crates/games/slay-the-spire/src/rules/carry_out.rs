//! Processing of the queue: to its end, to a choice of the player, or once for each random outcome.

use super::Rules;
use super::damage::{close, force, gain_block};
use super::queue::{Next, Outcomes, Running, Todo};
use super::state::{ENEMIES, State};
use crate::numbers::chance::Chance;

/// How to continue after an action.
pub(crate) enum Flow {
    /// With the next action.
    On,
    /// The player must first choose a card for it.
    Ask,
    /// With one of these outcomes.
    Ways(Vec<(Chance, Running)>),
}

/// Where processing stops.
enum Halt {
    /// The queue is empty.
    Done,
    /// The player must choose a card; the rest of the queue waits.
    Asks,
    /// At a random outcome.
    Ways(Vec<(Chance, Running)>),
}

impl Rules {
    /// Processes the whole queue, and lists the resulting positions.
    pub(super) fn carry_out(&self, chance: Chance, run: &mut Running, outcomes: &mut Outcomes) {
        match self.carry_on(run) {
            Halt::Done => {
                finish(&mut run.state);
                outcomes.push((chance, run.state));
            }
            Halt::Asks => outcomes.push((chance, run.state)),
            Halt::Ways(ways) => {
                let done = run.queue.is_empty() && run.next.is_empty();
                for (share, mut next) in ways {
                    if done && next.queue.is_empty() {
                        finish(&mut next.state);
                        outcomes.push((chance.and(share), next.state));
                    } else {
                        self.carry_out(chance.and(share), &mut next, outcomes);
                    }
                }
            }
        }
    }

    /// The same in one world.
    pub(super) fn carry_out_in_world(&self, run: &mut Running) {
        loop {
            match self.carry_on(run) {
                Halt::Done => return finish(&mut run.state),
                Halt::Asks => return,
                Halt::Ways(ways) => run.take_way(ways),
            }
        }
    }

    /// Processes the queue up to where it stops.
    fn carry_on(&self, run: &mut Running) -> Halt {
        let mut over = run.state.is_over();
        loop {
            let Some(todo) = run.queue.pop_front() else {
                match run.next.pop_front().filter(|_| !over) {
                    Some(next) => self.begin(run, next),
                    None => return Halt::Done,
                }
                continue;
            };
            if over && !todo.outlasts_the_fight() {
                continue;
            }
            match self.step(run, todo) {
                Flow::On => over |= !todo.is_harmless() && run.state.is_over(),
                Flow::Ask => {
                    run.queue.push_front(todo);
                    run.state.waiting = self.stalls.number(run.stall());
                    return Halt::Asks;
                }
                Flow::Ways(ways) => return Halt::Ways(ways),
            }
        }
    }

    /// Continues after the player has chosen this card.
    pub(super) fn choose(&self, state: &State, slot: u8) -> Running {
        let mut stall = self.stalls.get(state.waiting);
        if let Some(Todo::Effect { choice, .. }) = stall.queue.first_mut() {
            *choice = slot;
        }
        let mut run = Running::going_on(state, stall);
        run.state.waiting = 0;
        run
    }

    fn begin(&self, run: &mut Running, next: Next) {
        match next {
            Next::Copy { slot, target, energy } => self.play_again(run, slot, target, energy),
            Next::Top { slot, target, energy } => self.play_top(run, slot, target, energy),
            Next::Held { slot, hand } => self.held(run, slot, hand),
            Next::TurnEnds => self.turn_ends(run),
            Next::Forget => run.state.health = super::state::Change::none(self.most_health()),
            Next::Enemies => {
                run.state.close_ranks();
                // If one splits, those behind it move by one place.
                let places: usize = run.state.living().map(|enemy| 1 + usize::from(enemy.kind.splits())).sum();
                run.next.extend((0u8..).take(places.min(ENEMIES)).map(Next::Enemy));
                run.next.push_back(Next::EndOfRound);
            }
            Next::Enemy(place) => self.enemy_moves(run, place),
            Next::EndOfRound => self.end_round(run),
        }
    }

    fn step(&self, run: &mut Running, todo: Todo) -> Flow {
        match todo {
            Todo::Hit { place, force } => {
                self.hit(run, place, force);
            }
            Todo::HitAll { force } => (0u8..).take(ENEMIES).for_each(|place| {
                self.hit(run, place, force);
            }),
            Todo::Whirl { force, times } => (0..times).for_each(|_| run.later(Todo::HitAll { force })),
            Todo::HitRandom { damage, bonus, factor } => {
                let force = force(&run.state, i32::from(damage) + i32::from(bonus), 1, factor);
                return each_enemy(run, |next, place| {
                    self.hit(next, place, force);
                });
            }
            Todo::Jolt(damage) => return each_enemy(run, |next, place| self.hurt(next, place, damage)),
            Todo::Feed { place, force, more } => self.feed(run, place, force, more),
            Todo::Reap { force } => {
                let taken: u16 = (0u8..).take(ENEMIES).map(|place| self.hit(run, place, force)).sum();
                if taken > 0 {
                    run.later(Todo::Heal(taken));
                }
            }
            Todo::FiendFire { place, force } => self.fiend_fire(run, place, force),
            Todo::ExhaustNonAttacks { block } => self.exhaust_non_attacks(run, block),
            Todo::Effect { effect, form, target, choice, slot } => {
                return self.effect(run, effect, form.into(), (target, choice, slot));
            }
            Todo::PlayTop { place } => return self.reveal_top(run, place),
            Todo::Grow { slot } => self.grow(run, slot),
            Todo::PutAway { slot, exhausts: true } => self.exhaust(run, slot),
            Todo::PutAway { slot, .. } => run.state.discard.add(slot, 1),
            Todo::Block(block) => gain_block(run, block),
            Todo::Strengthen(amount) => run.state.player.strengthen(amount),
            Todo::Quicken(amount) => run.state.player.quicken(amount),
            Todo::Energy(amount) => run.state.energy = run.state.energy.saturating_add(amount),
            Todo::LoseEnergy(amount) => run.state.energy = run.state.energy.saturating_sub(amount),
            Todo::Draw(count) => return self.draw(run, count),
            Todo::Heal(amount) => self.heal(&mut run.state, i16::try_from(amount).unwrap_or(i16::MAX)),
            Todo::Lose(amount) => self.lose_health(run, amount, true),
            Todo::Scorch(damage) => drop(self.strike_player(run, damage, true)),
            Todo::Scratch(damage) => drop(self.strike_player(run, damage, false)),
            Todo::Hurt { place, damage } => self.hurt(run, place, damage),
            Todo::HurtAll(damage) => self.hurt_all(run, damage),
            Todo::Shield { place, block } => {
                if let Some(enemy) = run.state.living_at(place) {
                    enemy.shield(block.into());
                }
            }
            Todo::Close { place } => close(run, place),
            Todo::DiscardHand => self.discard_hand(run),
            Todo::HandOver => run.later(Todo::DropShields),
            Todo::DropShields => {
                run.enemies_act = true;
                run.state.enemies.iter_mut().flatten().for_each(|enemy| enemy.block = 0);
            }
            Todo::Attack { place, damage } => self.attack(run, place, damage),
            Todo::Act { place, act } => return self.act_of_enemy(run, place, act),
        }
        Flow::On
    }
}

/// The same effect on each of the living enemies, with equal chances.
pub(super) fn each_enemy(run: &Running, happens: impl Fn(&mut Running, u8)) -> Flow {
    let lives = |place: &u8| run.state.enemies[usize::from(*place)].is_some_and(|enemy| enemy.lives());
    let places: Vec<u8> = (0u8..).take(ENEMIES).filter(lives).collect();
    let way = |place: &u8| {
        let mut next = run.clone();
        happens(&mut next, *place);
        (Chance::one_in(places.len()), next)
    };
    Flow::Ways(places.iter().map(way).collect())
}

/// The position after the queue has been processed.
fn finish(state: &mut State) {
    state.forget_free();
    state.close_ranks();
}
