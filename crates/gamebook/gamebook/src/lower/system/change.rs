//! Changes of numbers and their consequences; gains of items.

use super::lowering::{Bound, Env, Lowered, Lowering, register_of};
use crate::book::{Number, Target, VariableKind, VariableRef};
use crate::lower::decide::Draft;
use crate::program::{HERE, Instruction, Label, Register, Test, Value};
use crate::terms::Operator;

impl<'a> Lowering<'a> {
    /// Assigns a number, with the consequences: gains stop at the initial value, and at 0 of a vital stat the hero dies or
    /// falls.
    pub(super) fn change(
        &mut self,
        target: Target,
        value: Value,
        can_end: bool,
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let variable = match target {
            Target::Local(local) => {
                return match self.bound(local, env)? {
                    Bound::Register(register, least, most) => self.set([(register, within(value, least, most))], next),
                    Bound::Constant(_) => self.wrong("this name cannot be changed"),
                };
            }
            Target::Variable(VariableRef::AtHand) => VariableRef::Own(self.at_hand(env)?),
            Target::Variable(variable) => variable,
        };
        let register = self.variable(variable, env)?;
        match variable {
            VariableRef::Enemy(stat) => {
                let next = match &env.arena {
                    Some(arena) if self.system.enemy_stats[stat].vital && can_end => {
                        let fallen = arena.fallen;
                        self.branch(Value::Register(register).at_most(0), fallen, next)?
                    }
                    _ => next,
                };
                self.set([(register, value)], next)
            }
            VariableRef::AtHand => self.wrong("there is no item at hand here"),
            VariableRef::Own(own) if self.system.variables[own].kind == VariableKind::Item => {
                let sets = self.with_item(own, value);
                let next = if can_end { self.alive_without(&[own], env, next)? } else { next };
                self.set(sets, next)
            }
            // Nothing changes: an action before it can wait.
            VariableRef::Own(_) if value == Value::Register(register) => Ok(next),
            VariableRef::Own(own) => {
                let variables = &self.system.variables;
                let variable = &variables[own];
                let next = if variable.vital && can_end { self.alive(register, env, next)? } else { next };
                let capped = match variable.initial {
                    // A loss never exceeds the initial value.
                    Some(initial) if !only_less(&value, register) => value.min(Value::Register(register_of(initial))),
                    _ => value,
                };
                let (mut sets, mut next) = (vec![(register, capped)], next);
                if variable.kind == VariableKind::Initial
                    && let Some(stat) = variables.iter().position(|other| other.initial == Some(own))
                {
                    // A vital stat may become 0 together with its initial value.
                    let is_vital = variables[stat].vital && can_end;
                    let stat = register_of(stat);
                    if is_vital {
                        next = self.alive(stat, env, next)?;
                    }
                    sets.push((stat, Value::Register(stat).min(Value::Register(register))));
                }
                self.set(sets, next)
            }
        }
    }

    /// Emits the death of a hero without a vital stat, unless he may live on.
    fn alive(&mut self, register: Register, env: &Env<'a>, next: Label) -> Lowered {
        let death = self.emit(Instruction::Death)?;
        let system = self.system;
        if let Some(beaten) = env.arena.and_then(|arena| arena.beaten) {
            return self.branch(Value::Register(register).at_most(0), beaten, next);
        }
        let dying = if system.on_death.is_empty() || env.resume.is_some() {
            death
        } else {
            let mut resume = next;
            for (vital, own) in (0..).zip(&system.variables) {
                if own.vital {
                    resume = self.branch(Value::Register(vital).at_most(0), death, resume)?;
                }
            }
            let inner = Env { used: env.used, resume: Some(resume), ..Env::default() };
            self.block(&system.on_death, &inner, death)?
        };
        self.branch(Value::Register(register).at_most(0), dying, next)
    }

    /// Emits the death of a hero who has nothing vital left without some items, unless he may live on. Who is dying has lost
    /// it already.
    pub(super) fn alive_without(&mut self, items: &[usize], env: &Env<'a>, mut next: Label) -> Lowered {
        if env.resume.is_none() {
            for stat in self.vital_by(items) {
                next = self.alive(stat, env, next)?;
            }
        }
        Ok(next)
    }

    /// Gains items one by one: an item without a free place may be left, or another dropped for it.
    pub(super) fn gains(
        &mut self,
        thing: usize,
        count: &Number,
        may_leave: bool,
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let Some(container) = self.system.variables[thing].container else {
            return self.gain_freely(thing, count, may_leave.then_some(next), env, next);
        };
        let Number::Constant(count) = count else { return self.wrong("so many things cannot be offered") };
        let mut next = next;
        for _ in 0..*count {
            next = self.gain_one(thing, container, env, next, next)?;
        }
        Ok(next)
    }

