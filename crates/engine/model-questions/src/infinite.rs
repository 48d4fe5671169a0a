//! States whose expected reward is infinite, and the choices that make it so.

use std::collections::BTreeMap;

use budget::Stopped;
use mdp::{Sense, Standing};
use model_files::{ExplicitModel, StateSet};

use crate::graph::{Graph, NONE};

/// The states from which the expected reward is infinite.
#[derive(Debug)]
pub(crate) struct Infinite {
    states: StateSet,
    /// For the maximum: the number of choices from each state to those where the goal can be missed with certainty,
    /// along the most favourable outcomes. `None` for the minimum, where every policy misses the goal with positive
    /// probability.
    away: Option<Vec<u32>>,
}

impl Infinite {
    /// The states from which some policy (for the maximum) or every policy (for the minimum) misses the goal with positive
    /// probability.
    pub(crate) fn new(graph: &Graph<'_>, states: u32, sense: Sense) -> Result<Self, Stopped> {
        Ok(match sense {
            Sense::Max => {
                let ranks = graph.unavoidable()?;
                let away = graph.distances(|state| ranks[state as usize] == NONE, |_| true)?.ranks;
                Self { states: StateSet::from_fn(states, |state| away[state as usize] != NONE), away: Some(away) }
            }
            Sense::Min => {
                let stages = graph.stages()?;
                Self { states: StateSet::from_fn(states, |state| stages[state as usize] != 0), away: None }
            }
        })
    }

    pub(crate) fn states(&self) -> &StateSet {
        &self.states
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.states.bytes() + self.away.as_ref().map_or(0, |away| away.capacity() as u64 * 4)
    }

    pub(crate) fn contains(&self, state: u32) -> bool {
        self.states.contains(state)
    }

    /// The choice (by its number in the model) to follow in one of these states, there and everywhere afterwards: then
    /// the goal is missed with positive probability. `None` where there is no choice.
    pub(crate) fn witness(&self, model: &ExplicitModel, state: u32) -> Option<u32> {
        let Some(away) = &self.away else { return model.choices(state).next() };
        let own = away[state as usize];
        let leads = |choice: &u32| {
            let mut targets = model.outcomes(*choice).0.iter().map(|target| away[*target as usize]);
            if own == 0 { targets.all(|away| away == 0) } else { targets.any(|away| away < own) }
        };
        model.choices(state).find(leads)
    }

    /// How the choices of one of these states compare: whether the total is infinite if they are always taken here and
    /// the witnesses elsewhere.
    pub(crate) fn standings(&self, model: &ExplicitModel, state: u32) -> Vec<(u32, Standing)> {
        let witness = self.witness(model, state);
        let standing = |choice: u32| {
            if Some(choice) == witness {
                Standing::First
            } else if !model.outcomes(choice).0.iter().any(|target| self.contains(*target)) {
                Standing::Worse
            } else if self.away.is_none() || self.misses(model, state, choice) {
                Standing::Equal
            } else {
                Standing::LeadsBack
            }
        };
        model.choices(state).map(|choice| (choice, standing(choice))).collect()
    }

    /// Whether the goal is missed with positive probability from a state in which a choice is always taken, and the
    /// witnesses elsewhere. For the maximum: where no other policy misses it, the goal is reached with certainty.
    fn misses(&self, model: &ExplicitModel, state: u32, choice: u32) -> bool {
        let taken = |own: u32| if own == state { Some(choice) } else { self.witness(model, own) };
        let leads = |own: u32| taken(own).map_or(&[][..], |choice| model.outcomes(choice).0);
        // The predecessors of the states that play can reach.
        let mut before: BTreeMap<u32, Vec<u32>> = BTreeMap::from([(state, Vec::new())]);
        let (mut open, mut escaping) = (vec![state], Vec::new());
        while let Some(own) = open.pop() {
            for target in leads(own) {
                if !self.contains(*target) {
                    escaping.push(own);
                    continue;
                }
                before.entry(*target).or_insert_with(|| {
                    open.push(*target);
                    Vec::new()
                });
                before.entry(*target).or_default().push(own);
            }
        }
        // A state that can reach states from which the goal is certain eventually does.
        while let Some(own) = escaping.pop() {
            escaping.extend(before.remove(&own).into_iter().flatten());
        }
        !before.is_empty()
    }
}
