//! When what heals may be used, and whether it matters when it is.

use super::{Compiled, Compiler, answer};
use crate::book::{Case, Comparison, Condition, Kind, Node, NodeKind, Number, Thing, When};
use crate::compile::gear::{ENDURANCE, FOUGHT};
use crate::program::{Answer, HERE, Place, Test, Value};

/// A time at which something may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// A section has been entered.
    Entering,
    /// A fight is over and the hero stands.
    AfterFight,
    /// Something has happened, and something else is about to.
    Between,
}

/// Where the player is asked whether he uses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// Where it can matter to best play.
    WhereItMatters,
    /// Wherever he may.
    Everywhere,
    /// What is compiled happens at once.
    Nowhere,
}

impl Moment {
    /// Whether what heals at some time may be used now.
    fn is(self, when: When) -> bool {
        match when {
            When::AnyTime | When::SinceCombat => true,
            When::OnEntering => self != Self::Between,
            When::AfterCombat => self == Self::AfterFight,
        }
    }
}

impl Compiler<'_> {
    /// The player may use what heals.
    pub(super) fn heal(&mut self, moment: Moment, next: Place) -> Compiled {
        let mut healing = self.gear.healing.clone();
        healing.retain(|(.., when)| moment.is(*when));
        // What may be used later in the section as well can wait.
        let waits = moment != Moment::Between
            && self.asking != Asking::Everywhere
            && healing.iter().all(|(.., when)| Moment::Between.is(*when));
        if healing.is_empty() || waits {
            return Ok(next);
        }
        let label = self.label("use nothing");
        let mut answers = vec![answer(label, Test::ALWAYS, [], next)];
        let most = self.gear.max_endurance();
        // Also for who is not hurt: so a stronger hero can do whatever a weaker can.
        for (item, heals, when) in healing {
            let mut changes = self.gear.lose_one(item);
            changes.push(self.gear.healed(Value::Constant(heals)));
            let book = self.book;
            let label = self.label(&format!("use {}", book.items[item].name));
            let mut test = self.gear.count(item).at_least(1);
            if when == When::SinceCombat {
                test = Test::both(Value::Register(FOUGHT).at_least(1), test);
            }
            let answer = answer(label, test, changes, HERE);
            let unhurt = Test::compare(Comparison::AtLeast, Value::Register(ENDURANCE), most.clone());
            answers.push(Answer { wastes: unhurt, ..answer });
        }
        self.ask("what heals", answers)
    }

    /// Whether the player is asked before the first of these nodes if he wants to use something. For best play that is
    /// early enough right before what has to do with ENDURANCE or with what is carried.
    pub(super) fn is_time_before(&self, nodes: &[Node]) -> bool {
        match self.asking {
            Asking::Nowhere => false,
            Asking::WhereItMatters => nodes.first().is_some_and(|node| self.touches_health(node)),
            // On entering the section he is asked anyway.
            Asking::Everywhere => !std::ptr::eq(nodes, &raw const self.text.body[..]),
        }
    }

    /// Whether a node itself has to do with ENDURANCE or with what is carried, without those that stand in it.
    fn touches_health(&self, node: &Node) -> bool {
        let number = |number: &Number| !self.number_leaves_health_alone(number);
        let condition = |condition: &Condition| !self.condition_leaves_health_alone(condition);
        match &node.kind {
            // What happens on entering the next section happens at once.
            NodeKind::Goto(_) => !self.book.on_enter.is_empty(),
            NodeKind::If(branches, _) => branches.iter().any(|(when, ..)| condition(when)),
            NodeKind::Choices(choices) => choices.iter().any(|choice| {
                let bounds = choice.each.as_ref().is_some_and(|(_, from, to)| number(from) || number(to));
                bounds || condition(&choice.require)
            }),
            NodeKind::Pick(pick) => {
                pick.plus.iter().any(|(more, when)| number(more) || condition(when))
                    || pick.cases.iter().any(|(case, ..)| matches!(case, Case::When(when) if condition(when)))
            }
            NodeKind::Repeat(_) => false,
            _ => !self.leaves_health_alone(node),
        }
    }

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
            Condition::Constant(_)
            | Condition::Discipline(_)
            | Condition::Skilled(_)
            | Condition::Flag(_)
            | Condition::Reading(..) => true,
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
