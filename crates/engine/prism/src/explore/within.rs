//! The states that can be reached before bounds on rewards are exceeded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::Stage;
use dashu_ratio::RBig;

use super::choices::{Expander, of_state};
use super::space::Space;
use crate::error::Error;
use crate::program::Program;

/// The states from which play may go on if they are reached as cheaply as possible.
pub struct Within {
    space: Space,
    goes_on: Vec<bool>,
}

impl Within {
    /// Whether play may go on in a state.
    pub fn goes_on(&self, words: &[u64]) -> bool {
        self.space.find(words).is_some_and(|state| self.goes_on[state as usize])
    }

    /// Searches for the states from those that `expander` has numbered so far. `None` if nothing is bounded, or some
    /// reward is negative, so that a longer path can be cheaper.
    pub fn new(mut expander: Expander<'_>) -> Result<Option<Self>, Error> {
        /// Bytes of a state in addition to its variables, at most, while its rewards are small.
        const BYTES: u64 = 256;
        let (program, budget) = (expander.program, expander.budget);
        let bounds = Bounds::new(program);
        if bounds.of_rewards.is_empty() {
            return Ok(None);
        }
        let all = RBig::from(bounds.count());
        // The least cost of a path to each state, as shares of the bounds.
        let mut least = vec![Some(RBig::ZERO); expander.space.len() as usize];
        let mut goes_on = vec![false; expander.space.len() as usize];
        let mut waiting: BinaryHeap<_> = (0..expander.space.len()).map(|state| Reverse((RBig::ZERO, state))).collect();
        let mut values = Vec::new();
        while let Some(Reverse((used, state))) = waiting.pop() {
            budget.step(Stage::Exploring, expander.space.len().into(), waiting.len() as u64)?;
            budget.memory(BYTES * u64::from(expander.space.len()))?;
            if goes_on[state as usize] || used > all {
                continue;
            }
            expander.space.unpack(state, &mut values);
            if program.over.as_ref().map_or(Ok(false), |over| over.truth(&values))? {
                continue;
            }
            goes_on[state as usize] = true;
            let here = bounds.of_state(program, &values)?;
            let choices = expander.choices(&values)?;
            least.resize(expander.space.len() as usize, None);
            goes_on.resize(expander.space.len() as usize, false);
            for choice in choices {
                let earns = here.iter().zip(&bounds.of_rewards).map(|(here, bound)| here + &choice.earns[bound.place]);
                let earns: Vec<RBig> = earns.collect();
                if earns.iter().any(|earned| *earned < RBig::ZERO) {
                    return Ok(None);
                }
                let Some(more) = bounds.shares(&earns) else { continue };
                let after = &used + more;
                for target in choice.outcomes.targets {
                    let known = &mut least[target as usize];
                    if known.as_ref().is_none_or(|known| after < *known) {
                        *known = Some(after.clone());
                        waiting.push(Reverse((after.clone(), target)));
                    }
                }
            }
        }
        Ok(Some(Self { space: expander.space, goes_on }))
    }
}

/// A bound on a reward model.
struct Bound<'a> {
    place: usize,
    most: &'a RBig,
}

/// All bounds. Where each of them holds, the sum of the used shares is at most the number of bounds.
struct Bounds<'a> {
    of_rewards: Vec<Bound<'a>>,
    steps: Option<u64>,
}

impl<'a> Bounds<'a> {
    fn new(program: &'a Program) -> Self {
        let place = |name: &str| program.rewards.iter().position(|rewards| rewards.name == name);
        let bounds = program.bounds.iter().filter_map(|(name, most)| Some(Bound { place: place(name)?, most }));
        Self { of_rewards: bounds.collect(), steps: program.steps.filter(|steps| *steps > 0) }
    }

    fn count(&self) -> usize {
        self.of_rewards.len() + usize::from(self.steps.is_some())
    }

    /// The reward of a state in each bounded reward model.
    fn of_state(&self, program: &Program, values: &[i64]) -> Result<Vec<RBig>, Error> {
        self.of_rewards.iter().map(|bound| of_state(&program.rewards[bound.place], values)).collect()
    }

    /// The sum of the shares of the bounds that a choice uses; `None` if it exceeds one of them.
    fn shares(&self, earns: &[RBig]) -> Option<RBig> {
        let mut sum = self.steps.map_or(RBig::ZERO, |steps| RBig::ONE / RBig::from(steps));
        for (earned, Bound { most, .. }) in earns.iter().zip(&self.of_rewards) {
            if earned > most {
                return None;
            }
            // A bound of zero has no share to use.
            if !most.is_zero() {
                sum += earned / *most;
            }
        }
        Some(sum)
    }
}
