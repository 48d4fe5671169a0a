//! Building a model state by state.

use std::fmt;

use dashu_int::UBig;
use dashu_ratio::RBig;
use hashbrown::HashMap;

use crate::distributions::Distributions;
use crate::explicit::{Actions, ExplicitModel, INIT, Kind, MOST, RewardModel};
use crate::state_set::StateSet;

/// Builds an [`ExplicitModel`].
///
/// ```
/// use model_files::{Builder, Kind, StateSet};
///
/// let mut builder = Builder::new(Kind::Mdp, 2)?;
/// builder.state()?;
/// builder.choice(&[0, 1], &[1, 2])?; // state 1 with probability 2/3
/// builder.name_choice("roll");
/// builder.state()?; // state 1: play ends
/// builder.initial(StateSet::from_fn(2, |state| state == 0));
/// builder.label("goal", StateSet::from_fn(2, |state| state == 1))?;
/// let model = builder.finish()?;
/// assert_eq!((model.states(), model.choice_count(), model.transitions()), (2, 1, 2));
/// # Ok::<(), model_files::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    model: ExplicitModel,
    states: u32,
    names: HashMap<String, u32>,
}

/// Why something cannot be part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(pub(crate) String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl Builder {
    /// Begins a model that will have `states` states.
    ///
    /// # Errors
    /// When that is more than [`MOST`].
    pub fn new(kind: Kind, states: u32) -> Result<Self, BuildError> {
        if states > MOST {
            return Err(BuildError(format!("{states} states; a model has at most {MOST}")));
        }
        let model = ExplicitModel {
            kind,
            first_choice: Vec::new(),
            first_target: vec![0],
            weights: Vec::new(),
            targets: Vec::new(),
            distributions: Distributions::default(),
            initial: StateSet::new(states),
            labels: Vec::new(),
            actions: Actions::default(),
            rewards: Vec::new(),
            normalised_choices: 0,
        };
        Ok(Self { model, states, names: HashMap::new() })
    }

    /// Begins the next state; its choices follow.
    ///
    /// # Errors
    /// When all states have been given.
    pub fn state(&mut self) -> Result<(), BuildError> {
        if self.model.first_choice.len() as u64 == u64::from(self.states) {
            return Err(BuildError(format!("more than the {} states announced", self.states)));
        }
        self.model.first_choice.push(self.model.weights.len() as u32);
        Ok(())
    }

    /// Adds a choice to the latest state: different target states and their positive weights.
    ///
    /// # Errors
    /// When they are not that, or there is no state yet.
    pub fn choice(&mut self, targets: &[u32], weights: &[u64]) -> Result<(), BuildError> {
        if weights.is_empty() || weights.contains(&0) {
            return Err(BuildError("a choice needs weights, all positive".into()));
        }
        self.push_targets(targets, weights.len())?;
        let id = self.model.distributions.intern(weights);
        self.model.weights.push(id);
        Ok(())
    }

    /// [`choice`](Self::choice) with weights of any size.
    ///
    /// # Errors
    /// The same.
    pub fn choice_large(&mut self, targets: &[u32], weights: &[UBig]) -> Result<(), BuildError> {
        if weights.is_empty() || weights.contains(&UBig::ZERO) {
            return Err(BuildError("a choice needs weights, all positive".into()));
        }
        self.push_targets(targets, weights.len())?;
        let id = self.model.distributions.intern_large(weights.to_vec());
        self.model.weights.push(id);
        Ok(())
    }

    fn push_targets(&mut self, targets: &[u32], weights: usize) -> Result<(), BuildError> {
        let model = &mut self.model;
        if targets.len() != weights {
            return Err(BuildError(format!("{} target states, but {weights} weights", targets.len())));
        }
        if let Some(target) = targets.iter().find(|target| **target >= self.states) {
            return Err(BuildError(format!("target state {target} of a model with {} states", self.states)));
        }
        if has_duplicate(targets) {
            return Err(BuildError("a choice that lists a target state twice".into()));
        }
        match model.first_choice.last() {
            None => return Err(BuildError("a choice before the first state".into())),
            Some(first) if model.kind == Kind::Dtmc && (*first as usize) < model.weights.len() => {
                return Err(BuildError("a second choice in a state of a Markov chain".into()));
            }
            Some(_) => {}
        }
        if model.targets.len() + targets.len() > MOST as usize {
            return Err(BuildError(format!("more than {MOST} transitions")));
        }
        model.targets.extend_from_slice(targets);
        model.first_target.push(model.targets.len() as u32);
        Ok(())
    }

    /// Names the latest choice.
    pub fn name_choice(&mut self, name: &str) {
        let Some(choice) = self.model.weights.len().checked_sub(1) else { return };
        let next = self.model.actions.names.len() as u32 + 1;
        let id = *self.names.entry_ref(name).or_insert_with(|| next);
        if id == next {
            self.model.actions.names.push(name.into());
        }
        self.model.actions.of_choice.resize(choice, 0);
        self.model.actions.of_choice.push(id);
    }

    /// Says where play begins.
    pub fn initial(&mut self, states: StateSet) {
        self.model.initial = states;
    }

    /// Labels states.
    ///
    /// # Errors
    /// When the label is `init` (see [`initial`](Self::initial)) or is there already.
    pub fn label(&mut self, name: &str, states: StateSet) -> Result<(), BuildError> {
        if name == INIT {
            return Err(BuildError("the label `init` is kept for the initial states".into()));
        }
        match self.model.labels.binary_search_by(|(label, _)| label.as_str().cmp(name)) {
            Ok(_) => Err(BuildError(format!("two labels `{name}`"))),
            Err(place) => {
                self.model.labels.insert(place, (name.into(), states));
                Ok(())
            }
        }
    }

    /// Adds a reward model from its rewards that are not zero: states and choices with what they
    /// earn.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn reward(
        &mut self,
        name: &str,
        of_states: impl IntoIterator<Item = (u32, RBig)>,
        of_choices: impl IntoIterator<Item = (u32, RBig)>,
    ) -> Result<(), BuildError> {
        if self.model.reward(name).is_some() {
            return Err(BuildError(format!("two reward models `{name}`")));
        }
        let mut values = RewardValues::default();
        let of_state = values.place(of_states, self.states)?;
        let of_choice = values.place(of_choices, self.model.choice_count())?;
        self.model.rewards.push(RewardModel { name: name.into(), values: values.values, of_state, of_choice });
        Ok(())
    }

    /// The model.
    ///
    /// # Errors
    /// When states are missing.
    pub fn finish(mut self) -> Result<ExplicitModel, BuildError> {
        let given = self.model.first_choice.len();
        if given as u64 != u64::from(self.states) {
            return Err(BuildError(format!("{given} states given, {} announced", self.states)));
        }
        self.model.first_choice.push(self.model.weights.len() as u32);
        if !self.model.actions.of_choice.is_empty() {
            self.model.actions.of_choice.resize(self.model.weights.len(), 0);
        }
        Ok(self.model)
    }
}

