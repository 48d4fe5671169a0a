//! Fights: rounds follow each other until one side has fallen.

use super::change::within;
use super::lowering::{Arena, Env, Lowered, Lowering, register_of};
use super::nodes::pairs;
use crate::book::{ActionTime, Battle, LocalId, Node, Number, Order, Variable};
use crate::lower::decide::Draft;
use crate::lower::error::CompileError;
use crate::program::{Foe, Instruction, Label, Register, Test, Value};

/// The other targets of a fight.
#[derive(Clone, Copy)]
struct Ends {
    /// If the hero escapes or the fight is broken off.
    next: Label,
    /// If the hero is beaten but lives.
    beaten: Option<Label>,
}

impl<'a> Lowering<'a> {
    pub(super) fn battle(&mut self, battle: &'a Battle, env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        let mut inner = Env { loops: Vec::new(), outside: false, ..env.clone() };
        let mut begins = Vec::new();
        for own in &battle.locals {
            let start = self.value(&own.start, env)?;
            let register = self.bind(&mut inner, own.local, own.least.into(), own.most.into())?;
            begins.push((register, within(start, own.least, own.most)));
        }
        let after = self.actions(next, env, |when| when == ActionTime::AfterFight)?;
        // What the system does before and after a fight is one event, without actions in between.
        let around = Env { outside: false, ..env.clone() };
        let done = self.block(&system.after_fight, &around, after)?;
        let beaten = match &battle.defeat {
            Some((leaves, body)) => Some(self.beaten(leaves, body, env, next)?),
            None => None,
        };
        let ends = Ends { next, beaten };
        let begin = match battle.order.unwrap_or(system.fights.order) {
            Order::OneByOne => {
                let mut fallen = done;
                for enemy in (0..battle.enemies.len()).rev() {
                    fallen = self.duel(battle, enemy, &inner, fallen, ends)?;
                }
                fallen
            }
            order => self.melee(battle, order, &inner, done, ends)?,
        };
        let begin = self.wield(&inner, begin)?;
        let begin = self.set(begins, begin)?;
        self.block(&system.before_fight, &around, begin)
    }

    /// A beaten hero who lives: his exhausted vital stats are set to something, and he continues.
    fn beaten(&mut self, leaves: &'a Number, body: &'a [Node], env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        let next = self.block(body, &Env { outside: false, ..env.clone() }, next)?;
        let left = self.value(leaves, env)?.max(Value::Constant(1));
        let vital = (0..).zip(&system.variables).filter(|(_, own)| own.vital);
        let more = |(register, own): (Register, &Variable)| {
            let used_up = Value::holds(Value::Register(register).at_most(0));
            let more = Value::Register(register).plus(used_up.times(left.clone()));
            let most = own.initial.map(|initial| Value::Register(register_of(initial)));
            (register, most.map_or_else(|| more.clone(), |most| more.clone().min(most)))
        };
        let sets: Vec<_> = vital.map(more).collect();
        // With an initial value of 0 nothing can be left.
        let death = self.emit(Instruction::Death)?;
        let mut next = next;
        for (register, _) in &sets {
            next = self.branch(Value::Register(*register).at_most(0), death, next)?;
        }
        self.set(sets, next)
    }

    /// A fight with one enemy: `fallen` follows his death, `next` an escape.
    fn duel(&mut self, battle: &'a Battle, enemy: usize, env: &Env<'a>, fallen: Label, ends: Ends) -> Lowered {
        let Ends { next, beaten } = ends;
        let arena = Arena { battle, enemy: 0, alone: Some(enemy), fallen, stop: next, beaten };
        let env = Env { arena: Some(arena), ..env.clone() };
        let head = self.push(Instruction::Stuck)?;
        let again = self.emit(Instruction::Jump(head))?;
        let end = self.end_of_round(battle, &env, again)?;
        let end = self.allies(battle, &env, end)?;
        let round = self.block(&self.system.fights.round, &env, end)?;
        let round = self.block(&battle.before_round, &env, round)?;
        let asked = self.before_round(battle, vec![Draft::new("fight on".into(), Test::ALWAYS, round)], &env, next)?;
        self.steps[head as usize] = Instruction::Jump(asked);
        self.steps_forward(0, &battle.enemies[enemy].1, &env, fallen, head)
    }

