//! Building a model state by state.

use std::fmt;

use budget::{Budget, Stopped};
use dashu_int::UBig;
use dashu_ratio::RBig;
use hashbrown::HashMap;

use crate::distributions::Distributions;
use crate::duplicates::has_duplicate;
use crate::explicit::{Actions, ExplicitModel, INIT, Kind, MOST, RewardModel};
use crate::group::Grouped;
use crate::memory::{Memory, name_bytes, number_bytes};
use crate::state_set::StateSet;

/// Builds an [`ExplicitModel`].
///
/// ```
/// use budget::Budget;
/// use model_files::{Builder, Kind, StateSet};
///
/// let budget = Budget::default();
/// let mut builder = Builder::new(Kind::Mdp, 2, &budget)?;
/// builder.state()?;
/// builder.choice(&[0, 1], &[1, 2])?; // state 1 with probability 2/3
/// builder.name_choice("roll")?;
/// builder.state()?; // state 1: play ends
/// builder.initial(StateSet::from_fn(2, |state| state == 0));
/// builder.label("goal", StateSet::from_fn(2, |state| state == 1))?;
/// let model = builder.finish()?;
/// assert_eq!((model.states(), model.choice_count(), model.transitions()), (2, 1, 2));
/// # Ok::<(), model_files::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Builder<'a> {
    model: ExplicitModel,
    /// How many there will be; if that is not known, the most there can be.
    states: u32,
    grows: bool,
    last_target: u32,
    names: HashMap<String, u32>,
    memory: Memory<'a>,
}

/// Why something cannot be part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// It violates the definition of a model, or exceeds its limits.
    Invalid(String),
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(problem) => f.write_str(problem),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<Stopped> for BuildError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

fn invalid<T>(problem: impl Into<String>) -> Result<T, BuildError> {
    Err(BuildError::Invalid(problem.into()))
}

impl<'a> Builder<'a> {
    /// Begins a model that will have `states` states. Memory is requested from `budget`.
    ///
    /// # Errors
    /// When that is more than [`MOST`], or than the run may have.
    pub fn new(kind: Kind, states: u32, budget: &'a Budget<'a>) -> Result<Self, BuildError> {
        if states > MOST {
            return invalid(format!("{states} states; a model has at most {MOST}"));
        }
        budget.states(states.into())?;
        let mut builder = Self::growing(kind, budget);
        builder.model.initial = StateSet::new(states);
        Ok(Self { states, grows: false, ..builder })
    }

    /// Begins a model that will have as many states as are added.
    pub fn growing(kind: Kind, budget: &'a Budget<'a>) -> Self {
        let model = ExplicitModel {
            kind,
            first_choice: Vec::new(),
            first_target: vec![0],
            weights: Vec::new(),
            targets: Vec::new(),
            distributions: Distributions::default(),
            initial: StateSet::new(0),
            labels: Vec::new(),
            actions: Actions::default(),
            rewards: Vec::new(),
            normalised_choices: 0,
        };
        Self { model, states: MOST, grows: true, last_target: 0, names: HashMap::new(), memory: Memory::new(budget, 0) }
    }

    /// A model with all states and choices, without labels, names and rewards.
    pub(crate) fn of_choices(
        kind: Kind,
        states: u32,
        first_choice: Vec<u32>,
        choices: Grouped,
        budget: &'a Budget<'a>,
    ) -> Self {
        let Grouped { first_target, weights, targets, distributions, normalised } = choices;
        let mut builder = Self::growing(kind, budget);
        let model = &mut builder.model;
        (model.first_target, model.weights, model.targets) = (first_target, weights, targets);
        (model.distributions, model.normalised_choices) = (distributions, normalised);
        // Its last entry is appended when the model is finished.
        model.first_choice = first_choice;
        model.first_choice.pop();
        model.initial = StateSet::new(states);
        Self { states, grows: false, ..builder }
    }

    /// Begins the next state; its choices follow.
    ///
    /// # Errors
    /// When all states have been given, or the budget stops the run.
    pub fn state(&mut self) -> Result<(), BuildError> {
        if self.model.first_choice.len() as u64 == u64::from(self.states) {
            return invalid(format!("more than the {} states announced", self.states));
        }
        self.memory.step()?;
        self.memory.states(self.given() + 1)?;
        self.memory.grow(&mut self.model.first_choice, 1, self.states as usize + 1)?;
        self.model.first_choice.push(self.model.choice_count());
        Ok(())
    }

    /// Adds a choice to the latest state: different target states and their positive weights.
    ///
    /// # Errors
    /// When targets or weights are invalid, or there is no state yet, or the budget stops the run.
    pub fn choice(&mut self, targets: &[u32], weights: &[u64]) -> Result<(), BuildError> {
        if weights.is_empty() || weights.contains(&0) {
            return invalid("a choice needs weights, all positive");
        }
        self.push_targets(targets, weights.len())?;
        let id = self.model.distributions.intern(weights, &self.memory)?;
        self.model.weights.push(id);
        Ok(())
    }

