//! Names that may be unbound where they are used.

use super::numbers::local_of;
use super::problem::Problem;
use super::reader::Reader;
use crate::book::{Case, Condition, Fight, LocalId, Node, NodeKind, Number, Section};

/// The names that are surely bound, one bit each.
type Bound = u64;

impl Reader<'_> {
    /// Reports names of a section that are not bound on every way to a use.
    pub(super) fn unbound(&mut self, section: &Section) {
        let mut search = Search { names: &section.locals, problems: Vec::new(), span: 0..0 };
        search.block(&section.body, 0);
        for problem in search.problems {
            self.problems.push(problem);
        }
    }
}

struct Search<'s> {
    names: &'s [String],
    problems: Vec<Problem>,
    /// The span of the current node.
    span: std::ops::Range<usize>,
}

fn bit(local: LocalId) -> Bound {
    1u64.checked_shl(u32::try_from(local).unwrap_or(u32::MAX)).unwrap_or(0)
}

/// The names bound on all ways; `None` if no way goes on.
fn join(ways: impl IntoIterator<Item = Option<Bound>>) -> Option<Bound> {
    ways.into_iter().flatten().reduce(|all, own| all & own)
}

impl Search<'_> {
    fn number(&mut self, number: &Number, bound: Bound) {
        let mut asked = Vec::new();
        number.visit(&mut |number| asked.extend(local_of(number)));
        self.asked(asked, bound);
    }

    fn condition(&mut self, condition: &Condition, bound: Bound) {
        let mut asked = Vec::new();
        condition.visit_numbers(&mut |number| asked.extend(local_of(number)));
        self.asked(asked, bound);
    }

    fn asked(&mut self, asked: Vec<LocalId>, bound: Bound) {
        for local in asked {
            if bound & bit(local) == 0 {
                let name = self.names.get(local).map_or("", String::as_str);
                let problem = Problem::error(self.span.clone(), format!("`{name}` may have no number here"));
                let problem =
                    problem.help("a `pick as=` or a choice with `each=` must bind it on every way that leads here");
                if self.problems.last() != Some(&problem) {
                    self.problems.push(problem);
                }
            }
        }
    }

    fn block(&mut self, nodes: &[Node], mut bound: Bound) -> Option<Bound> {
        for node in nodes {
            self.span = node.span.clone();
            bound = self.node(node, bound)?;
        }
        Some(bound)
    }

    /// The names bound after a node; `None` if nothing after it is reached.
    fn node(&mut self, node: &Node, bound: Bound) -> Option<Bound> {
        match &node.kind {
            NodeKind::Endurance(number)
            | NodeKind::Counter(_, number)
            | NodeKind::Gain(_, number)
            | NodeKind::Lose(_, Some(number)) => self.number(number, bound),
            NodeKind::Take { lines, .. } => lines.iter().for_each(|(_, number)| self.number(number, bound)),
            NodeKind::Goto(_) | NodeKind::Death(_) | NodeKind::Victory | NodeKind::Again(_) => return None,
            NodeKind::If(branches, otherwise) => {
                let mut ways = Vec::with_capacity(branches.len() + 1);
                for (condition, body, _) in branches {
                    self.condition(condition, bound);
                    ways.push(self.block(body, bound));
                }
                ways.push(self.block(otherwise, bound));
                return join(ways);
            }
            NodeKind::Choices(choices) => {
                let mut ways = Vec::with_capacity(choices.len());
                for choice in choices {
                    self.span = choice.span.clone();
                    let mut own = bound;
                    if let Some((local, from, to)) = &choice.each {
                        self.number(from, bound);
                        self.number(to, bound);
                        own |= bit(*local);
                    }
                    self.condition(&choice.require, own);
                    ways.push(self.block(&choice.body, own));
                }
                return join(ways);
            }
            NodeKind::Pick(pick) => {
                for (number, condition) in &pick.plus {
                    self.number(number, bound);
                    self.condition(condition, bound);
                }
                let own = pick.sums.iter().filter_map(|(local, _)| *local).fold(bound, |own, local| own | bit(local));
                if pick.cases.is_empty() {
                    return Some(own);
                }
                let mut ways = Vec::with_capacity(pick.cases.len());
                for (case, body, span) in &pick.cases {
                    if let Case::When(condition) = case {
                        self.span = span.clone();
                        self.condition(condition, own);
                    }
                    ways.push(self.block(body, own));
                }
                return join(ways);
            }
            NodeKind::Repeat(body) => return self.block(body, bound),
            NodeKind::Fight(fight) => {
                let mut ways = vec![Some(bound)];
                self.bonuses(fight, bound);
                ways.extend(fight.bodies().map(|body| self.block(body, bound)));
                return join(ways);
            }
            NodeKind::OneRound { fight, worse, equal, better } => {
                self.bonuses(fight, bound);
                return join([worse, equal, better].map(|body| self.block(body, bound)));
            }
            // A system of rules scopes its names by blocks.
            NodeKind::Rule(_)
            | NodeKind::Lose(_, None)
            | NodeKind::Restore { .. }
            | NodeKind::LoseAll { .. }
            | NodeKind::GiveUp { .. }
            | NodeKind::Flag(..)
            | NodeKind::Eat { .. }
            | NodeKind::Shop(_) => {}
        }
        Some(bound)
    }

    fn bonuses(&mut self, fight: &Fight, bound: Bound) {
        for (_, _, condition) in &fight.bonuses {
            self.condition(condition, bound);
        }
    }
}