    /// The appearance of an enemy.
    fn steps_forward(
        &mut self,
        enemy: usize,
        stats: &'a [Number],
        env: &Env<'a>,
        fallen: Label,
        next: Label,
    ) -> Lowered {
        let stands = self.alive_enemy(enemy)?.negated();
        let fought = self.branch(stands, fallen, next)?;
        let mut sets = Vec::new();
        for (stat, number) in stats.iter().enumerate() {
            // An enemy's stats may depend on what the hero met before, but not on the enemy himself.
            let around = Env { arena: None, ..env.clone() };
            sets.push((self.enemy(enemy, stat)?, self.value(number, &around)?));
        }
        self.set(sets, fought)
    }

    /// Notes the enemies at a question or chance.
    pub(super) fn note_foes(&mut self, place: Label, env: &Env<'a>) -> Result<(), CompileError> {
        let mut foes = None;
        if let Some(Arena { battle, alone, .. }) = env.arena {
            let enemies = match alone {
                Some(own) => vec![(0, own)],
                None => (0..battle.enemies.len()).map(|enemy| (enemy, enemy)).collect(),
            };
            let mut all = Vec::new();
            for (enemy, own) in enemies {
                let mut stats = Vec::new();
                for (stat, own) in self.system.enemy_stats.iter().enumerate() {
                    stats.push((own.name.clone(), self.enemy(enemy, stat)?, own.vital));
                }
                all.push(Foe { name: battle.enemies[own].0.clone(), stats });
            }
            foes = Some(all.into());
        }
        let known = self.notes.foes.entry(place).or_insert_with(|| foes.clone());
        if *known != foes {
            *known = None;
        }
        Ok(())
    }

    /// The test that an enemy still stands.
    fn alive_enemy(&mut self, enemy: usize) -> Result<Test, CompileError> {
        let mut alive = Test::ALWAYS;
        for (stat, _) in self.system.enemy_stats.iter().enumerate().filter(|(_, own)| own.vital) {
            alive = Test::both(alive, Value::Register(self.enemy(enemy, stat)?).at_least(1));
        }
        Ok(alive)
    }

    /// Continues at `next` while any of the enemies stands.
    fn while_any_stands(&mut self, battle: &Battle, next: Label, done: Label) -> Lowered {
        let mut place = done;
        for enemy in 0..battle.enemies.len() {
            let alive = self.alive_enemy(enemy)?;
            place = self.branch(alive, next, place)?;
        }
        Ok(place)
    }

    /// A fight with several enemies at once.
    fn melee(&mut self, battle: &'a Battle, order: Order, env: &Env<'a>, done: Label, ends: Ends) -> Lowered {
        let next = ends.next;
        let enemies = battle.enemies.len();
        let head = self.push(Instruction::Stuck)?;
        let again = self.emit(Instruction::Jump(head))?;
        let over = self.while_any_stands(battle, again, done)?;
        // After an enemy's fall the fight is over if he was the last.
        let end =
            self.for_first(battle, env, (over, ends), |lowering, env, next| lowering.end_of_round(battle, env, next))?;
        let end = self.for_first(battle, env, (end, ends), |lowering, env, next| lowering.allies(battle, env, next))?;
        let answers = if order == Order::AllAtOnce {
            let mut round = end;
            for enemy in (0..enemies).rev() {
                let arena = self.arena(battle, enemy, (round, done), ends)?;
                round = self.part(arena, [&[], &self.system.fights.round], env, round)?;
            }
            let round = self.for_first(battle, env, (round, ends), |lowering, env, next| {
                lowering.block(&battle.before_round, env, next)
            })?;
            vec![Draft::new("fight on".into(), Test::ALWAYS, round)]
        } else {
            let mut answers = Vec::new();
            for enemy in 0..enemies {
                let mut round = end;
                for other in (0..enemies).rev().filter(|other| *other != enemy) {
                    let arena = self.arena(battle, other, (round, done), ends)?;
                    round = self.part(arena, [&[], &self.system.fights.others], env, round)?;
                }
                let parts = [&battle.before_round[..], &self.system.fights.round];
                let arena = self.arena(battle, enemy, (round, done), ends)?;
                let round = self.part(arena, parts, env, round)?;
                let name = &battle.enemies[enemy].0;
                let same = battle.enemies.iter().filter(|other| other.0 == *name).count();
                let label = if same > 1 { format!("fight {name} ({})", enemy + 1) } else { format!("fight {name}") };
                answers.push(Draft::new(label, self.alive_enemy(enemy)?, round));
            }
            answers
        };
        // An enemy who falls before the round ends the fight only if he was the last.
        let asked = self.for_first(battle, env, (over, ends), |lowering, env, _| {
            lowering.before_round(battle, answers.clone(), env, next)
        })?;
        self.steps[head as usize] = Instruction::Jump(asked);
        let mut begin = over;
        for (enemy, (_, stats)) in battle.enemies.iter().enumerate().rev() {
            begin = self.steps_forward(enemy, stats, env, begin, begin)?;
        }
        Ok(begin)
    }