    /// [`choice`](Self::choice) with weights of any size.
    ///
    /// # Errors
    /// The same.
    pub fn choice_large(&mut self, targets: &[u32], weights: &[UBig]) -> Result<(), BuildError> {
        if weights.is_empty() || weights.contains(&UBig::ZERO) {
            return invalid("a choice needs weights, all positive");
        }
        self.push_targets(targets, weights.len())?;
        let id = self.model.distributions.intern_large(weights.to_vec(), &self.memory)?;
        self.model.weights.push(id);
        Ok(())
    }

    fn push_targets(&mut self, targets: &[u32], weights: usize) -> Result<(), BuildError> {
        let model = &mut self.model;
        if targets.len() != weights {
            return invalid(format!("{} target states, but {weights} weights", targets.len()));
        }
        if let Some(target) = targets.iter().find(|target| **target >= self.states) {
            return invalid(format!("target state {target} of a model with {} states", self.states));
        }
        if has_duplicate(targets, &self.memory)? {
            return invalid("a choice that lists a target state twice");
        }
        match model.first_choice.last() {
            None => return invalid("a choice before the first state"),
            Some(first) if model.kind == Kind::Dtmc && (*first as usize) < model.weights.len() => {
                return invalid("a second choice in a state of a Markov chain");
            }
            Some(_) => {}
        }
        let end = u32::try_from(model.targets.len() + targets.len()).ok().filter(|end| *end <= MOST);
        let Some(end) = end.filter(|_| model.weights.len() < MOST as usize) else {
            return invalid(format!("more than {MOST} choices or transitions"));
        };
        self.memory.grow(&mut model.targets, targets.len(), MOST as usize)?;
        self.memory.grow(&mut model.first_target, 1, MOST as usize)?;
        self.memory.grow(&mut model.weights, 1, MOST as usize)?;
        self.last_target = targets.iter().fold(self.last_target, |last, target| last.max(*target));
        model.targets.extend_from_slice(targets);
        model.first_target.push(end);
        Ok(())
    }

    /// Names the latest choice.
    ///
    /// # Errors
    /// When the budget stops the run.
    pub fn name_choice(&mut self, name: &str) -> Result<(), BuildError> {
        let Some(choice) = self.model.weights.len().checked_sub(1) else { return Ok(()) };
        self.name(choice, name)
    }

