//! Exact values, by the engine.
//!
//! The bounds of a search prove that most choices are worse than the best one. The remaining ones, whose bounds overlap
//! the best, form a small model with exact chances, which the engine solves. Leaving out what is worse changes no
//! value, so the model's value is the fight's.

use std::collections::BTreeMap;

use budget::{Budget, Stage, Stopped};
use mdp::{Built, Distribution, ModelBuilder, Rational, Solution, SolveOptions, StateId, exact_visit_probabilities};
use rustc_hash::FxHashMap;

use super::Search;
use super::induced_chain::{Chain, Ending, Step};
use super::payoff::Payoff;
use super::root::{Mix, Root};
use crate::graph::Edge;
use crate::graph::choice::SearchState;
use crate::numbers::chance::{Chance, greatest_common_divisor};
use crate::numbers::index::index;
use crate::numbers::rounding::down;

/// A state of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// A state in which the request begins.
    Begin(usize),
    /// Before the roll of the next moves.
    After(u32, i16),
    /// Before the draw.
    Before(SearchState),
    /// A decision.
    Point(u32, i16),
    /// The end.
    End(Ending),
}

/// The successors of a state: for each choice the chances of other states. An end has none.
type Follows = Vec<Vec<(Chance, u32)>>;

/// The states discovered so far.
#[derive(Default)]
struct Met {
    numbers: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    follows: Vec<Follows>,
}

impl Met {
    fn number(&mut self, node: Node) -> u32 {
        let next = index(self.nodes.len());
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }
}

/// Lower bounds of values.
struct LowerBounds<'l> {
    /// The values of the chain's states, by their numbers.
    least: &'l [f64],
    payoff: &'l Payoff,
}

impl LowerBounds<'_> {
    /// A lower bound of the value of a step.
    fn of(&self, step: &Step) -> f64 {
        let ends: f64 = step.ends.iter().map(|(chance, end)| chance * self.payoff.of_end(*end)).sum();
        let known = |to: u32| self.least.get(to as usize).copied().unwrap_or(0.0);
        let rest: f64 = step.to.iter().map(|(chance, to)| chance * known(*to)).sum();
        down(ends + rest, 2 * (step.ends.len() + step.to.len()))
    }
}

impl Search<'_, '_> {
    /// The model of all choices that could be best from these beginnings on, solved; `None` where the numbers are too
    /// large. With `everything`, of plays of equal value those are best that are best [by the second
    /// payoff](Payoff::second).
    pub(crate) fn exact_model(
        &mut self,
        begins: &[Mix],
        everything: bool,
        budget: &Budget<'_>,
    ) -> Result<Option<ExactModel>, Stopped> {
        let payoff = self.payoff.clone();
        let mut chain = Chain::default();
        for (_, root, health) in begins.iter().flatten() {
            if let Root::After(node) = root {
                self.number_rolls(*node, *health, &mut chain);
            }
        }
        // Choices that could be best lead to states that the best policy does not reach. Those have a lower bound only
        // once they have been followed, too.
        let met = loop {
            self.walk_all(&mut chain, budget)?;
            let least = chain.at_least(|end| payoff.of_end(end));
            let bounds = LowerBounds { least: &least, payoff: &payoff };
            if let Some(met) = self.collect(begins, &mut chain, &bounds, budget)? {
                break met;
            }
        };
        let Some(built) = built(&met, &payoff, everything, budget) else { return Ok(None) };
        ExactModel::solved(&met, &built, begins.len(), budget)
    }

    /// Numbers the states before the draw that follow an after node.
    fn number_rolls(&mut self, node: u32, health: i16, chain: &mut Chain) {
        let rolls: Vec<u32> = self.graph.rolls_of(node).unwrap_or_default().iter().map(|(_, to)| *to).collect();
        for before in rolls {
            chain.number((before, health));
        }
    }