    /// The context of one of several enemies: his fall leads to `next` while others stand, else to `done`.
    fn arena(
        &mut self,
        battle: &'a Battle,
        enemy: usize,
        (next, done): (Label, Label),
        ends: Ends,
    ) -> Result<Arena<'a>, CompileError> {
        let fallen = self.while_any_stands(battle, next, done)?;
        Ok(Arena { battle, enemy, alone: None, fallen, stop: ends.next, beaten: ends.beaten })
    }

    /// The part of one of several enemies in a round, if he still stands.
    fn part(&mut self, arena: Arena<'a>, bodies: [&'a [Node]; 2], env: &Env<'a>, next: Label) -> Lowered {
        let enemy = arena.enemy;
        let env = Env { arena: Some(arena), ..env.clone() };
        let body = self.block(bodies[1], &env, next)?;
        let body = self.block(bodies[0], &env, body)?;
        let alive = self.alive_enemy(enemy)?;
        self.branch(alive, body, next)
    }

    /// Does something with the first enemy still standing.
    fn for_first(
        &mut self,
        battle: &'a Battle,
        env: &Env<'a>,
        (next, ends): (Label, Ends),
        lower: impl Fn(&mut Self, &Env<'a>, Label) -> Lowered,
    ) -> Lowered {
        let mut place = next;
        for enemy in (0..battle.enemies.len()).rev() {
            let (stop, beaten) = (ends.next, ends.beaten);
            let arena = Arena { battle, enemy, alone: None, fallen: next, stop, beaten };
            let env = Env { arena: Some(arena), ..env.clone() };
            let own = lower(self, &env, next)?;
            let alive = self.alive_enemy(enemy)?;
            place = self.branch(alive, own, place)?;
        }
        Ok(place)
    }

    fn end_of_round(&mut self, battle: &'a Battle, env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        let next = self.block(&system.fights.end_of_round, env, next)?;
        self.block(&battle.end_of_round, env, next)
    }

    fn allies(&mut self, battle: &'a Battle, env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        let Some((names, body)) = &system.fights.ally else { return Ok(next) };
        let mut next = next;
        for numbers in battle.allies.iter().rev() {
            // What an ally can do does not depend on the enemy.
            let around = Env { arena: None, ..env.clone() };
            let (inner, sets) = self.given(names.iter().copied().zip(numbers), &around)?;
            let inner = Env { arena: env.arena, ..inner };
            let body = self.block(body, &inner, next)?;
            next = self.set(sets, body)?;
        }
        Ok(next)
    }

    /// The question before a round.
    fn before_round(&mut self, battle: &'a Battle, mut answers: Vec<Draft>, env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        if let Some((when, body)) = &battle.escape {
            // An escaping hero has left the fight: its rules for defeat no longer save him.
            let arena = env.arena.map(|arena| Arena { beaten: None, ..arena });
            let away = Env { arena, ..env.clone() };
            let left = self.block(body, &away, next)?;
            let left = self.block(&system.fights.on_escape, &away, left)?;
            let test = self.test(when, env)?;
            answers.push(Draft::new("escape".into(), test, left));
        }
        let asked = self.ask(answers, env)?;
        self.actions(asked, env, |when| matches!(when, ActionTime::InFight | ActionTime::AnyTime))
    }

    /// An event of a round: first the fight's own rules, then the system's.
    pub(super) fn event(
        &mut self,
        event: usize,
        arguments: &'a [(LocalId, Number)],
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let system = self.system;
        let Some(arena) = env.arena else { return self.wrong("events happen only in fights") };
        let (inner, sets) = self.given(pairs(arguments), env)?;
        let inner = Env { event: Some(event), ..inner };
        let mut next = self.block(&system.fights.events[event].body, &inner, next)?;
        for (_, body) in arena.battle.handlers.iter().filter(|(own, _)| *own == event).rev() {
            next = self.block(body, &inner, next)?;
        }
        self.set(sets, next)
    }
}
