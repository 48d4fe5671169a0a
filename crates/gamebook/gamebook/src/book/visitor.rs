//! Visitors of nodes.

use super::node::{Case, Node, NodeKind, Rule};
use super::number::{Condition, Number};

/// Visits all nodes of a body, including nested ones.
pub(crate) fn every_node<'n>(body: &'n [Node], visit: &mut impl FnMut(&'n Node)) {
    for node in body {
        visit(node);
        every_body(&node.kind, &mut |inner| every_node(inner, visit));
    }
}

/// Visits every block inside a node.
pub(crate) fn every_body<'n>(kind: &'n NodeKind, visit: &mut dyn FnMut(&'n [Node])) {
    match kind {
        NodeKind::If(branches, otherwise) => {
            for (_, body, _) in branches {
                visit(body);
            }
            visit(otherwise);
        }
        NodeKind::Choices(choices) => choices.iter().for_each(|choice| visit(&choice.body)),
        NodeKind::Pick(pick) => pick.cases.iter().for_each(|(_, body, _)| visit(body)),
        NodeKind::Repeat(body) => visit(body),
        NodeKind::Fight(fight) => {
            fight.bodies().for_each(|body| visit(body));
        }
        NodeKind::OneRound { worse, equal, better, .. } => [worse, equal, better].into_iter().for_each(|b| visit(b)),
        NodeKind::Rule(rule) => rule.bodies(visit),
        _ => {}
    }
}

/// What a node reads.
pub(crate) enum Asked<'n> {
    Condition(&'n Condition),
    Number(&'n Number),
}

/// Visits what a node itself reads, without nested nodes and without nodes of systems of rules.
pub(crate) fn every_question<'n>(kind: &'n NodeKind, ask: &mut dyn FnMut(Asked<'n>)) {
    match kind {
        NodeKind::Endurance(number)
        | NodeKind::Counter(_, number)
        | NodeKind::Gain(_, number)
        | NodeKind::Lose(_, Some(number)) => ask(Asked::Number(number)),
        NodeKind::If(branches, _) => branches.iter().for_each(|(condition, ..)| ask(Asked::Condition(condition))),
        NodeKind::Choices(choices) => {
            for choice in choices {
                ask(Asked::Condition(&choice.require));
                if let Some((_, from, to)) = &choice.each {
                    ask(Asked::Number(from));
                    ask(Asked::Number(to));
                }
            }
        }
        NodeKind::Pick(pick) => {
            for (number, condition) in &pick.plus {
                ask(Asked::Number(number));
                ask(Asked::Condition(condition));
            }
            for (case, ..) in &pick.cases {
                if let Case::When(condition) = case {
                    ask(Asked::Condition(condition));
                }
            }
        }
        NodeKind::Take { lines, .. } => lines.iter().for_each(|(_, count)| ask(Asked::Number(count))),
        NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => {
            fight.bonuses.iter().for_each(|(_, _, condition)| ask(Asked::Condition(condition)));
            fight.mindforce_after.iter().for_each(|after| ask(Asked::Number(after)));
        }
        _ => {}
    }
}

impl Rule {
    /// Visits every block inside it.
    pub(crate) fn bodies<'n>(&'n self, visit: &mut dyn FnMut(&'n [Node])) {
        match self {
            Self::Roll(roll) => roll.cases.iter().for_each(|(_, body, _)| visit(body)),
            Self::Draw(cases, otherwise) => {
                for (_, body) in cases {
                    visit(body);
                }
                visit(otherwise);
            }
            Self::Test { yes, no, .. } => {
                visit(yes);
                visit(no);
            }
            Self::Use { blocks, .. } => blocks.iter().for_each(|(_, body)| visit(body)),
            Self::Battle(battle) => {
                battle.handlers.iter().for_each(|(_, body)| visit(body));
                visit(&battle.before_round);
                visit(&battle.end_of_round);
                battle.escape.iter().for_each(|(_, body)| visit(body));
                battle.defeat.iter().for_each(|(_, body)| visit(body));
            }
            _ => {}
        }
    }

    /// The same blocks, mutably.
    pub(crate) fn bodies_mut(&mut self, visit: &mut dyn FnMut(&mut Vec<Node>)) {
        match self {
            Self::Roll(roll) => roll.cases.iter_mut().for_each(|(_, body, _)| visit(body)),
            Self::Draw(cases, otherwise) => {
                for (_, body) in cases {
                    visit(body);
                }
                visit(otherwise);
            }
            Self::Test { yes, no, .. } => {
                visit(yes);
                visit(no);
            }
            Self::Use { blocks, .. } => blocks.iter_mut().for_each(|(_, body)| visit(body)),
            Self::Battle(battle) => {
                battle.handlers.iter_mut().for_each(|(_, body)| visit(body));
                visit(&mut battle.before_round);
                visit(&mut battle.end_of_round);
                battle.escape.iter_mut().for_each(|(_, body)| visit(body));
                battle.defeat.iter_mut().for_each(|(_, body)| visit(body));
            }
            _ => {}
        }
    }
}
