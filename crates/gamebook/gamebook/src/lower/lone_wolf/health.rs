//! When healing items may be used, and whether the moment matters.

use super::compiler::{Asking, Compiled, Compiler, Env, answer};
use super::registers::{ENDURANCE, FOUGHT};
use crate::book::{Case, Condition, ItemId, Kind, Node, NodeKind, Number, Section, Thing, When, every_node};
use crate::program::{Answer, HERE, Label, Test, Value};
use crate::terms::Comparison;

/// Whether some nodes can lead to a fight.
fn has_fight(nodes: &[Node]) -> bool {
    let mut found = false;
    every_node(nodes, &mut |node| found |= matches!(node.kind, NodeKind::Fight(_) | NodeKind::OneRound { .. }));
    found
}

/// A moment at which an item may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// After entering a section.
    Entering,
    /// After a fight that the hero survived.
    AfterFight,
    /// Between two events.
    Between,
}

impl Moment {
    /// Whether an item with this time may be used now.
    fn is(self, when: When) -> bool {
        match when {
            When::AnyTime | When::SinceCombat => true,
            When::OnEntering => self != Self::Between,
            When::AfterCombat => self == Self::AfterFight,
        }
    }
}

impl Compiler<'_> {
    /// Lets the player use healing items. `fought` says whether there was a fight in this section.
    pub(super) fn heal(&mut self, moment: Moment, fought: bool, next: Label) -> Compiled {
        let mut healing = self.gear.healing.clone();
        healing.retain(|(item, _, when)| moment.is(*when) && (fought || self.heals_before_fights(*item, self.text)));
        // What may still be used later in the section can wait.
        let waits = moment != Moment::Between
            && self.asking != Asking::Everywhere
            && healing.iter().all(|(.., when)| Moment::Between.is(*when));
        if healing.is_empty() || waits {
            return Ok(next);
        }
        let label = self.label("use nothing");
        let mut answers = vec![answer(label, Test::ALWAYS, [], next)];
        let most = self.gear.max_endurance();
        // Offered to an unhurt hero, too, so that a stronger hero can do whatever a weaker one can.
        for (item, heals, when) in healing {
            let changes = self.gear.use_up(item, heals);
            let book = self.book;
            let label = self.label(&format!("use {}", book.items[item].name));
            let mut test = self.gear.count(item).at_least(1);
            if when == When::SinceCombat {
                test = Test::both(Value::Register(FOUGHT).at_least(1), test);
            }
            let answer = answer(label, test, changes, HERE);
            let unhurt = Test::compare(Comparison::AtLeast, Value::Register(ENDURANCE), most.clone());
            let well = self.gear.cured(item).map_or(Test::ALWAYS, |flag| Value::Register(flag).at_most(0));
            answers.push(Answer { wastes: Test::both(unhurt, well), ..answer });
        }
        self.ask("what heals", answers)
    }

    /// The test whether the player is asked before these nodes if he wants to use an item. For optimal play it is early enough
    /// to ask right before something that concerns ENDURANCE or possessions.
    pub(super) fn time_before(&self, nodes: &[Node]) -> Test {
        match (self.asking, nodes.first()) {
            (Asking::Nowhere, _) | (_, None) => Test::Constant(false),
            // The next section begins at once, and there it may be too late.
            (Asking::WhereItMatters, Some(node)) if self.is_late_after(node) => Test::ALWAYS,
            (Asking::WhereItMatters, Some(Node { kind: NodeKind::Goto(_), .. })) => self.entering_matters(),
            (Asking::WhereItMatters, Some(node)) => Test::Constant(self.touches_health(node)),
            // On entering the section he is asked anyway.
            (Asking::Everywhere, _) => Test::Constant(!std::ptr::eq(nodes, &raw const self.text.body[..])),
        }
    }

    /// Whether a healing item may be used in a section before any fight there.
    fn heals_before_fights(&self, item: ItemId, section: &Section) -> bool {
        let is_read_so = |(reading, value): (usize, usize)| self.readings.get(reading) == Some(&value);
        let may = self.book.items[item].before_fights.is_none_or(is_read_so);
        !section.no_potions && (may || !has_fight(&section.body))
    }

    /// Whether a node leads to where a healing item can no longer be used: to a section with a fight, or to the next book of a
    /// series, where no fight has taken place and items may have other names.
    pub(super) fn is_late_after(&self, node: &Node) -> bool {
        match node.kind {
            NodeKind::Goto(number) if self.then.is_some() && self.book.goals.contains(&number) => true,
            NodeKind::Goto(number) => self.book.sections.get(&number).is_some_and(|section| {
                self.gear.healing.iter().any(|(item, ..)| !self.heals_before_fights(*item, section))
            }),
            NodeKind::Victory => self.then.is_some(),
            _ => false,
        }
    }

    /// A test that fails only if nothing that happens on entering a section concerns ENDURANCE or possessions, whatever was
    /// used before.
    pub(super) fn entering_matters(&self) -> Test {
        let mut matters = Test::Constant(false);
        for node in self.book.on_enter.iter().filter(|node| !self.leaves_health_alone(node)) {
            let NodeKind::If(branches, otherwise) = &node.kind else { return Test::ALWAYS };
            if !otherwise.is_empty() || !branches.iter().all(|(when, ..)| self.never_begins_to_hold(when)) {
                return Test::ALWAYS;
            }
            for (when, ..) in branches {
                matters = Test::either(matters, self.test(when, &Env::default()));
            }
        }
        matters
    }

    /// Whether using an item can never make this condition true: it clears at most a flag.
    fn never_begins_to_hold(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Flag(_) => true,
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.never_begins_to_hold(left) && self.never_begins_to_hold(right)
            }
            other => self.condition_leaves_health_alone(other),
        }
    }

    /// Whether a healing item clears a flag.
    fn is_cured(&self, flag: usize) -> bool {
        self.book.items.iter().any(|item| item.cures == Some(flag))
    }

    /// Whether a node itself concerns ENDURANCE or possessions, without its inner nodes.
    fn touches_health(&self, node: &Node) -> bool {
        let number = |number: &Number| !self.number_leaves_health_alone(number);
        let condition = |condition: &Condition| !self.condition_leaves_health_alone(condition);
        match &node.kind {
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

    /// Whether a node does not concern ENDURANCE or possessions.
    pub(super) fn leaves_health_alone(&self, node: &Node) -> bool {
        let all = |body: &[Node]| body.iter().all(|node| self.leaves_health_alone(node));
        let number = |number: &Number| self.number_leaves_health_alone(number);
        let condition = |condition: &Condition| self.condition_leaves_health_alone(condition);
        match &node.kind {
            NodeKind::Goto(_)
            | NodeKind::Death(_)
            | NodeKind::Victory
            | NodeKind::Again(_)
            | NodeKind::Lose(Thing::Gold, None) => true,
            NodeKind::Flag(flag, _) => !self.is_cured(*flag),
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
            Number::Item(item) => self.book.items[*item].heals.is_none(),
            Number::OfKind(kind) => *kind == Kind::Weapon,
            Number::Endurance | Number::MaxEndurance | Number::BackpackRoom | Number::Rounds => false,
            Number::Operation(_, left, right) => {
                self.number_leaves_health_alone(left) && self.number_leaves_health_alone(right)
            }
            _ => true,
        }
    }

    fn condition_leaves_health_alone(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(_) | Condition::Discipline(_) | Condition::Skilled(_) | Condition::Reading(..) => true,
            Condition::Flag(flag) => !self.is_cured(*flag),
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
