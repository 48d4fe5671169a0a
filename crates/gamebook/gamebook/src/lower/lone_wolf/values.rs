//! Numbers and conditions of a book as values and tests of a program.

use super::compiler::{Compiler, Env};
use super::registers;
use crate::book::{Condition, Kind, Number};
use crate::program::{Test, Value};

impl Compiler<'_> {
    /// The value of a number, given some constants.
    pub(super) fn value(&self, number: &Number, env: &Env<'_, '_>) -> Value {
        match number {
            Number::Constant(number) => Value::Constant(*number),
            Number::Gold => Value::Register(registers::GOLD),
            Number::Endurance => Value::Register(registers::ENDURANCE),
            Number::MaxEndurance => self.gear.max_endurance(),
            Number::CombatSkill => self.gear.more_skill().plus(Value::Constant(self.hero.combat_skill)),
            Number::Disciplines => Value::Constant(i32::try_from(self.hero.disciplines.len()).unwrap_or(i32::MAX)),
            Number::Item(item) => self.gear.count(*item),
            Number::OfKind(kind) => self.gear.of_kind(*kind),
            Number::BackpackRoom => self.gear.room(Kind::Backpack),
            Number::Counter(counter) => Value::Register(self.gear.counter(*counter)),
            Number::Local(local) => match env.constants.iter().find(|(other, _)| other == local) {
                Some((_, number)) => Value::Constant(*number),
                // Its maximum is known.
                None => Value::Register(self.gear.local(*local)).min(Value::Constant(self.largest[*local])),
            },
            Number::Rounds => Value::Register(registers::ROUND),
            Number::Operation(operator, left, right) => {
                Value::operation(*operator, self.value(left, env), self.value(right, env))
            }
            // The others belong to systems of rules.
            _ => Value::Constant(0),
        }
    }

    /// The test of a condition, given some constants.
    pub(super) fn test(&self, condition: &Condition, env: &Env<'_, '_>) -> Test {
        match condition {
            Condition::Constant(holds) => Test::Constant(*holds),
            Condition::Discipline(discipline) => Test::Constant(self.hero.knows(*discipline)),
            Condition::Flag(flag) => Value::Register(self.gear.flag(*flag)).at_least(1),
            Condition::Wounded => Value::Register(registers::WOUNDED).at_least(1),
            Condition::Skilled(item) => Test::Constant(registers::is_skilled(&self.book.items[*item], self.hero)),
            Condition::Reading(reading, value) => Test::Constant(self.readings[*reading] == *value),
            Condition::Compare(comparison, left, right) => {
                Test::compare(*comparison, self.value(left, env), self.value(right, env))
            }
            Condition::Not(inner) => self.test(inner, env).negated(),
            Condition::And(left, right) => Test::both(self.test(left, env), self.test(right, env)),
            Condition::Or(left, right) => Test::either(self.test(left, env), self.test(right, env)),
        }
    }
}
