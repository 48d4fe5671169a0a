//! Whether it matters when what heals is used.

use super::Compiler;
use crate::book::{Condition, Kind, Node, NodeKind, Number, Thing};

impl Compiler<'_> {
    /// Whether a node has nothing to do with ENDURANCE or with what is carried.
    pub(super) fn leaves_health_alone(&self, node: &Node) -> bool {
        let all = |body: &[Node]| body.iter().all(|node| self.leaves_health_alone(node));
        let number = |number: &Number| self.number_leaves_health_alone(number);
        let condition = |condition: &Condition| self.condition_leaves_health_alone(condition);
        match &node.kind {
            NodeKind::Goto(_)
            | NodeKind::Death(_)
            | NodeKind::Victory
            | NodeKind::Flag(..)
            | NodeKind::Again(_)
            | NodeKind::Lose(Thing::Gold, None) => true,
            NodeKind::Counter(_, count)
            | NodeKind::Gain(Thing::Gold, count)
            | NodeKind::Lose(Thing::Gold, Some(count)) => number(count),
            NodeKind::If(branches, otherwise) => {
                branches.iter().all(|(when, body, _)| condition(when) && all(body)) && all(otherwise)
            }
            NodeKind::Choices(choices) => choices.iter().all(|choice| {
                let bounds = choice.each.as_ref().is_none_or(|(_, from, to)| number(from) && number(to));
                bounds && condition(&choice.require) && all(&choice.body)
            }),
            NodeKind::Pick(pick) => {
                pick.plus.iter().all(|(more, when)| number(more) && condition(when))
                    && pick.cases.iter().all(|(_, body, _)| all(body))
            }
            NodeKind::Repeat(body) => all(body),
            _ => false,
        }
    }

    fn number_leaves_health_alone(&self, number: &Number) -> bool {
        match number {
            Number::Constant(_)
            | Number::Gold
            | Number::CombatSkill
            | Number::Disciplines
            | Number::Counter(_)
            | Number::Variable(_)
            | Number::Local(_) => true,
            Number::Item(item) => self.book.items[*item].heals.is_none(),
            Number::OfKind(kind) => *kind == Kind::Weapon,
            Number::Endurance | Number::MaxEndurance | Number::BackpackRoom | Number::Rounds => false,
            Number::Operation(_, left, right) => {
                self.number_leaves_health_alone(left) && self.number_leaves_health_alone(right)
            }
        }
    }

    fn condition_leaves_health_alone(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(_) | Condition::Discipline(_) | Condition::Flag(_) | Condition::Reading(..) => true,
            Condition::Wounded => false,
            Condition::Compare(_, left, right) => {
                self.number_leaves_health_alone(left) && self.number_leaves_health_alone(right)
            }
            Condition::Not(inner) => self.condition_leaves_health_alone(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.condition_leaves_health_alone(left) && self.condition_leaves_health_alone(right)
            }
        }
    }
}
