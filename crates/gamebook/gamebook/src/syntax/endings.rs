//! Checks that sections and loops can be left.

use super::reader::Reader;
use crate::book::{Node, NodeKind, Rule, Section, every_body};

/// Whether nothing after this node can be reached.
pub(super) fn leaves(kind: &NodeKind) -> bool {
    leaves_where(kind, false)
}

/// The same, given whether anything after its block arguments can be reached.
pub(super) fn leaves_where(kind: &NodeKind, blocks_leave: bool) -> bool {
    let all = |body: &[Node]| body.last().is_some_and(|last| leaves_where(&last.kind, blocks_leave));
    match kind {
        NodeKind::Goto(_) | NodeKind::Death(_) | NodeKind::Victory | NodeKind::Again(_) => true,
        NodeKind::If(branches, otherwise) => branches.iter().all(|(_, body, _)| all(body)) && all(otherwise),
        NodeKind::Choices(choices) => choices.iter().all(|choice| all(&choice.body)),
        NodeKind::Pick(pick) => !pick.cases.is_empty() && pick.cases.iter().all(|(_, body, _)| all(body)),
        NodeKind::Repeat(body) => all(body),
        NodeKind::OneRound { worse, equal, better, .. } => all(worse) && all(equal) && all(better),
        NodeKind::Rule(rule) => match &**rule {
            Rule::Roll(roll) => !roll.cases.is_empty() && roll.cases.iter().all(|(_, body, _)| all(body)),
            Rule::Draw(cases, otherwise) => cases.iter().all(|(_, body)| all(body)) && all(otherwise),
            Rule::Test { yes, no, .. } => all(yes) && all(no),
            Rule::Use { leaves, .. } => *leaves,
            Rule::Block(_) => blocks_leave,
            Rule::Resume | Rule::Stop => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a way leads out of a section, or out of `depth` enclosing loops.
pub(super) fn can_leave(nodes: &[Node], depth: usize) -> bool {
    nodes.iter().any(|node| match &node.kind {
        NodeKind::Goto(_) | NodeKind::Death(_) | NodeKind::Victory => true,
        NodeKind::Again(out) => *out > depth,
        NodeKind::Repeat(body) => can_leave(body, depth + 1),
        NodeKind::Rule(rule) if matches!(**rule, Rule::Use { can_leave: true, .. }) => true,
        other => {
            let mut found = false;
            every_body(other, &mut |body| found |= can_leave(body, depth));
            found
        }
    })
}

/// Ways through nodes without a decision, chance, gain or loss.
#[derive(Clone, Copy, Default)]
struct UneventfulWays {
    /// Whether one returns to the head of the loop.
    again: bool,
    /// Whether one reaches the end.
    through: bool,
}

fn silent(nodes: &[Node], depth: usize) -> UneventfulWays {
    let mut found = UneventfulWays { again: false, through: true };
    for node in nodes {
        let own = match &node.kind {
            NodeKind::Again(out) => UneventfulWays { again: *out == depth, through: false },
            NodeKind::If(branches, otherwise) => {
                let bodies = branches.iter().map(|(_, body, _)| &body[..]).chain([&otherwise[..]]);
                bodies.map(|body| silent(body, depth)).fold(UneventfulWays::default(), |all, own| UneventfulWays {
                    again: all.again || own.again,
                    through: all.through || own.through,
                })
            }
            NodeKind::Repeat(body) => silent(body, depth + 1),
            _ => UneventfulWays::default(),
        };
        found = UneventfulWays { again: found.again || own.again, through: own.through };
        if !found.through {
            break;
        }
    }
    found
}

impl Reader<'_> {
    /// Reports sections and loops that are never left.
    pub(super) fn endings(&mut self, section: &Section) {
        match section.body.last() {
            None => self.error(
                section.span.clone(),
                "the section ends here without leading anywhere",
                "write `goto 12`, `death` or `victory`",
            ),
            Some(last) if !leaves(&last.kind) => {
                let help = match &last.kind {
                    NodeKind::If(_, otherwise) if otherwise.is_empty() => "add an `else`, or a `goto` after the `if`",
                    NodeKind::Fight(_) => "say where he goes who has won: write `goto 12` after it",
                    _ => "write `goto 12`, `death` or `victory` at its end",
                };
                self.error(last.span.clone(), "the section can end here without leading anywhere", help);
            }
            Some(last) if !can_leave(&section.body, 0) => {
                self.error(last.span.clone(), "no way leads out of this section", "add a choice that leaves it");
            }
            Some(_) => self.loops_end(&section.body),
        }
    }

    fn loops_end(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let NodeKind::Repeat(body) = &node.kind {
                let falls = body.last().is_none_or(|last| !leaves(&last.kind));
                if silent(body, 0).again {
                    self.warning(
                        node.span.clone(),
                        "on one way this loop begins anew without anything asked, got or lost: it never ends",
                        "put a choice, a pick or a change before `again`",
                    );
                } else if !falls && !can_leave(body, 0) {
                    self.error(node.span.clone(), "no way leads out of this loop", "add a choice that leaves it");
                }
            }
            let mut bodies: Vec<&[Node]> = Vec::new();
            every_body(&node.kind, &mut |body| bodies.push(body));
            for body in bodies {
                self.loops_end(body);
            }
        }
    }
}
