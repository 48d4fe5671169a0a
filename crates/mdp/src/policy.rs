//! One choice for every state.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::best::ChoiceSets;
use crate::model::{Model, StateId};

/// One choice for every state of a model, which it holds.
///
/// The policy of a solution follows one rule. **Outside of cyclic parts**: of the best choices the
/// lowest. **Inside**: of the best choices the lowest that can lead to a state nearer to the way
/// out, where the distance counts best choices that must be taken, if chance is kind. A state from
/// which no best choice leads out (going round for ever is best there) takes its lowest best
/// choice. Such a policy attains the value: it does not go round for ever where that is worth less.
#[derive(Clone, Debug)]
pub struct Policy {
    model: Arc<Model>,
    choices: Vec<u32>,
}

/// The state is finished.
const NOTHING: u32 = u32::MAX;

impl Policy {
    /// A policy from a function that is asked for every unfinished state; nothing when it names a
    /// choice that its state does not have.
    pub fn new(model: &Arc<Model>, mut choice: impl FnMut(StateId) -> u32) -> Option<Self> {
        let choices = (0..model.states()).map(|state| match model.choices(state).count() {
            0 => Some(NOTHING),
            known => Some(choice(state)).filter(|choice| (*choice as usize) < known),
        });
        Some(Self { model: model.clone(), choices: choices.collect::<Option<_>>()? })
    }

    /// The model that it is a policy of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// What the policy takes in a state; `None` when it is finished.
    #[inline]
    pub fn choice(&self, state: StateId) -> Option<u32> {
        let choice = self.choices[state as usize];
        (choice != NOTHING).then_some(choice)
    }

    /// The choices of all states as a file holds them.
    pub(crate) fn choices(&self) -> &[u32] {
        &self.choices
    }

    /// A policy from what a file holds, if every unfinished state has one of its choices, and no finished state any.
    pub(crate) fn from_choices(model: Arc<Model>, choices: Vec<u32>) -> Result<Self, &'static str> {
        let fits = |state: StateId| match (choices[state as usize], model.choices(state).count()) {
            (NOTHING, known) => known == 0,
            (choice, known) => (choice as usize) < known,
        };
        if choices.len() == model.states() as usize && (0..model.states()).all(fits) {
            Ok(Self { model, choices })
        } else {
            Err("a policy with a choice that is not there")
        }
    }

    /// For every state the set of its one choice.
    pub(crate) fn as_sets(&self) -> ChoiceSets {
        let mut sets = ChoiceSets { masks: vec![0; self.choices.len()], ..ChoiceSets::default() };
        for state in 0..self.model.states() {
            if let Some(choice) = self.choice(state) {
                sets.set(state, &[choice]);
            }
        }
        sets
    }

    /// Bytes in use, without the model.
    pub(crate) fn bytes(&self) -> u64 {
        self.choices.capacity() as u64 * 4
    }

    /// The policy among these best choices that the rule names.
    pub(crate) fn of(model: Arc<Model>, best: &ChoiceSets) -> Self {
        let mut choices: Vec<u32> = (0..model.states()).map(|state| best.first(state).unwrap_or(NOTHING)).collect();
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
                    for target in choice.targets.iter() {
                        if inside(target) {
                            before[at(target)].push(state);
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
                let nearer = |target: StateId| if inside(target) { distance[at(target)] < own } else { own == 0 };
                let leads = best_choices(state).find(|(_, choice)| choice.targets.iter().any(nearer));
                if let Some((number, _)) = leads {
                    choices[state as usize] = number;
                }
            }
        }
        Self { model, choices }
    }
}