/// The values of a reward model, each once.
#[derive(Debug)]
pub(crate) struct RewardValues {
    pub(crate) values: Vec<RBig>,
    known: HashMap<RBig, u32>,
}

impl Default for RewardValues {
    fn default() -> Self {
        Self { values: vec![RBig::ZERO], known: HashMap::from_iter([(RBig::ZERO, 0)]) }
    }
}

impl RewardValues {
    pub(crate) fn intern(&mut self, value: &RBig) -> u32 {
        if let Some(id) = self.known.get(value) {
            return *id;
        }
        let id = self.values.len() as u32;
        self.values.push(value.clone());
        self.known.insert(value.clone(), id);
        id
    }

    /// The array of `count` entries with these values in their places; empty when all are zero.
    fn place(&mut self, given: impl IntoIterator<Item = (u32, RBig)>, count: u32) -> Result<Vec<u32>, BuildError> {
        let mut places = Vec::new();
        for (place, value) in given {
            if place >= count {
                return Err(BuildError(format!("a reward for number {place} of {count}")));
            }
            let id = self.intern(&value);
            if id != 0 {
                places.resize(count as usize, 0);
                places[place as usize] = id;
            }
        }
        Ok(places)
    }
}

/// Whether a list of states names one twice.
pub(crate) fn has_duplicate(states: &[u32]) -> bool {
    if states.windows(2).all(|pair| pair[0] < pair[1]) {
        return false;
    }
    let mut sorted = states.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
