//! The states that can be reached before bounds on rewards are used up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::Stage;
use dashu_ratio::RBig;

use super::choices::{Teller, of_state};
use super::space::Space;
use crate::error::Error;
use crate::program::Program;

/// The states from which play may still go on when they are reached as cheaply as possible.
pub struct Within {
    space: Space,
    goes_on: Vec<bool>,
}

impl Within {
    /// Whether play may go on in a state.
    pub fn goes_on(&self, words: &[u64]) -> bool {
        self.space.find(words).is_some_and(|state| self.goes_on[state as usize])
    }

    /// Looks for the states from those that `teller` has numbered so far. None: nothing is bounded, or some reward is
    /// negative, so that a longer way can be cheaper.
    pub fn new(mut teller: Teller<'_>) -> Result<Option<Self>, Error> {
        /// What a state takes beside its variables, at most, while its rewards are small.
        const BYTES: u64 = 256;
        let (program, budget) = (teller.program, teller.budget);
        let bounds = Bounds::new(program);
        if bounds.of_rewards.is_empty() {
            return Ok(None);
        }
        let all = RBig::from(bounds.count());
        // The least that has been used up on a way to each state, as shares of the bounds.
        let mut least = vec![Some(RBig::ZERO); teller.space.len() as usize];
        let mut goes_on = vec![false; teller.space.len() as usize];
        let mut waiting: BinaryHeap<_> = (0..teller.space.len()).map(|state| Reverse((RBig::ZERO, state))).collect();
        let mut values = Vec::new();
        while let Some(Reverse((used, state))) = waiting.pop() {
            budget.step(Stage::Exploring, teller.space.len().into(), waiting.len() as u64)?;
            budget.memory(BYTES * u64::from(teller.space.len()))?;
            if goes_on[state as usize] || used > all {
                continue;
            }
            teller.space.unpack(state, &mut values);
            if program.over.as_ref().map_or(Ok(false), |over| over.truth(&values))? {
                continue;
            }
            goes_on[state as usize] = true;
            let here = bounds.of_state(program, &values)?;
            let choices = teller.choices(&values)?;
            least.resize(teller.space.len() as usize, None);
            goes_on.resize(teller.space.len() as usize, false);
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
        Ok(Some(Self { space: teller.space, goes_on }))
    }
}

/// A bound on a reward model.
struct Bound<'a> {
    place: usize,
    most: &'a RBig,
}

/// All bounds. Where each of them holds, the shares that are used up of them are no more in sum than there are bounds.
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

    /// What a state earns in each bounded reward model.
    fn of_state(&self, program: &Program, values: &[i64]) -> Result<Vec<RBig>, Error> {
        self.of_rewards.iter().map(|bound| of_state(&program.rewards[bound.place], values)).collect()
    }

    /// The shares of the bounds that a choice uses up, in sum; none where it is more than one of them is.
    fn shares(&self, earns: &[RBig]) -> Option<RBig> {
        let mut sum = self.steps.map_or(RBig::ZERO, |steps| RBig::ONE / RBig::from(steps));
        for (earned, Bound { most, .. }) in earns.iter().zip(&self.of_rewards) {
            if earned > most {
                return None;
            }
            // Where nothing may be earned, nothing is.
            if !most.is_zero() {
                sum += earned / *most;
            }
        }
        Some(sum)
    }
}