    /// Names all choices, in order; an empty name means none.
    ///
    /// # Errors
    /// When the numbers of names and choices differ, some choices are named already, or the budget stops the run.
    pub fn name_choices<'n>(&mut self, given: impl ExactSizeIterator<Item = &'n str>) -> Result<(), BuildError> {
        let choices = self.model.weights.len();
        if given.len() != choices || !self.model.actions.of_choice.is_empty() {
            return invalid(format!("{} names for {choices} choices without names", given.len()));
        }
        given.enumerate().filter(|(_, name)| !name.is_empty()).try_for_each(|(choice, name)| self.name(choice, name))
    }

    /// Names a choice; those after it have no names yet.
    fn name(&mut self, choice: usize, name: &str) -> Result<(), BuildError> {
        let Self { model: ExplicitModel { actions, .. }, names, memory, .. } = self;
        let known = names.get(name).copied();
        let id = match known {
            Some(id) => id,
            None => {
                memory.take(name_bytes(name))?;
                let Ok(id) = u32::try_from(actions.names.len() + 1) else { return invalid("more names than choices") };
                actions.names.push(name.into());
                names.insert(name.into(), id);
                id
            }
        };
        memory.grow_to(&mut actions.of_choice, choice + 1, MOST as usize)?;
        actions.of_choice.resize(choice, 0);
        actions.of_choice.push(id);
        Ok(())
    }

    /// How many states have been added.
    fn given(&self) -> u32 {
        // No more than the maximum are added.
        u32::try_from(self.model.first_choice.len()).unwrap_or(MOST)
    }

    /// Records for how many choices the probabilities did not sum to 1 and were divided by their sum.
    pub fn normalised(&mut self, choices: u64) {
        self.model.normalised_choices = choices;
    }

    /// Sets the initial states.
    pub fn initial(&mut self, states: StateSet) {
        self.model.initial = states;
    }

    /// Labels states.
    ///
    /// # Errors
    /// When the label is `init` (see [`initial`](Self::initial)) or already exists.
    pub fn label(&mut self, name: &str, states: StateSet) -> Result<(), BuildError> {
        if name == INIT {
            return invalid("the label `init` is kept for the initial states");
        }
        match self.model.labels.binary_search_by(|(label, _)| label.as_str().cmp(name)) {
            Ok(_) => invalid(format!("two labels `{name}`")),
            Err(index) => {
                self.model.labels.insert(index, (name.into(), states));
                Ok(())
            }
        }
    }

    /// Adds a reward model from its rewards that are not zero: states and choices with their rewards.
    ///
    /// # Errors
    /// When the name is taken, or the budget stops the run.
    pub fn reward(
        &mut self,
        name: &str,
        of_states: impl IntoIterator<Item = (u32, RBig)>,
        of_choices: impl IntoIterator<Item = (u32, RBig)>,
    ) -> Result<(), BuildError> {
        if self.model.reward(name).is_some() {
            return invalid(format!("two reward models `{name}`"));
        }
        let mut values = RewardValues::default();
        let states = self.states();
        let of_state = values.index(of_states, states, &self.memory)?;
        let of_choice = values.index(of_choices, self.model.choice_count(), &self.memory)?;
        self.model.rewards.push(RewardModel { name: name.into(), values: values.values, of_state, of_choice });
        Ok(())
    }

    /// Adds a reward model from all rewards of states and of choices, as indices of a list of values; empty if all are
    /// zero.
    pub(crate) fn add_reward_indices(
        &mut self,
        name: &str,
        given: &[RBig],
        of_state: Vec<u32>,
        of_choice: Vec<u32>,
    ) -> Result<(), BuildError> {
        if self.model.reward(name).is_some() {
            return invalid(format!("two reward models `{name}`"));
        }
        let mut values = RewardValues::default();
        let indices = given.iter().map(|value| values.intern(value, &self.memory)).collect::<Result<Vec<u32>, _>>()?;
        let in_place = |mut ids: Vec<u32>| {
            for id in &mut ids {
                *id = indices[*id as usize];
            }
            if ids.iter().all(|id| *id == 0) { Vec::new() } else { ids }
        };
        let (of_state, of_choice) = (in_place(of_state), in_place(of_choice));
        self.model.rewards.push(RewardModel { name: name.into(), values: values.values, of_state, of_choice });
        Ok(())
    }

    /// How many states there are or will be.
    pub(crate) fn states(&self) -> u32 {
        if self.grows { self.given() } else { self.states }
    }

    /// How many choices have been added.
    pub(crate) fn choices(&self) -> u32 {
        self.model.choice_count()
    }

    /// The budget for memory and time.
    pub(crate) fn budget(&self) -> &'a Budget<'a> {
        self.memory.budget()
    }

    /// The model.
    ///
    /// # Errors
    /// When states are missing, or the budget stops the run.
    pub fn finish(mut self) -> Result<ExplicitModel, BuildError> {
        let given = self.given();
        if self.grows {
            self.states = given;
            if self.last_target >= given && !self.model.targets.is_empty() {
                return invalid(format!("target state {} of a model with {given} states", self.last_target));
            }
        }
        if given != self.states {
            return invalid(format!("{given} states given, {} announced", self.states));
        }
        self.memory.grow(&mut self.model.first_choice, 1, usize::MAX)?;
        self.model.first_choice.push(self.model.choice_count());
        let choices = self.model.weights.len();
        let names = &mut self.model.actions.of_choice;
        if !names.is_empty() {
            self.memory.grow_to(names, choices, usize::MAX)?;
            names.resize(choices, 0);
        }
        Ok(self.model)
    }
}

/// The values of a reward model, each stored once.
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
    pub(crate) fn intern(&mut self, value: &RBig, memory: &Memory<'_>) -> Result<u32, Stopped> {
        if let Some(id) = self.known.get(value) {
            return Ok(*id);
        }
        memory.grow_table(self.known.len(), self.known.capacity(), self.known.allocation_size())?;
        memory.grow(&mut self.values, 1, usize::MAX)?;
        memory.take(2 * number_bytes(value))?;
        let id = u32::try_from(self.values.len()).expect("fewer values than states and choices");
        self.values.push(value.clone());
        self.known.insert(value.clone(), id);
        Ok(id)
    }

    /// The array of `count` entries with these values at their indices; empty when all are zero.
    fn index(
        &mut self,
        given: impl IntoIterator<Item = (u32, RBig)>,
        count: u32,
        memory: &Memory<'_>,
    ) -> Result<Vec<u32>, BuildError> {
        let mut indices = Vec::new();
        for (index, value) in given {
            if index >= count {
                return invalid(format!("a reward for number {index} of {count}"));
            }
            memory.step()?;
            let id = self.intern(&value, memory)?;
            if id != 0 {
                if indices.is_empty() {
                    memory.grow(&mut indices, count as usize, count as usize)?;
                    indices.resize(count as usize, 0);
                }
                indices[index as usize] = id;
            }
        }
        Ok(indices)
    }
}
