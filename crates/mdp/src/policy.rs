//! One choice for every state.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::best::ChoiceSets;
use crate::model::{Model, StateId};

/// One choice for every state.
///
/// The policy of a solution follows one rule. **Outside of cyclic parts**: of the best choices the
/// lowest. **Inside**: of the best choices the lowest that can lead to a state nearer to the way
/// out, where the distance counts best choices that must be taken, if chance is kind. A state from
/// which no best choice leads out (going round for ever is best there) takes its lowest best
/// choice. Such a policy attains the value: it does not go round for ever where that is worth less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    choices: Vec<u32>,
}

/// The state is finished.
const NOTHING: u32 = u32::MAX;

impl Policy {
    /// A policy from a function that is asked for every unfinished state; nothing when it names a
    /// choice that its state does not have.
    pub fn new(model: &Model, mut choice: impl FnMut(StateId) -> u32) -> Option<Self> {
        let choices = (0..model.states()).map(|state| match model.choices(state).count() {
            0 => Some(NOTHING),
            known => Some(choice(state)).filter(|choice| (*choice as usize) < known),
        });
        Some(Self { choices: choices.collect::<Option<_>>()? })
    }

    /// What the policy takes in a state; `None` when it is finished.
    #[inline]
    pub fn choice(&self, state: StateId) -> Option<u32> {
        let choice = self.choices[state as usize];
        (choice != NOTHING).then_some(choice)
    }

    /// Whether every unfinished state has one of its choices, and no finished state any.
    pub(crate) fn check(&self, model: &Model) -> Result<(), &'static str> {
        let fits = |state: StateId| match (self.choices[state as usize], model.choices(state).count()) {
            (NOTHING, choices) => choices == 0,
            (choice, choices) => (choice as usize) < choices,
        };
        if self.choices.len() == model.states() as usize && (0..model.states()).all(fits) {
            Ok(())
        } else {
            Err("a policy with a choice that is not there")
        }
    }

    /// For every state the set of its one choice.
    pub(crate) fn as_sets(&self, model: &Model) -> ChoiceSets {
        let mut sets = ChoiceSets { masks: vec![0; model.states() as usize], ..ChoiceSets::default() };
        for state in 0..model.states() {
            if let Some(choice) = self.choice(state) {
                sets.set(state, &[choice]);
            }
        }
        sets
    }

    /// The policy among these best choices that the rule names.
    pub(crate) fn of(model: &Model, best: &ChoiceSets) -> Self {
        let mut policy =
            Self { choices: (0..model.states()).map(|state| best.first(state).unwrap_or(NOTHING)).collect() };
        for part in model.cyclic_parts() {
            let inside = |state: StateId| part.contains(&state);
            let at = |state: StateId| (state - part.start) as usize;
            // Breadth first, backwards from the states that can leave at once.
            let mut before: Vec<Vec<StateId>> = vec![Vec::new(); part.len()];
            let mut distance = vec![u32::MAX; part.len()];
            let mut queue = VecDeque::new();
            let best_choices = |state: StateId| {
                (0..).zip(model.choices(state)).filter(move |(number, _)| best.contains(state, *number))
            };
            for state in part.clone() {
                for (_, choice) in best_choices(state) {
                    for target in choice.targets {
                        if inside(*target) {
                            before[at(*target)].push(state);
                        } else if distance[at(state)] == u32::MAX {
                            distance[at(state)] = 0;
                            queue.push_back(state);
                        }
                    }
                }
            }
            while let Some(state) = queue.pop_front() {
                for earlier in &before[at(state)] {
                    if distance[at(*earlier)] == u32::MAX {
                        distance[at(*earlier)] = distance[at(state)] + 1;
                        queue.push_back(*earlier);
                    }
                }
            }
            for state in part.clone().filter(|state| distance[at(*state)] != u32::MAX) {
                let own = distance[at(state)];
                let nearer = |target: &StateId| if inside(*target) { distance[at(*target)] < own } else { own == 0 };
                let leads = best_choices(state).find(|(_, choice)| choice.targets.iter().any(nearer));
                if let Some((number, _)) = leads {
                    policy.choices[state as usize] = number;
                }
            }
        }
        policy
    }
}
