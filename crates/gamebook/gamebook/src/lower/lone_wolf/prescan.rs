//! A scan of a section before it is compiled: what it needs of names and fights.

use super::compiler::{Compiler, Env};
use crate::book::{Case, Condition, LOCAL_NUMBERS, MOST_ROUNDS, Node, NodeKind, Number};

impl Compiler<'_> {
    pub(super) fn look(&mut self, nodes: &[Node]) {
        for node in nodes {
            match &node.kind {
                NodeKind::Endurance(number) | NodeKind::Counter(_, number) | NodeKind::Gain(_, number) => {
                    self.look_number(number);
                }
                NodeKind::Lose(_, Some(number)) => self.look_number(number),
                NodeKind::Take { lines, .. } => lines.iter().for_each(|(_, number)| self.look_number(number)),
                NodeKind::If(branches, otherwise) => {
                    for (condition, body, _) in branches {
                        self.look_condition(condition);
                        self.look(body);
                    }
                    self.look(otherwise);
                }
                NodeKind::Choices(choices) => {
                    for choice in choices {
                        self.look_condition(&choice.require);
                        if let Some((local, from, to)) = &choice.each {
                            self.look_number(from);
                            self.look_number(to);
                            let (_, most) = self.value(to, &Env::default()).range(&self.program.layout);
                            let most = most.min(*LOCAL_NUMBERS.end());
                            self.largest[*local] = self.largest[*local].max(most);
                        }
                        self.look(&choice.body);
                    }
                }
                NodeKind::Pick(pick) => {
                    let digit = if pick.zero_is_ten { 10 } else { 9 };
                    let plus = pick.plus.iter().fold(0i32, |sum, (number, _)| match number {
                        Number::Constant(number) => sum.saturating_add((*number).max(0)),
                        _ => i32::MAX,
                    });
                    for (local, count) in &pick.sums {
                        if let Some(local) = local {
                            let most = (i32::from(*count) * digit).saturating_add(plus).min(*LOCAL_NUMBERS.end());
                            self.largest[*local] = self.largest[*local].max(most);
                        }
                    }
                    for (number, condition) in &pick.plus {
                        self.look_number(number);
                        self.look_condition(condition);
                    }
                    for (case, body, _) in &pick.cases {
                        // The names of the pick itself are known in its cases; others are not.
                        if let Case::When(condition) = case {
                            let before = self.kept.clone();
                            self.look_condition(condition);
                            for (local, _) in &pick.sums {
                                if let Some(local) = local {
                                    self.kept[*local] = before[*local];
                                }
                            }
                        }
                        self.look(body);
                    }
                }
                NodeKind::Repeat(body) => self.look(body),
                NodeKind::Fight(fight) => {
                    for (_, _, condition) in &fight.bonuses {
                        self.look_condition(condition);
                    }
                    fight.mindforce_after.iter().for_each(|after| self.look_number(after));
                    fight.bodies().for_each(|body| self.look(body));
                }
                NodeKind::OneRound { fight, worse, equal, better } => {
                    for (_, _, condition) in &fight.bonuses {
                        self.look_condition(condition);
                    }
                    for body in [worse, equal, better] {
                        self.look(body);
                    }
                }
                _ => {}
            }
        }
    }

    fn look_number(&mut self, number: &Number) {
        match number {
            Number::Local(local) => self.kept[*local] = true,
            Number::Rounds => self.rounds = MOST_ROUNDS.into(),
            Number::Operation(_, left, right) => {
                self.look_number(left);
                self.look_number(right);
            }
            _ => {}
        }
    }

    pub(super) fn look_condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Wounded => self.wounds = true,
            Condition::Compare(_, Number::Rounds, Number::Constant(number))
            | Condition::Compare(_, Number::Constant(number), Number::Rounds) => {
                // The test can be for more than the number, too.
                let apart = u32::try_from(*number).unwrap_or(0).saturating_add(1);
                self.rounds = self.rounds.max(apart.min(MOST_ROUNDS.into()));
            }
            Condition::Compare(_, left, right) => {
                self.look_number(left);
                self.look_number(right);
            }
            Condition::Not(inner) => self.look_condition(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.look_condition(left);
                self.look_condition(right);
            }
            Condition::Constant(_)
            | Condition::Discipline(_)
            | Condition::Skilled(_)
            | Condition::Flag(_)
            | Condition::Reading(..) => {}
        }
    }
}
