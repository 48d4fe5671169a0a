//! The best choice of a decision, by the values known so far.

use super::Search;
use super::cycles::looks_best;
use crate::graph::Span;
use crate::graph::choice::Choice;
use crate::numbers::rounding::up;

/// Up to this many choices are evaluated each time.
const FEW: usize = 4;

impl Search<'_, '_> {
    /// The best choice of a decision and an upper bound of its value. Values of followed positions are updated on the
    /// way.
    pub(super) fn best(&mut self, point: u32, health: i16) -> (f64, Option<Choice>) {
        if let Some(found) = self.memo.get(point) {
            return found;
        }
        let found = self.best_now(point, health);
        self.memo.set(point, found);
        found
    }

    fn best_now(&mut self, point: u32, health: i16) -> (f64, Option<Choice>) {
        let node = self.graph.points[point as usize];
        let many = node.edges.range().len() + node.chances.range().len() > FEW;
        if many && let Some((value, choice)) = self.still_best(point, health) {
            return (value, Some(choice));
        }
        let found = self.find_best(point, health);
        if many && let (value, Some(choice)) = found {
            self.best_known.insert((point, health), (value, choice));
        }
        found
    }

    /// The best choice that was found before, if its value has not changed: the values of the others have not risen.
    fn still_best(&mut self, point: u32, health: i16) -> Option<(f64, Choice)> {
        if !self.forced.is_empty() && self.forced.contains_key(&(point, health)) {
            return None;
        }
        let (value, choice) = *self.best_known.get(&(point, health))?;
        let now = self.choice_upper(choice, health);
        (now >= value).then_some((value, choice))
    }

    fn find_best(&mut self, point: u32, health: i16) -> (f64, Option<Choice>) {
        loop {
            let (value, choice) = self.look(point, health);
            let Some(Choice::Edge(index)) = choice else { return (value, choice) };
            let edge = self.graph.edges[index];
            let (Ok(node), Some(left)) = (edge.to.node(), self.left(&edge, health)) else { return (value, choice) };
            if !self.tighten(node, left) {
                return (value, choice);
            }
        }
    }

    fn look(&mut self, point: u32, health: i16) -> (f64, Option<Choice>) {
        let node = self.graph.points[point as usize];
        let (mut best, mut choice) = (f64::NEG_INFINITY, None);
        for own in node.choices() {
            let value = self.choice_upper(own, health);
            if value > best {
                (best, choice) = (value, Some(own));
            }
        }
        (best, self.forced_choice(point, health, best).or(choice))
    }

    /// The choice that is to lead out of a set, while its value equals that of the best one: when it turns out to be
    /// worse, the set must be examined again.
    fn forced_choice(&mut self, point: u32, health: i16, best: f64) -> Option<Choice> {
        if self.forced.is_empty() {
            return None;
        }
        let choice = self.forced.get(&(point, health)).copied()?;
        let value = self.choice_upper(choice, health);
        looks_best(value, best).then_some(choice)
    }

    /// An upper bound of the value of a choice, with this health.
    pub(super) fn choice_upper(&mut self, choice: Choice, health: i16) -> f64 {
        match choice {
            Choice::Edge(index) => self.edge_upper(&self.graph.edges[index], health),
            Choice::Chance(index) => self.sum(self.graph.chances[index], health),
        }
    }

    /// The value of draws: decisions with their chances.
    pub(crate) fn sum(&mut self, items: Span, health: i16) -> f64 {
        let mut sum = 0.0;
        for index in items.range() {
            let (chance, point) = self.graph.items[index];
            sum += chance * self.best(point, health).0;
        }
        up(sum, items.range().len())
    }

    /// Updates an after node. Returns whether its value has fallen.
    pub(crate) fn refresh(&mut self, node: u32, health: i16) -> bool {
        let value = self.rolled(node, health);
        let better = value < self.after_value(node, health);
        if better {
            self.after.at(node, health).upper = value;
        }
        better
    }

    pub(super) fn rolled(&self, node: u32, health: i16) -> f64 {
        let Some(rolls) = self.graph.rolls_of(node) else { return f64::INFINITY };
        let sum: f64 = rolls.iter().map(|(chance, before)| chance * self.upper((*before, health))).sum();
        up(sum, rolls.len())
    }
}
