//! Registers, and numbers and conditions over them.

use super::lowering::{Bound, Env, Lowering, Wielded, register_of};
use crate::book::{Condition, LocalId, Number, VariableRef};
use crate::lower::error::CompileError;
use crate::program::{Register, Test, Value};
use crate::terms::{Comparison, Operator};

/// Names cannot hold larger numbers.
const MOST_NUMBER: i64 = 20_000;

/// The most names in scope.
const MOST_NAMES: usize = 60;

impl<'a> Lowering<'a> {
    pub(super) fn register(&mut self, name: String, least: i32, most: i32) -> Result<Register, CompileError> {
        match Register::try_from(self.registers.len()) {
            Ok(register) if register < Register::MAX => {
                self.registers.push((name, least, most));
                Ok(register)
            }
            _ => self.wrong("there are more numbers to remember than a state can hold"),
        }
    }

    /// A name with a register for numbers in this range.
    pub(super) fn bind(
        &mut self,
        env: &mut Env<'a>,
        local: LocalId,
        least: i64,
        most: i64,
    ) -> Result<Register, CompileError> {
        let own = &self.system.locals[local];
        let (least, most) =
            own.changed.map_or((least, most), |(low, high)| (least.min(low.into()), most.max(high.into())));
        let (Ok(low), Ok(high)) = (i32::try_from(least), i32::try_from(most)) else {
            return self.too_large(local, if most > MOST_NUMBER { most } else { least });
        };
        if least < -MOST_NUMBER || most > MOST_NUMBER {
            return self.too_large(local, if most > MOST_NUMBER { most } else { least });
        }
        let register = self.name_register(env.used, own.changed.is_some(), low, high)?;
        env.used += 1;
        env.names.push((local, Bound::Register(register, low, high)));
        Ok(register)
    }

    fn too_large<T>(&self, local: LocalId, number: i64) -> Result<T, CompileError> {
        let name = &self.system.locals[local].name;
        self.wrong(format!(
            "`{name}` could be {number}: -{MOST_NUMBER} to {MOST_NUMBER} are possible; write `min(..., 99)`"
        ))
    }

    /// The register of a name at this depth. Names that are assigned later may hold larger numbers and have registers of their
    /// own.
    pub(super) fn name_register(
        &mut self,
        depth: usize,
        changed: bool,
        least: i32,
        most: i32,
    ) -> Result<Register, CompileError> {
        if depth >= MOST_NAMES {
            return self.wrong(format!("more than {MOST_NAMES} names mean something at once"));
        }
        let register = match self.names.get(&(depth, changed)) {
            Some(register) => *register,
            None => {
                let name = format!("name {}", self.names.len() + 1);
                let register = self.register(name, least, most)?;
                self.names.insert((depth, changed), register);
                register
            }
        };
        let (_, low, high) = &mut self.registers[usize::from(register)];
        (*low, *high) = ((*low).min(least), (*high).max(most));
        Ok(register)
    }

    pub(super) fn enemy(&mut self, enemy: usize, stat: usize) -> Result<Register, CompileError> {
        if let Some(register) = self.enemies.get(&(enemy, stat)) {
            return Ok(*register);
        }
        let own = &self.system.enemy_stats[stat];
        let name = if enemy == 0 { format!("enemy.{}", own.name) } else { format!("enemy {}.{}", enemy + 1, own.name) };
        let register = self.register(name, own.least, own.most)?;
        self.enemies.insert((enemy, stat), register);
        Ok(register)
    }

    /// The register of a variable.
    pub(super) fn variable(&mut self, variable: VariableRef, env: &Env<'a>) -> Result<Register, CompileError> {
        match (variable, &env.arena) {
            (VariableRef::Own(own), _) => Ok(register_of(own)),
            (VariableRef::AtHand, _) => self.at_hand(env).map(register_of),
            (VariableRef::Enemy(stat), Some(arena)) => self.enemy(arena.enemy, stat),
            (VariableRef::Enemy(stat), None) => {
                let name = &self.system.enemy_stats[stat].name;
                self.wrong(format!("`enemy.{name}` is used outside of a fight"))
            }
        }
    }

    pub(super) fn bound(&self, local: LocalId, env: &Env<'a>) -> Result<Bound, CompileError> {
        match env.names.iter().rev().find(|(own, _)| *own == local) {
            Some((_, bound)) => Ok(*bound),
            None => self.wrong(format!("`{}` means nothing here", self.system.locals[local].name)),
        }
    }

