//! The model in memory: flat arrays.

use dashu_ratio::RBig;

use crate::distributions::{Distributions, Weights, WeightsId};
use crate::memory::{name_bytes, number_bytes};
use crate::state_set::StateSet;

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Markov decision process: states have any number of choices.
    Mdp,
    /// A Markov chain: states have at most one choice.
    Dtmc,
}

/// An upper bound of the numbers of states, choices and transitions; numbers are less than it.
pub const MOST: u32 = u32::MAX - 1;

/// The label that the formats use for the initial states.
pub const INIT: &str = "init";

/// A Markov decision process or a Markov chain, exactly as a file lists it.
///
/// States, choices and transitions are numbered from 0 in the order of the file. A choice stores
/// its target states and the number of its weight vector, 4 bytes each, so a model takes about
/// `4 * (states + 2 * choices + transitions)` bytes.
///
/// The targets of a choice differ from each other and all probabilities are positive: targets that a file lists twice
/// are added up, and those of probability zero are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitModel {
    pub(crate) kind: Kind,
    /// Where each state's choices begin; one more entry than states.
    pub(crate) first_choice: Vec<u32>,
    /// Where each choice's targets begin; one more entry than choices.
    pub(crate) first_target: Vec<u32>,
    pub(crate) weights: Vec<WeightsId>,
    pub(crate) targets: Vec<u32>,
    pub(crate) distributions: Distributions,
    pub(crate) initial: StateSet,
    /// By name, without `init`.
    pub(crate) labels: Vec<(String, StateSet)>,
    pub(crate) actions: Actions,
    pub(crate) rewards: Vec<RewardModel>,
    pub(crate) normalised_choices: u64,
}

/// Consecutive states with their choices: a model, or a [`Block`] of one. Numbers are those of the model.
pub trait Outcomes {
    /// The numbers of a state's choices; empty for a state in which play ends.
    ///
    /// # Panics
    /// When there is no such state.
    fn choices(&self, state: u32) -> std::ops::Range<u32>;

    /// A choice's target states, and the number of its weight vector (one weight for each target).
    ///
    /// # Panics
    /// When there is no such choice.
    fn outcomes(&self, choice: u32) -> (&[u32], WeightsId);
}

/// States of a model that was split by [`ExplicitModel::into_blocks`].
#[derive(Clone, Debug)]
pub struct Block {
    first_state: u32,
    /// As in the model, beginning with the block's first state, choice or transition.
    first_choice: Vec<u32>,
    first_target: Vec<u32>,
    weights: Vec<WeightsId>,
    targets: Vec<u32>,
}

impl Block {
    /// The block's states.
    pub fn states(&self) -> std::ops::Range<u32> {
        self.first_state..self.first_state + length(&self.first_choice) - 1
    }
}

impl Outcomes for Block {
    #[inline]
    fn choices(&self, state: u32) -> std::ops::Range<u32> {
        let place = (state - self.first_state) as usize;
        self.first_choice[place]..self.first_choice[place + 1]
    }

    #[inline]
    fn outcomes(&self, choice: u32) -> (&[u32], WeightsId) {
        let place = (choice - self.first_choice[0]) as usize;
        let range =
            self.first_target[place] - self.first_target[0]..self.first_target[place + 1] - self.first_target[0];
        (&self.targets[range.start as usize..range.end as usize], self.weights[place])
    }
}

impl Outcomes for ExplicitModel {
    #[inline]
    fn choices(&self, state: u32) -> std::ops::Range<u32> {
        Self::choices(self, state)
    }

    #[inline]
    fn outcomes(&self, choice: u32) -> (&[u32], WeightsId) {
        Self::outcomes(self, choice)
    }
}

/// The names of choices, each stored once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Actions {
    pub(crate) names: Vec<String>,
    /// For every choice the index of its name plus 1; 0 for a choice without a name. Empty when no choice has one.
    pub(crate) of_choice: Vec<u32>,
}

/// A reward model: the exact rewards of states and choices.
#[derive(Clone, Debug)]
pub struct RewardModel {
    pub(crate) name: String,
    /// Each value once; the first is zero.
    pub(crate) values: Vec<RBig>,
    /// For every state the index of its reward; empty when all are zero.
    pub(crate) of_state: Vec<u32>,
    /// For every choice.
    pub(crate) of_choice: Vec<u32>,
}

/// Equal when they have the same name and the same rewards for every state and choice.
impl PartialEq for RewardModel {
    fn eq(&self, other: &Self) -> bool {
        let states = length(&self.of_state).max(length(&other.of_state));
        let choices = length(&self.of_choice).max(length(&other.of_choice));
        self.name == other.name
            && (0..states).all(|state| self.of_state(state) == other.of_state(state))
            && (0..choices).all(|choice| self.of_choice(choice) == other.of_choice(choice))
    }
}

impl Eq for RewardModel {}

impl RewardModel {
    /// Its name in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The reward for each visit to a state, whichever choice is taken.
    pub fn of_state(&self, state: u32) -> &RBig {
        &self.values[self.of_state.get(state as usize).map_or(0, |id| *id as usize)]
    }

    /// The reward for taking a choice, in addition to its state's reward.
    pub fn of_choice(&self, choice: u32) -> &RBig {
        &self.values[self.of_choice.get(choice as usize).map_or(0, |id| *id as usize)]
    }

    /// All values that occur.
    pub fn values(&self) -> &[RBig] {
        &self.values
    }
}

impl ExplicitModel {
    /// The kind of the model.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many states there are.
    #[inline]
    pub fn states(&self) -> u32 {
        length(&self.first_choice) - 1
    }

