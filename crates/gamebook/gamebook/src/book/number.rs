//! Numbers that depend on the game, and conditions on them.

use super::discipline::Discipline;
use super::item::{ItemId, Kind};
use crate::terms::{Comparison, Operator};

/// A name bound in a section: its place in [`Section::locals`](super::Section::locals).
pub type LocalId = usize;

/// A whole number that depends on the game.
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
    /// How many disciplines, or skills of a system of rules.
    Disciplines,
    /// How many of an item.
    Item(ItemId),
    /// How many items of a kind.
    OfKind(Kind),
    /// Free places for backpack items.
    BackpackRoom,
    /// A counter.
    Counter(usize),
    /// A name bound in the section.
    Local(LocalId),
    /// Rounds of the last fight of the section.
    Rounds,
    /// A number of a system of rules of its own.
    Variable(VariableRef),
    /// One of two numbers, by whether a condition holds.
    If(Box<Condition>, Box<Number>, Box<Number>),
    /// A number that has a name: which of the system's values.
    Value(usize),
    /// What stands in a table: which, and what its row and its column are found by.
    Table(usize, Box<Number>, Box<Number>),
    /// A number of all items that are carried, taken together: which of their numbers.
    Carried(usize),
    /// A number of the item that is wielded.
    Wielded(usize),
    /// Whether a skill is known in the item that is wielded.
    SkilledWith(usize),
    /// A number of the item at hand: the one for which a choice is offered.
    AtHand(usize),
    /// How many items are in a container.
    InContainer(usize),
    /// How many places of a container are free.
    Room(usize),
    /// An operation on two.
    Operation(Operator, Box<Number>, Box<Number>),
}

impl Number {
    /// Visits this number and those that it is made of.
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
    /// How many parts it is made of where all that has a name is written out; what `if` asks for counts twice, once for each
    /// of its numbers.
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

/// A number that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableRef {
    /// A number on the hero's sheet.
    Own(usize),
    /// A number of the enemy who is fought.
    Enemy(usize),
    /// How many there are of the item at hand.
    AtHand,
}

/// Something that holds or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Holds always, or never.
    Constant(bool),
    /// The hero knows a discipline.
    Discipline(Discipline),
    /// The hero's Weaponskill counts for a weapon.
    Skilled(ItemId),
    /// A flag is set.
    Flag(usize),
    /// The hero lost ENDURANCE in the last fight of the section.
    Wounded,
    /// A passage is read so: which, and how.
    Reading(usize, usize),
    /// Two numbers compare so.
    Compare(Comparison, Number, Number),
    /// Does not hold.
    Not(Box<Condition>),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One holds.
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Visits this condition and those that it is made of.
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

    /// How many parts it is made of, as those of a [`Number`] are counted.
    pub(crate) fn parts(&self, values: &[(String, Number)]) -> usize {
        let inner = match self {
            Self::Not(inner) => inner.parts(values),
            Self::And(left, right) | Self::Or(left, right) => left.parts(values).saturating_add(right.parts(values)),
            Self::Compare(_, left, right) => left.parts(values).saturating_add(right.parts(values)),
            _ => 0,
        };
        inner.saturating_add(1)
    }

    /// Visits every number that it compares.
    pub(crate) fn visit_numbers(&self, visit: &mut dyn FnMut(&Number)) {
        self.visit(&mut |condition| {
            if let Self::Compare(_, left, right) = condition {
                left.visit(visit);
                right.visit(visit);
            }
        });
    }
}

/// Whether a number is written as a loss: with a minus before it, or with a minus before each of its parts.
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