    pub(super) fn value(&mut self, number: &Number, env: &Env<'a>) -> Result<Value, CompileError> {
        Ok(match number {
            Number::Constant(number) => Value::Constant(*number),
            Number::Variable(variable) => Value::Register(self.variable(*variable, env)?),
            Number::Local(local) => match self.bound(*local, env)? {
                Bound::Constant(number) => Value::Constant(number),
                Bound::Register(register, ..) => Value::Register(register),
            },
            Number::If(condition, yes, no) => {
                let (test, yes, no) = (self.test(condition, env)?, self.value(yes, env)?, self.value(no, env)?);
                match test {
                    Test::Constant(holds) => return Ok(if holds { yes } else { no }),
                    test => {
                        let not = Value::holds(test.clone().negated());
                        Value::holds(test).times(yes).plus(not.times(no))
                    }
                }
            }
            Number::Value(value) => {
                let system = self.system;
                self.value(&system.values[*value].1, env)?
            }
            Number::Table(table, row, column) => {
                let (row, column) = (self.value(row, env)?, self.value(column, env)?);
                self.looked_up(*table, row, column)
            }
            Number::Carried(stat) => self.carried(*stat),
            Number::Wielded(stat) => Value::Register(self.wielded(Wielded::Stat(*stat))?),
            Number::SkilledWith(skill) => Value::Register(self.wielded(Wielded::Skill(*skill))?),
            Number::AtHand(stat) => {
                let item = self.at_hand(env)?;
                Value::Constant(self.system.variables[item].traits.stat(*stat))
            }
            Number::InContainer(container) => self.in_container(*container, false),
            Number::Room(container) => self.room(*container),
            Number::Disciplines => Value::Sum(self.system.skills().map(register_of).collect()),
            Number::Operation(operator, left, right) => {
                let is_missing = *operator == Operator::Minus && self.is_what_is_missing(left, right);
                let (left, right) = (self.value(left, env)?, self.value(right, env)?);
                match operator {
                    // Stats never exceed their initial value, but an analysis of ranges does not see that.
                    _ if is_missing && self.looks_at_all() => left.minus(right).max(Value::Constant(0)),
                    Operator::Plus => left.plus(right),
                    Operator::Minus => left.minus(right),
                    Operator::Times => left.times(right),
                    _ => Value::operation(*operator, left, right),
                }
            }
            _ => return self.wrong("this number belongs to other rules"),
        })
    }

    /// Whether a difference is that of a stat's initial value and the stat.
    fn is_what_is_missing(&self, initial: &Number, stat: &Number) -> bool {
        match (initial, stat) {
            (Number::Variable(VariableRef::Own(initial)), Number::Variable(VariableRef::Own(stat))) => {
                self.system.variables[*stat].initial == Some(*initial)
            }
            _ => false,
        }
    }

    /// The range of a number.
    pub(super) fn range(&mut self, number: &Number, env: &Env<'a>) -> Result<(i64, i64), CompileError> {
        Ok(match number {
            Number::Constant(number) => ((*number).into(), (*number).into()),
            Number::Variable(variable) => {
                let register = self.variable(*variable, env)?;
                let (_, least, most) = &self.registers[usize::from(register)];
                ((*least).into(), (*most).into())
            }
            Number::Local(local) => match self.bound(*local, env)? {
                Bound::Constant(number) => (number.into(), number.into()),
                Bound::Register(_, least, most) => (least.into(), most.into()),
            },
            Number::Operation(operator, left, right) => {
                let (left, right) = (self.range(left, env)?, self.range(right, env)?);
                let corner = |left: i64, right: i64| {
                    let cut =
                        |number: i64| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
                    i64::from(operator.apply(cut(left), cut(right)))
                };
                // A divisor takes all its values: the quotient is largest near 0.
                let rights = match operator {
                    Operator::Down | Operator::Up => {
                        let near = [-1, 0, 1].into_iter().filter(|near| (right.0..=right.1).contains(near));
                        near.chain([right.0, right.1]).collect::<Vec<_>>()
                    }
                    _ => vec![right.0, right.1],
                };
                let corners = rights.iter().flat_map(|right| [corner(left.0, *right), corner(left.1, *right)]);
                corners.fold((i64::MAX, i64::MIN), |(least, most), own| (least.min(own), most.max(own)))
            }
            Number::If(_, yes, no) => {
                let (yes, no) = (self.range(yes, env)?, self.range(no, env)?);
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            Number::Value(value) => {
                let system = self.system;
                self.range(&system.values[*value].1, env)?
            }
            Number::Table(table, ..) => {
                let cells = || self.system.tables[*table].cells.iter().copied().map(i64::from);
                (cells().min().unwrap_or(0), cells().max().unwrap_or(0))
            }
            other => {
                let value = self.value(other, env)?;
                let registers = &self.registers;
                let known = |register: Register| {
                    let (_, least, most) = &registers[usize::from(register)];
                    (*least, *most)
                };
                let (least, most) = value.range_where(&known);
                (least.into(), most.into())
            }
        })
    }

    pub(super) fn test(&mut self, condition: &Condition, env: &Env<'a>) -> Result<Test, CompileError> {
        Ok(match condition {
            Condition::Constant(holds) => Test::Constant(*holds),
            Condition::Reading(reading, value) => match self.reading(*reading)? {
                Some(register) => {
                    let value = Value::Constant(i32::try_from(*value).unwrap_or(i32::MAX));
                    Test::compare(Comparison::Equal, Value::Register(register), value)
                }
                None => Test::Constant(self.readings[*reading] == *value),
            },
            Condition::Compare(comparison, left, right) => {
                Test::compare(*comparison, self.value(left, env)?, self.value(right, env)?)
            }
            Condition::Not(inner) => self.test(inner, env)?.negated(),
            Condition::And(left, right) => Test::both(self.test(left, env)?, self.test(right, env)?),
            Condition::Or(left, right) => Test::either(self.test(left, env)?, self.test(right, env)?),
            Condition::Discipline(_) | Condition::Skilled(_) | Condition::Flag(_) | Condition::Wounded => {
                return self.wrong("this condition belongs to other rules");
            }
        })
    }
}