    /// The number of choices of all states.
    pub fn choice_count(&self) -> u32 {
        length(&self.weights)
    }

    /// The number of transitions of all choices.
    pub fn transitions(&self) -> u32 {
        length(&self.targets)
    }

    /// The numbers of a state's choices; empty for a state in which play ends.
    ///
    /// # Panics
    /// When there is no such state.
    #[inline]
    pub fn choices(&self, state: u32) -> std::ops::Range<u32> {
        self.first_choice[state as usize]..self.first_choice[state as usize + 1]
    }

    /// A choice's target states, and the number of its weight vector (one weight for each target).
    ///
    /// # Panics
    /// When there is no such choice.
    #[inline]
    pub fn outcomes(&self, choice: u32) -> (&[u32], WeightsId) {
        let choice = choice as usize;
        let range = self.first_target[choice] as usize..self.first_target[choice + 1] as usize;
        (&self.targets[range], self.weights[choice])
    }

    /// A choice's target states with their exact probabilities.
    ///
    /// # Panics
    /// When there is no such choice.
    pub fn probabilities(&self, choice: u32) -> impl ExactSizeIterator<Item = (u32, RBig)> + '_ {
        let (targets, weights) = self.outcomes(choice);
        let weights = self.distributions.get(weights);
        targets.iter().enumerate().map(move |(place, target)| (*target, weights.probability(place)))
    }

    /// The weight vectors that choices point to.
    pub fn distributions(&self) -> &Distributions {
        &self.distributions
    }

    /// The weights of a vector.
    ///
    /// # Panics
    /// When there is no such vector.
    #[inline]
    pub fn weights(&self, id: WeightsId) -> Weights<'_> {
        self.distributions.get(id)
    }

    /// The initial states.
    pub fn initial(&self) -> &StateSet {
        &self.initial
    }

    /// The labels of states and their states, by name; `init` is not among them, see
    /// [`initial`](Self::initial).
    pub fn labels(&self) -> &[(String, StateSet)] {
        &self.labels
    }

    /// The states with a label (also `init`); `None` when the model does not have it.
    pub fn label(&self, name: &str) -> Option<&StateSet> {
        if name == INIT {
            return Some(&self.initial);
        }
        self.labels.binary_search_by(|(label, _)| label.as_str().cmp(name)).ok().map(|at| &self.labels[at].1)
    }

    /// The name of a choice, if the file gives one.
    pub fn action(&self, choice: u32) -> Option<&str> {
        let name = self.actions.of_choice.get(choice as usize)?.checked_sub(1)?;
        Some(&self.actions.names[name as usize])
    }

    /// The reward models in the order of the file.
    pub fn rewards(&self) -> &[RewardModel] {
        &self.rewards
    }

    /// The reward model with a name.
    pub fn reward(&self, name: &str) -> Option<&RewardModel> {
        self.rewards.iter().find(|reward| reward.name == name)
    }

    /// The number of choices whose probabilities, written as decimals, missed the sum 1 by at most
    /// [`TOLERANCE`](crate::TOLERANCE) and were divided by their sum.
    pub fn normalised_choices(&self) -> u64 {
        self.normalised_choices
    }

    /// Splits the model into this many blocks of states, in order. Dropping each after its use needs less memory than
    /// keeping the whole model while another one is built from it.
    pub fn into_blocks(self, count: u32) -> impl Iterator<Item = Block> {
        let Self { mut first_choice, mut first_target, mut weights, mut targets, .. } = self;
        let states = length(&first_choice) - 1;
        let size = states.div_ceil(count.max(1)).max(1);
        let mut blocks = Vec::new();
        // From the last to the first: arrays can be truncated at their ends only.
        for first_state in (0..states).step_by(size as usize).rev() {
            let first = first_choice[first_state as usize];
            let target = first_target[first as usize];
            let block = Block {
                first_state,
                first_choice: cut_off(&mut first_choice, first_state),
                first_target: cut_off(&mut first_target, first),
                weights: cut_off(&mut weights, first),
                targets: cut_off(&mut targets, target),
            };
            // Where the block before ends.
            first_choice.push(first);
            first_target.push(target);
            blocks.push(block);
        }
        blocks.into_iter().rev()
    }

    /// Bytes that the model takes.
    pub fn bytes(&self) -> u64 {
        let entries = self.first_choice.capacity()
            + self.first_target.capacity()
            + self.weights.capacity()
            + self.targets.capacity()
            + self.actions.of_choice.capacity()
            + self.rewards.iter().map(|r| r.of_state.capacity() + r.of_choice.capacity()).sum::<usize>();
        let names: u64 = self.actions.names.iter().map(|name| name_bytes(name) / 2).sum();
        let labels: u64 = self.labels.iter().map(|(name, states)| name_bytes(name) / 2 + states.bytes()).sum();
        let rewards: u64 = self.rewards.iter().flat_map(RewardModel::values).map(number_bytes).sum();
        4 * entries as u64 + self.distributions.bytes() + self.initial.bytes() + names + labels + rewards
    }
}

/// The number of entries of an array of a model: one more than the maximum of states, choices or transitions.
fn length(array: &[u32]) -> u32 {
    u32::try_from(array.len()).expect("states, choices and transitions have numbers")
}

/// Cuts off the end of an array and releases its memory.
fn cut_off(array: &mut Vec<u32>, from: u32) -> Vec<u32> {
    let end = array[from as usize..].to_vec();
    array.truncate(from as usize);
    array.shrink_to_fit();
    end
}