    /// Collects all successors under the choices that could be best; `None` when some of them are not in the chain yet.
    fn collect(
        &mut self,
        begins: &[Mix],
        chain: &mut Chain,
        bounds: &LowerBounds<'_>,
        budget: &Budget<'_>,
    ) -> Result<Option<Met>, Stopped> {
        let mut met = Met::default();
        for begin in 0..begins.len() {
            met.number(Node::Begin(begin));
        }
        let mut next = 0;
        while let Some(node) = met.nodes.get(next).copied() {
            budget.step(Stage::Solving, u64::try_from(next).unwrap_or(0), 0)?;
            let follows = match node {
                Node::Begin(begin) => {
                    let to = |root: &Root, health| match *root {
                        Root::Point(point) => Node::Point(point, health),
                        Root::After(node) => Node::After(node, health),
                        Root::End(end) => Node::End(end),
                    };
                    vec![begins[begin].iter().map(|(chance, root, health)| (*chance, to(root, *health))).collect()]
                }
                Node::After(node, health) => {
                    self.solve(node, health, budget)?;
                    self.number_rolls(node, health, chain);
                    let span = self.graph.expand_after(node);
                    let rolls = self.graph.exact_outs(span);
                    vec![rolls.into_iter().map(|(chance, to)| (chance, Node::Before((to, health)))).collect()]
                }
                Node::Before(before) if chain.is_pending(before) => Vec::new(),
                Node::Before(before) => {
                    let draws = self.graph.expand_before(before.0);
                    let items = self.graph.exact_items(draws);
                    vec![items.into_iter().map(|(chance, point)| (chance, Node::Point(point, before.1))).collect()]
                }
                Node::Point(point, health) => self.candidates(point, health, chain, bounds, budget)?,
                Node::End(_) => Vec::new(),
            };
            let mut numbered = Vec::new();
            for items in follows {
                numbered.push(items.into_iter().map(|(chance, to)| (chance, met.number(to))).collect());
            }
            met.follows.push(numbered);
            next += 1;
        }
        Ok(chain.pending.is_empty().then_some(met))
    }

    /// The choices of a decision that could be best. Where lower bounds are missing, all that look so.
    fn candidates(
        &mut self,
        point: u32,
        health: i16,
        chain: &mut Chain,
        bounds: &LowerBounds<'_>,
        budget: &Budget<'_>,
    ) -> Result<Vec<Vec<(Chance, Node)>>, Stopped> {
        self.solve_point(point, health, budget)?;
        let mut step = Step::default();
        self.follow_step(1.0, point, health, chain, &mut step);
        let lower = bounds.of(&step);
        let node = self.graph.points[point as usize];
        let mut found = Vec::new();
        for index in node.edges.range() {
            let edge = self.graph.edges[index];
            let next = self.next(&edge, health);
            if let Node::After(node, left) = next {
                if self.edge_upper(&edge, health) < lower {
                    continue;
                }
                self.solve(node, left, budget)?;
            }
            if self.edge_upper(&edge, health) >= lower {
                found.push(vec![(Chance::ONE, next)]);
            }
        }
        for index in node.chances.range() {
            let span = self.graph.chances[index];
            if self.sum(span, health) < lower {
                continue;
            }
            let items = self.graph.exact_items(span);
            for (_, point) in &items {
                self.solve_point(*point, health, budget)?;
            }
            if self.sum(span, health) >= lower {
                found.push(items.into_iter().map(|(chance, point)| (chance, Node::Point(point, health))).collect());
            }
        }
        Ok(found)
    }

    /// The target of an edge with this health.
    fn next(&self, edge: &Edge, health: i16) -> Node {
        match (self.left(edge, health), edge.to.node()) {
            (None, _) => Node::End(Ending::DEAD),
            (Some(left), Err(spoils)) => Node::End(self.payoff.ending(left, spoils)),
            (Some(left), Ok(node)) => Node::After(node, left),
        }
    }
}

