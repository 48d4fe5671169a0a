//! The value of a policy from a state on, with bounds.

use super::Search;
use super::induced_chain::{Chain, Ending, Step};
use super::payoff::{Objective, Payoff};
use crate::answers::worth::{Interval, Worth};
use crate::data::relic::Relic;
use crate::numbers::rounding::{down, up};
use crate::rules::spoils::Spoils;

/// A policy with the expectations of each of its states.
pub(crate) struct EvaluatedPolicy<'s> {
    chain: &'s Chain,
    objective: Objective,
    most: i16,
    /// Lower bounds: of the chance to survive, that to die, the final health, the shortfall from the maximum, the
    /// value.
    alive: Vec<f64>,
    dead: Vec<f64>,
    health: Vec<f64>,
    lacking: Vec<f64>,
    worth: Vec<f64>,
    /// Upper bounds.
    loss: Option<Vec<f64>>,
    payoff: &'s Payoff,
    /// By how much the health can rise before the end of the fight, if that has a limit.
    rises: Option<i16>,
}

impl<'s> EvaluatedPolicy<'s> {
    pub(crate) fn new(search: &'s Search<'_, '_>, chain: &'s Chain, objective: Objective) -> Self {
        let payoff = &search.payoff;
        let rules = search.graph.transitions.rules;
        let most = rules.most_health();
        // A Blood Vial heals before the first turn.
        let rises = (!rules.can_heal()).then(|| if rules.has(Relic::BloodVial) { 2 } else { 0 });
        Self {
            chain,
            objective,
            most,
            alive: chain.at_least(alive),
            dead: chain.at_least(|end| 1.0 - alive(end)),
            health: chain.at_least(|end| f64::from(end.health)),
            lacking: chain.at_least(|end| f64::from(most - end.health)),
            worth: chain.at_least(|end| payoff.of_end(end)),
            loss: if payoff.is_cost() { chain.loss_at_most(|end| payoff.cost_of_end(end)) } else { None },
            payoff,
            rises,
        }
    }

    /// The most health that the fight can end with for a player who has this much.
    fn possible(&self, health: i16) -> i16 {
        let Some(rises) = self.rises else { return self.most };
        let left = 1..=health.saturating_add(rises).min(self.most);
        left.map(|left| self.payoff.ending(left, Spoils { potions: 0, gained: 0 }).health).max().unwrap_or(0)
    }

    /// The value before a step, given an upper bound of the step.
    pub(crate) fn worth(&self, step: &Step, upper: f64, health: i16) -> Worth {
        let (most, objective) = (f64::from(self.most), self.objective);
        let least = |values: &[f64], worth: &dyn Fn(Ending) -> f64| {
            let ends: f64 = step.ends.iter().map(|(chance, end)| chance * worth(*end)).sum();
            let rest: f64 = step.to.iter().map(|(chance, to)| chance * values[*to as usize]).sum();
            down(ends + rest, 2 * (step.ends.len() + step.to.len()))
        };
        let masses = self.chain.masses(&step.to);
        let turns = masses.iter().sum();
        let lost = self.loss.as_ref().map(|values| {
            let sum: f64 = step.to.iter().map(|(chance, to)| chance * values[*to as usize]).sum();
            step.lost(|end| self.payoff.cost_of_end(end), sum)
        });
        let cost = Interval { lower: (-upper).max(0.0), upper: lost.unwrap_or(f64::INFINITY) };
        if self.objective == Objective::Loss {
            let survival = Interval { lower: 1.0, upper: 1.0 };
            return Worth { survival, turns, ..Worth::between(cost, health, objective) };
        }
        let survival = Interval {
            lower: least(&self.alive, &alive),
            upper: up(1.0 - least(&self.dead, &|end| 1.0 - alive(end)), 1).min(1.0),
        };
        let lacking = least(&self.lacking, &|end| f64::from(self.most - end.health));
        let expected_health =
            Interval { lower: least(&self.health, &|end| f64::from(end.health)), upper: up(most - lacking, 1) };
        let lower = least(&self.worth, &|end| self.payoff.of_end(end));
        let value = match self.objective {
            Objective::Survival | Objective::AtLeast(_) => Interval { lower, upper }.within(0.0, 1.0),
            Objective::Health => Interval { lower, upper }.within(0.0, most),
            Objective::Turns => cost,
            _ => Interval { lower, upper },
        };
        // The value by the objective is at least the bound of this play.
        let possible = f64::from(self.possible(health));
        let most = if self.objective == Objective::Health { most.min(upper) } else { possible };
        let expected_health = Some(expected_health.within(0.0, most));
        let final_health = self.final_health(step, &masses);
        Worth { expected_health, survival, final_health, turns, ..Worth::between(value, health, objective) }
    }

    /// The probability of each final health.
    fn final_health(&self, step: &Step, masses: &[f64]) -> Vec<(i16, Interval)> {
        let mut found: std::collections::BTreeMap<i16, f64> = std::collections::BTreeMap::new();
        let steps = self.chain.steps.iter().zip(masses.iter().copied()).chain([(step, 1.0)]);
        for (step, mass) in steps.filter(|(_, mass)| *mass > 0.0) {
            for (chance, end) in &step.ends {
                *found.entry(end.health).or_default() += chance * mass;
            }
        }
        let terms = self.chain.steps.len();
        let least: Vec<(i16, f64)> = found.into_iter().map(|(health, sum)| (health, down(sum, terms))).collect();
        // Any of them could have the probability that is not accounted for.
        let rest = up((1.0 - least.iter().map(|(_, sum)| sum).sum::<f64>()).max(0.0), terms);
        least.into_iter().map(|(health, lower)| (health, Interval { lower, upper: (lower + rest).min(1.0) })).collect()
    }
}

fn alive(end: Ending) -> f64 {
    f64::from(u8::from(end.health > 0))
}
