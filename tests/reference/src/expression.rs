//! Numbers and conditions.

use gamebook::{Comparison, Condition, Kind, Number, Operator};

use crate::node::Rules;
use crate::sheet::Sheet;

impl Rules<'_> {
    /// What a number is.
    pub fn number(&self, sheet: &Sheet, number: &Number) -> i64 {
        match number {
            Number::Constant(number) => i64::from(*number),
            Number::Gold => sheet.get(self.gold),
            Number::Endurance => sheet.get(self.endurance),
            Number::MaxEndurance => self.max_endurance(sheet),
            Number::CombatSkill => i64::from(self.hero.combat_skill),
            Number::Disciplines => self.hero.disciplines.iter().map(|_| 1).sum(),
            Number::Item(item) => sheet.get(self.items[*item]),
            Number::OfKind(kind) => self.of_kind(sheet, *kind),
            Number::BackpackRoom => self.room(sheet, Kind::Backpack),
            Number::Counter(counter) => sheet.get(self.counters[*counter]),
            Number::Local(local) => sheet.get(self.locals[*local]),
            Number::Rounds => sheet.get(self.rounds),
            Number::Operation(operator, left, right) => {
                compute(*operator, self.number(sheet, left), self.number(sheet, right))
            }
            // The others belong to systems of rules.
            _ => 0,
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, sheet: &Sheet, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(holds) => *holds,
            Condition::Discipline(discipline) => self.hero.disciplines.contains(discipline),
            Condition::Skilled(item) => self.is_skilled(*item),
            Condition::Flag(flag) => sheet.get(self.flags[*flag]) == 1,
            Condition::Wounded => sheet.get(self.wounded) == 1,
            // Passages are read as the book's author does.
            Condition::Reading(_, value) => *value == 0,
            Condition::Compare(comparison, left, right) => {
                compare(*comparison, self.number(sheet, left), self.number(sheet, right))
            }
            Condition::Not(inner) => !self.holds(sheet, inner),
            Condition::And(left, right) => self.holds(sheet, left) && self.holds(sheet, right),
            Condition::Or(left, right) => self.holds(sheet, left) || self.holds(sheet, right),
        }
    }
}

/// Whether a comparison holds.
pub fn compare(comparison: Comparison, left: i64, right: i64) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::AtMost => left <= right,
        Comparison::More => left > right,
        Comparison::AtLeast => left >= right,
    }
}

/// What an operation comes to; what is divided by 0 is 0.
pub fn compute(operator: Operator, left: i64, right: i64) -> i64 {
    match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Min => left.min(right),
        Operator::Max => left.max(right),
        Operator::Down | Operator::Up if right == 0 => 0,
        // Towards smaller numbers, and towards larger ones, whatever the signs are.
        Operator::Down => (left * right.signum()).div_euclid(right.abs()),
        Operator::Up => -(-left * right.signum()).div_euclid(right.abs()),
    }
}
