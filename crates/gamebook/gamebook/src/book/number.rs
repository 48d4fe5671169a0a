//! Numbers and conditions: expressions over the game.

use super::discipline::Discipline;
use super::item::{ItemId, Kind};
use crate::terms::{Comparison, Operator};

/// A name bound in a section: its index in [`Section::locals`](super::Section::locals).
pub type LocalId = usize;

/// A numeric expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A constant.
    Constant(i32),
    /// Gold Crowns.
    Gold,
    /// ENDURANCE.
    Endurance,
    /// The maximum of ENDURANCE.
    MaxEndurance,
    /// COMBAT SKILL without weapons.
    CombatSkill,
    /// The number of disciplines, or of skills of a system of rules.
    Disciplines,
    /// The count of an item.
    Item(ItemId),
    /// The number of items of a kind.
    OfKind(Kind),
    /// Free places for backpack items.
    BackpackRoom,
    /// A counter.
    Counter(usize),
    /// A name bound in the section.
    Local(LocalId),
    /// The rounds of the last fight in the section.
    Rounds,
    /// A variable of a system of rules.
    Variable(VariableRef),
    /// One of two numbers, depending on a condition.
    If(Box<Condition>, Box<Number>, Box<Number>),
    /// A named value of the system, by index.
    Value(usize),
    /// An entry of a table, by row and column.
    Table(usize, Box<Number>, Box<Number>),
    /// The sum of an item stat over all carried items.
    Carried(usize),
    /// A stat of the wielded item.
    Wielded(usize),
    /// Whether a skill applies to the wielded item.
    SkilledWith(usize),
    /// A stat of the item for which a choice is offered.
    AtHand(usize),
    /// The number of items in a container.
    InContainer(usize),
    /// The number of free places in a container.
    Room(usize),
    /// An operation on two numbers.
    Operation(Operator, Box<Number>, Box<Number>),
}

impl Number {
    /// Visits this number and its parts.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        match self {
            Self::Operation(_, left, right) | Self::Table(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::If(condition, left, right) => {
                condition.visit_numbers(visit);
                left.visit(visit);
                right.visit(visit);
            }
            _ => {}
        }
    }
}

impl Number {
    /// The size with all named values expanded; the condition of an `if` counts twice, once for each number.
    pub(crate) fn parts(&self, values: &[(String, Self)]) -> usize {
        let of = |number: &Self| number.parts(values);
        let inner = match self {
            Self::Operation(_, left, right) | Self::Table(_, left, right) => of(left).saturating_add(of(right)),
            Self::If(condition, yes, no) => {
                let asked = condition.parts(values).saturating_mul(2);
                asked.saturating_add(of(yes)).saturating_add(of(no))
            }
            Self::Value(value) => of(&values[*value].1),
            _ => 0,
        };
        inner.saturating_add(1)
    }
}

/// A variable of a system of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRef {
    /// A variable on the hero's sheet.
    Own(usize),
    /// A stat of the current enemy.
    Enemy(usize),
    /// The count of the item at hand.
    AtHand,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Always true or false.
    Constant(bool),
    /// The hero knows a discipline.
    Discipline(Discipline),
    /// The hero's Weaponskill applies to a weapon.
    Skilled(ItemId),
    /// A flag is set.
    Flag(usize),
    /// The hero lost ENDURANCE in the last fight of the section.
    Wounded,
    /// A passage has this reading: the passage and its value.
    Reading(usize, usize),
    /// A comparison of two numbers.
    Compare(Comparison, Number, Number),
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction.
    And(Box<Condition>, Box<Condition>),
    /// Disjunction.
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Visits this condition and its parts.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
        match self {
            Self::Not(inner) => inner.visit(visit),
            Self::And(left, right) | Self::Or(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Constant(_)
            | Self::Discipline(_)
            | Self::Flag(_)
            | Self::Wounded
            | Self::Skilled(_)
            | Self::Reading(..)
            | Self::Compare(..) => {}
        }
    }

    /// The size, as for a [`Number`].
    pub(crate) fn parts(&self, values: &[(String, Number)]) -> usize {
        let inner = match self {
            Self::Not(inner) => inner.parts(values),
            Self::And(left, right) | Self::Or(left, right) => left.parts(values).saturating_add(right.parts(values)),
            Self::Compare(_, left, right) => left.parts(values).saturating_add(right.parts(values)),
            _ => 0,
        };
        inner.saturating_add(1)
    }

    /// Visits every number that is compared.
    pub(crate) fn visit_numbers(&self, visit: &mut dyn FnMut(&Number)) {
        self.visit(&mut |condition| {
            if let Self::Compare(_, left, right) = condition {
                left.visit(visit);
                right.visit(visit);
            }
        });
    }
}

/// Whether a number is written as a loss: with a minus before it, or before each of its parts.
pub(crate) fn is_loss(number: &Number) -> bool {
    match number {
        Number::Constant(number) => *number < 0,
        Number::Operation(Operator::Minus, left, _) if **left == Number::Constant(0) => true,
        Number::Operation(Operator::Minus | Operator::Down | Operator::Up, left, _) => is_loss(left),
        Number::Operation(Operator::Times, left, right) => is_loss(left) != is_loss(right),
        Number::Operation(Operator::Plus | Operator::Min | Operator::Max, left, right) => {
            is_loss(left) && is_loss(right)
        }
        _ => false,
    }
}
