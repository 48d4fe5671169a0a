//! The choices of a state.

use std::fmt::Write as _;

use budget::{Budget, Stage};
use dashu_base::Gcd;
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::space::Space;
use crate::error::Error;
use crate::language::Expr;
use crate::program::{Action, Command, Program, Rewards, Variable};

/// Probabilities whose sum misses 1 by at most one part in this are divided by their sum.
const ONE_PART_IN: u64 = 1_000_000_000;

/// A choice of a state.
pub struct Choice<'a> {
    /// Its name.
    pub name: Option<&'a str>,
    /// Its outcomes.
    pub outcomes: Outcomes,
    /// Its reward in each reward model, without that of its state.
    pub earns: Vec<RBig>,
}

/// The outcomes of a choice: states with their probabilities.
#[derive(Default)]
pub struct Outcomes {
    /// Each state once.
    pub targets: Vec<u32>,
    /// Their probabilities.
    pub probabilities: Vec<RBig>,
}

impl Outcomes {
    fn add(&mut self, target: u32, probability: RBig) {
        // Choices of models have a handful of targets.
        match self.targets.iter().position(|other| *other == target) {
            Some(place) => self.probabilities[place] += probability,
            None => {
                self.targets.push(target);
                self.probabilities.push(probability);
            }
        }
    }

    /// Integers proportional to the probabilities.
    pub fn weights(&self) -> Vec<UBig> {
        let mut denominator = UBig::ONE;
        for probability in &self.probabilities {
            let other = probability.denominator();
            denominator = &denominator / (&denominator).gcd(other) * other;
        }
        let weight = |probability: &RBig| {
            let (_, numerator) = probability.numerator().clone().into_parts();
            numerator * (&denominator / probability.denominator())
        };
        self.probabilities.iter().map(weight).collect()
    }
}

/// Computes the choices of states, and numbers their successors.
pub struct Expander<'a> {
    /// The model.
    pub program: &'a Program,
    /// The limits of the exploration.
    pub budget: &'a Budget<'a>,
    /// The states that have been discovered.
    pub space: Space,
    /// The number of commands whose probabilities were divided by their sum.
    pub normalised: u64,
}

impl<'a> Expander<'a> {
    /// No states yet.
    pub fn new(program: &'a Program, budget: &'a Budget<'a>) -> Self {
        Self { program, budget, space: Space::new(&program.variables), normalised: 0 }
    }