/// The model of the collected states; `None` where the numbers do not fit.
fn built(met: &Met, payoff: &Payoff, everything: bool, budget: &Budget<'_>) -> Option<Built> {
    let mut builder = ModelBuilder::new();
    let paid = |end: Option<Ending>| -> Option<Vec<Rational>> {
        let first = end.map_or(Some(Rational::ZERO), |end| payoff.exactly(end))?;
        let second = everything.then(|| end.map_or(Rational::ZERO, |end| payoff.second(end)));
        Some([first].into_iter().chain(second).collect())
    };
    for (node, follows) in met.nodes.iter().zip(&met.follows) {
        if let Node::End(end) = node {
            builder.finished(&paid(Some(*end))?).ok()?;
            continue;
        }
        if follows.is_empty() {
            builder.finished(&paid(None)?).ok()?;
            continue;
        }
        for items in follows {
            let (weights, targets) = weights(items)?;
            let weights = builder.weights(&weights).ok()?;
            builder.choice(weights, &targets).ok()?;
        }
        builder.finish_state().ok()?;
    }
    builder.build(Some(budget)).ok()
}

/// The choices that could be best from some beginnings on, as a model that is solved exactly.
pub(crate) struct ExactModel {
    solution: Solution,
    /// The states of the beginnings.
    begins: Vec<StateId>,
    /// The health at each end.
    ends: FxHashMap<StateId, i16>,
}

impl ExactModel {
    fn solved(met: &Met, built: &Built, begins: usize, budget: &Budget<'_>) -> Result<Option<Self>, Stopped> {
        let solution = match mdp::solve(&built.model, &SolveOptions::exact().with_budget(budget)) {
            Ok(solution) => solution,
            Err(error) => return error.stopped().map_or(Ok(None), |stopped| Err(*stopped)),
        };
        let numbered = || met.nodes.iter().zip(0..).map(|(node, own)| (node, built.number_of(own)));
        let ends = numbered().filter_map(|(node, state)| match node {
            Node::End(end) => Some((state, end.health)),
            _ => None,
        });
        let begins = numbered().take(begins).map(|(_, state)| state).collect();
        Ok(Some(Self { begins, ends: ends.collect(), solution }))
    }

    /// The state of a beginning.
    pub(crate) fn begin(&self, begin: usize) -> StateId {
        self.begins[begin]
    }

    /// The solution alone.
    pub(crate) fn into_solution(self) -> Solution {
        self.solution
    }

    /// The value of a beginning.
    pub(crate) fn value(&self, begin: usize) -> Option<Rational> {
        self.solution.value(self.begins[begin]).exact
    }

    /// The probability of each final health.
    pub(crate) fn final_health(
        &self,
        begin: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<BTreeMap<i16, Rational>>, Stopped> {
        let start = Distribution::certain(self.begins[begin]);
        let played = match exact_visit_probabilities(&self.solution, &start, Some(budget)) {
            Ok(played) => played,
            Err(error) => return error.stopped().map_or(Ok(None), |stopped| Err(*stopped)),
        };
        let mut healths = BTreeMap::new();
        for (state, probability) in played.finished() {
            let Some(probability) = probability.into_exact() else { return Ok(None) };
            *healths.entry(self.ends.get(&state).copied().unwrap_or(0)).or_default() += probability;
        }
        Ok(Some(healths))
    }
}

/// Chances as integers over a common denominator; equal targets are added up.
fn weights(items: &[(Chance, u32)]) -> Option<(Vec<u64>, Vec<StateId>)> {
    let mut common: u128 = 1;
    for (chance, _) in items {
        let (_, of) = chance.fraction();
        common = common.checked_mul(of / greatest_common_divisor(common, of))?;
    }
    let mut sums: FxHashMap<u32, u128> = FxHashMap::default();
    let mut targets = Vec::new();
    for (chance, to) in items {
        let (ways, of) = chance.fraction();
        let weight = ways.checked_mul(common / of)?;
        let sum = sums.entry(*to).or_insert_with(|| {
            targets.push(*to);
            0
        });
        *sum = sum.checked_add(weight)?;
    }
    let weights = targets.iter().map(|to| u64::try_from(sums[to]).ok()).collect::<Option<_>>()?;
    Some((weights, targets))
}