    /// Gains what needs no container, and goes on at `next`. The player may leave it and go on at `left`, if that is given.
    fn gain_freely(
        &mut self,
        thing: usize,
        count: &Number,
        left: Option<Label>,
        env: &Env<'a>,
        next: Label,
    ) -> Lowered {
        let count = self.value(count, env)?;
        let more = self.with_item(thing, Value::Register(register_of(thing)).plus(count));
        let taken = self.set(more, next)?;
        let Some(left) = left else { return Ok(taken) };
        let name = &self.system.variables[thing].name;
        let answers = vec![
            Draft::new(format!("take {name}"), Test::ALWAYS, taken),
            Draft::new(format!("leave {name}"), Test::ALWAYS, left),
        ];
        self.ask(answers, env)
    }

    /// Offers things one by one until so many are taken. What needs no container is one, however much of it there is.
    pub(super) fn take_some(&mut self, most: u8, lines: &[(usize, Number)], env: &Env<'a>, next: Label) -> Lowered {
        // By the number of things that may still be taken.
        let mut after = vec![next; usize::from(most) + 1];
        for (thing, count) in lines.iter().rev() {
            let container = self.system.variables[*thing].container;
            let units = match (container, count) {
                (None, _) => 1,
                (Some(_), Number::Constant(units)) => *units,
                _ => return self.wrong("so many things cannot be offered"),
            };
            for _ in 0..units {
                for left in (1..after.len()).rev() {
                    let (taken, not) = (after[left - 1], after[left]);
                    after[left] = match container {
                        Some(container) => self.gain_one(*thing, container, env, taken, not)?,
                        None => self.gain_freely(*thing, count, Some(not), env, taken)?,
                    };
                }
            }
        }
        Ok(after[usize::from(most)])
    }

    /// Gains one of an item in a container: the player takes it where there is room and goes on at `taken`, leaves it and goes
    /// on at `next`, or drops something first.
    ///
    /// He may drop things wherever he is asked, not only where there is no room, so that what is of no use weighs nothing
    /// (see [liveness](crate::passes)).
    fn gain_one(&mut self, thing: usize, container: usize, env: &Env<'a>, taken: Label, next: Label) -> Lowered {
        let own = &self.system.variables[thing];
        let (register, places) = (register_of(thing), own.traits.places());
        let mut possible = self.room(container).at_least(places);
        // Otherwise there is no room before there are too many.
        if (own.most + 1).saturating_mul(places) <= self.system.containers[container].holds {
            possible = Test::both(possible, Value::Register(register).at_most(own.most - 1));
        }
        let more = self.with_item(thing, Value::Register(register).plus(Value::Constant(1)));
        let mut answers = vec![Draft::with(format!("take {}", own.name), possible, more, taken)];
        let inside: Vec<usize> = (0..self.system.variables.len())
            .filter(|other| self.system.variables[*other].container == Some(container))
            .collect();
        // A policy passes the question on in parts, which return to all of it.
        let is_one = self.policy.is_empty() && self.vital_by(&inside).is_empty();
        let here = if is_one { HERE } else { self.push(Instruction::Stuck)? };
        for other in inside {
            let again = if is_one { HERE } else { self.alive_without(&[other], env, here)? };
            answers.push(self.takes_one(format!("drop {}", self.system.variables[other].name), other, again));
        }
        answers.push(Draft::new(format!("leave {}", own.name), Test::ALWAYS, next));
        let asked = self.ask(answers, env)?;
        if here == HERE {
            return Ok(asked);
        }
        self.steps[here as usize] = Instruction::Jump(asked);
        Ok(here)
    }
}

/// A value clamped to the range of a name: its register may hold more, for other names.
pub(super) fn within(value: Value, least: i32, most: i32) -> Value {
    match value {
        Value::Constant(number) => Value::Constant(number.clamp(least, most)),
        value => value.max(Value::Constant(least)).min(Value::Constant(most)),
    }
}

/// Whether a value is the register minus something.
fn only_less(value: &Value, register: Register) -> bool {
    match value {
        Value::Operation(Operator::Minus, left, right) => {
            **left == Value::Register(register) && matches!(**right, Value::Constant(0..))
        }
        Value::Operation(Operator::Plus, left, right) => {
            **left == Value::Register(register) && matches!(**right, Value::Constant(..=0))
        }
        _ => false,
    }
}