    /// The choices of a state.
    pub fn choices(&mut self, state: &[i64]) -> Result<Vec<Choice<'a>>, Error> {
        let program = self.program;
        let mut all = Vec::new();
        for (number, action) in program.actions.iter().enumerate() {
            let Some(enabled) = enabled(action, state)? else { continue };
            let mut chosen = vec![0; enabled.len()];
            loop {
                let commands: Vec<&Command> = enabled.iter().zip(&chosen).map(|(list, place)| list[*place]).collect();
                let outcomes = self.outcomes(&commands, state)?;
                let earns = earns(&program.rewards, number, state)?;
                all.push(Choice { name: action.name.as_deref(), outcomes, earns });
                // The next combination, the last module first.
                let Some(place) = (0..chosen.len()).rev().find(|place| chosen[*place] + 1 < enabled[*place].len())
                else {
                    break;
                };
                chosen[place] += 1;
                chosen[place + 1..].fill(0);
                self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
            }
        }
        if program.chain && all.len() > 1 {
            all = vec![together(all)];
        }
        Ok(all)
    }

    /// The outcomes of commands that happen together.
    fn outcomes(&mut self, commands: &[&Command], state: &[i64]) -> Result<Outcomes, Error> {
        let mut partial: Vec<(RBig, Vec<i64>)> = vec![(RBig::ONE, state.to_vec())];
        for command in commands {
            let probabilities = self.probabilities(command, state)?;
            let mut more = Vec::with_capacity(partial.len() * probabilities.len());
            for (before, next) in &partial {
                for (probability, update) in probabilities.iter().zip(&command.updates) {
                    self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
                    if probability.is_zero() {
                        continue;
                    }
                    let mut next = next.clone();
                    for (place, value) in &update.changes {
                        next[*place] = self.changed(&self.program.variables[*place], value, state)?;
                    }
                    more.push((before * probability, next));
                }
            }
            partial = more;
        }
        let mut outcomes = Outcomes::default();
        let mut packed = Vec::new();
        for (probability, next) in partial {
            self.space.pack(&next, &mut packed);
            let target = self.space.number(&packed, self.budget)?;
            outcomes.add(target, probability);
        }
        Ok(outcomes)
    }

    /// The probabilities of a command: not negative, and 1 in sum.
    fn probabilities(&mut self, command: &Command, state: &[i64]) -> Result<Vec<RBig>, Error> {
        let mut sum = RBig::ZERO;
        let mut probabilities = Vec::with_capacity(command.updates.len());
        for update in &command.updates {
            let probability = update.probability.number(state)?;
            if probability < RBig::ZERO {
                let problem = format!("a probability of {probability}{}", self.in_state(state));
                return Err(Error::new(update.probability.at, problem, "probabilities lie between 0 and 1"));
            }
            sum += &probability;
            probabilities.push(probability);
        }
        if sum == RBig::ONE {
            return Ok(probabilities);
        }
        let miss = if sum > RBig::ONE { &sum - RBig::ONE } else { RBig::ONE - &sum };
        if miss * RBig::from(ONE_PART_IN) > RBig::ONE {
            let problem = format!("the probabilities sum to {sum}{}", self.in_state(state));
            return Err(Error::new(command.at, problem, "they must sum to 1"));
        }
        self.normalised += 1;
        Ok(probabilities.into_iter().map(|probability| probability / &sum).collect())
    }

    /// The new value of a variable.
    fn changed(&self, variable: &Variable, value: &Expr, state: &[i64]) -> Result<i64, Error> {
        let new = if variable.truth { i64::from(value.truth(state)?) } else { value.int(state)? };
        if new < variable.low || new > variable.high {
            let problem = format!("`{}` becomes {new}{}", variable.name, self.in_state(state));
            let remedy = format!("its values go from {} to {}", variable.low, variable.high);
            return Err(Error::new(value.at, problem, remedy));
        }
        Ok(new)
    }

    /// ` where x = 1, y = false`
    fn in_state(&self, state: &[i64]) -> String {
        /// More would hide the error.
        const SHOWN: usize = 12;
        let mut text = String::new();
        for (variable, value) in self.program.variables.iter().zip(state).take(SHOWN) {
            let before = if text.is_empty() { " where " } else { ", " };
            // Writing to a string does not fail.
            let _ = if variable.truth {
                write!(text, "{before}{} = {}", variable.name, *value != 0)
            } else {
                write!(text, "{before}{} = {value}", variable.name)
            };
        }
        if state.len() > SHOWN {
            text.push_str(", ...");
        }
        text
    }
}

/// The one choice of a Markov chain: each of these is equally likely.
fn together(all: Vec<Choice<'_>>) -> Choice<'_> {
    let count = RBig::from(all.len());
    let mut outcomes = Outcomes::default();
    let mut earned: Vec<RBig> = Vec::new();
    for Choice { outcomes: own, earns, .. } in all {
        for (target, probability) in own.targets.into_iter().zip(own.probabilities) {
            outcomes.add(target, probability / &count);
        }
        earned.resize(earns.len(), RBig::ZERO);
        for (sum, reward) in earned.iter_mut().zip(earns) {
            *sum += reward / &count;
        }
    }
    Choice { name: None, outcomes, earns: earned }
}

/// For every module of an action its enabled commands; `None` when a module has none.
fn enabled<'a>(action: &'a Action, state: &[i64]) -> Result<Option<Vec<Vec<&'a Command>>>, Error> {
    let mut enabled = Vec::with_capacity(action.modules.len());
    for commands in &action.modules {
        let mut list = Vec::new();
        for command in commands {
            if command.guard.truth(state)? {
                list.push(command);
            }
        }
        if list.is_empty() {
            return Ok(None);
        }
        enabled.push(list);
    }
    Ok(Some(enabled))
}

/// The reward of a state in a reward model.
pub fn of_state(rewards: &Rewards, state: &[i64]) -> Result<RBig, Error> {
    let mut sum = RBig::ZERO;
    for (guard, value) in &rewards.of_states {
        if guard.truth(state)? {
            sum += value.number(state)?;
        }
    }
    Ok(sum)
}

/// The reward of a choice of an action in each reward model.
fn earns(rewards: &[Rewards], action: usize, state: &[i64]) -> Result<Vec<RBig>, Error> {
    let earned = |rewards: &Rewards| {
        let mut sum = RBig::ZERO;
        for (_, guard, value) in rewards.of_actions.iter().filter(|(place, ..)| *place == action) {
            if guard.truth(state)? {
                sum += value.number(state)?;
            }
        }
        Ok(sum)
    };
    rewards.iter().map(earned).collect()
}
