//! Which names bound in a section some nodes ask for.

use std::collections::BTreeSet;

use gamebook::{Case, Condition, Fight, Node, NodeKind, Number};

/// The names that these nodes ask for.
pub fn mentioned(nodes: &[Node]) -> BTreeSet<usize> {
    let mut names = BTreeSet::new();
    in_nodes(nodes, &mut names);
    names
}

fn in_nodes(nodes: &[Node], names: &mut BTreeSet<usize>) {
    for node in nodes {
        in_node(node, names);
    }
}

fn in_node(node: &Node, names: &mut BTreeSet<usize>) {
    match &node.kind {
        NodeKind::Endurance(number)
        | NodeKind::Counter(_, number)
        | NodeKind::Gain(_, number)
        | NodeKind::Lose(_, Some(number)) => in_number(number, names),
        NodeKind::Take { lines, .. } => lines.iter().for_each(|(_, number)| in_number(number, names)),
        NodeKind::If(branches, otherwise) => {
            for (condition, body, _) in branches {
                in_condition(condition, names);
                in_nodes(body, names);
            }
            in_nodes(otherwise, names);
        }
        NodeKind::Choices(choices) => {
            for choice in choices {
                in_condition(&choice.require, names);
                if let Some((_, from, to)) = &choice.each {
                    in_number(from, names);
                    in_number(to, names);
                }
                in_nodes(&choice.body, names);
            }
        }
        NodeKind::Pick(pick) => {
            for (number, condition) in &pick.plus {
                in_number(number, names);
                in_condition(condition, names);
            }
            for (case, body, _) in &pick.cases {
                if let Case::When(condition) = case {
                    in_condition(condition, names);
                }
                in_nodes(body, names);
            }
        }
        NodeKind::Repeat(body) => in_nodes(body, names),
        NodeKind::Fight(fight) => in_fight(fight, names),
        NodeKind::OneRound { fight, worse, equal, better } => {
            in_fight(fight, names);
            for body in [worse, equal, better] {
                in_nodes(body, names);
            }
        }
        NodeKind::Lose(_, None)
        | NodeKind::Restore { .. }
        | NodeKind::LoseAll { .. }
        | NodeKind::GiveUp { .. }
        | NodeKind::Flag(..)
        | NodeKind::Eat { .. }
        | NodeKind::Shop(_)
        | NodeKind::Goto(_)
        | NodeKind::Death(_)
        | NodeKind::Victory
        | NodeKind::Rule(_)
        | NodeKind::Again(_) => {}
    }
}

fn in_fight(fight: &Fight, names: &mut BTreeSet<usize>) {
    fight.bonuses.iter().for_each(|(_, _, condition)| in_condition(condition, names));
    fight.mindforce_after.iter().for_each(|after| in_number(after, names));
    fight.bodies().for_each(|body| in_nodes(body, names));
}

fn in_condition(condition: &Condition, names: &mut BTreeSet<usize>) {
    match condition {
        Condition::Compare(_, left, right) => {
            in_number(left, names);
            in_number(right, names);
        }
        Condition::Not(inner) => in_condition(inner, names),
        Condition::And(left, right) | Condition::Or(left, right) => {
            in_condition(left, names);
            in_condition(right, names);
        }
        Condition::Constant(_)
        | Condition::Discipline(_)
        | Condition::Skilled(_)
        | Condition::Flag(_)
        | Condition::Reading(..)
        | Condition::Wounded => {}
    }
}

fn in_number(number: &Number, names: &mut BTreeSet<usize>) {
    match number {
        Number::Local(local) => _ = names.insert(*local),
        Number::Operation(_, left, right) => {
            in_number(left, names);
            in_number(right, names);
        }
        _ => {}
    }
}
