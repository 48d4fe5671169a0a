//! Questions with bounds on steps and on rewards: the model is unfolded with the remainder of every bound as part of
//! its states.

use std::hash::BuildHasher;

use budget::{Budget, Progress, Stage};
use hashbrown::{DefaultHashBuilder, HashTable};
use mdp::{
    BuildError, Built, ModelBuilder, Rational, Sense, Solution, SolveError, SolveOptions, StateId, Value, WeightsId,
    solve,
};
use model_files::{ExplicitModel, RewardModel, Weights};

use crate::question::{Question, earned};
use crate::raised::{is_signed, largest_loss, lowered};
use crate::rewards::Unusable;
use crate::unanswered::{Unanswered, answered};
use crate::unprepared::Unprepared;

/// A resource that play may use up on its way to the goal.
#[derive(Clone, Debug)]
pub enum Bound<'a> {
    /// This many choices.
    Steps(u64),
    /// A total of a reward model.
    Reward(&'a RewardModel, Rational),
}

/// A bound in integers.
struct Scaled<'a> {
    most: u64,
    /// The cost of a choice: its reward times this factor; 1 without a reward model.
    reward: Option<(&'a RewardModel, Rational)>,
}

impl<'a> Scaled<'a> {
    /// `None` if the bound cannot be expressed in integers of 64 bits.
    fn new(bound: &Bound<'a>) -> Option<Self> {
        match bound {
            Bound::Steps(most) => Some(Self { most: *most, reward: None }),
            Bound::Reward(reward, most) => {
                let mut scale = Rational::ONE;
                for value in reward.values() {
                    // The denominator of the product in lowest terms is the missing factor of the scale.
                    let lacks = (value * &scale).denominator().clone();
                    scale *= Rational::from(lacks);
                }
                let most = u64::try_from((most * &scale).floor()).ok()?;
                Some(Self { most, reward: Some((*reward, scale)) })
            }
        }
    }

    /// The cost of a choice; a larger one counts as the largest number.
    fn cost(&self, state: u32, choice: u32) -> u64 {
        match &self.reward {
            None => 1,
            Some((reward, scale)) => {
                let cost = (reward.of_state(state) + reward.of_choice(choice)) * scale;
                u64::try_from(cost.floor()).unwrap_or(u64::MAX)
            }
        }
    }
}

/// The states of the unfolded model: a state and the remainder of each bound.
struct Nodes {
    states: Vec<u32>,
    left: Vec<u64>,
    bounds: usize,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Nodes {
    fn left_of(&self, node: u32) -> &[u64] {
        let begin = node as usize * self.bounds;
        &self.left[begin..begin + self.bounds]
    }

    fn count(&self) -> u32 {
        u32::try_from(self.states.len()).expect("more are refused when they are added")
    }

    /// The number of a node, which is added if it is new.
    fn number(&mut self, state: u32, left: &[u64], budget: &Budget<'_>) -> Result<u32, BuildError> {
        let hash = self.hasher.hash_one((state, left));
        let known = self.table.find(hash, |node| self.states[*node as usize] == state && self.left_of(*node) == left);
        if let Some(node) = known {
            return Ok(*node);
        }
        let node = self.count();
        budget.states(u64::from(node) + 1)?;
        if node >= u32::MAX - 2 {
            return Err(BuildError::TooLarge);
        }
        if self.table.len() == self.table.capacity() {
            budget.more_memory(2 * (self.bytes() + self.table.allocation_size() as u64))?;
        }
        self.states.push(state);
        self.left.extend_from_slice(left);
        let Self { states, left, bounds, table, hasher } = self;
        table.insert_unique(hash, node, |node| {
            let begin = *node as usize * *bounds;
            hasher.hash_one((states[*node as usize], &left[begin..begin + *bounds]))
        });
        Ok(node)
    }

    fn bytes(&self) -> u64 {
        4 * self.states.capacity() as u64 + 8 * self.left.capacity() as u64
    }
}

/// Not a state: the bound is exceeded.
pub(crate) const LOST: u32 = u32::MAX;

/// The unfolded question with the engine's model.
#[derive(Debug)]
pub struct Unfolded {
    pub(crate) built: Built,
    /// The states of the file whose values are requested, in order.
    pub(crate) starts: Vec<u32>,
    /// The state of the file of each unfolded one, or [`LOST`].
    pub(crate) states: Vec<u32>,
    /// The remainder of every bound in each unfolded state, in integers, ...
    pub(crate) left: Vec<u64>,
    /// ... which are the model's numbers times these.
    pub(crate) scales: Vec<Rational>,
    /// What was added to the values of starts: with negative rewards each step earns this much more, and play that ends
    /// early gets it for the remaining steps.
    raised: Rational,
}

/// The values of the requested states.
#[derive(Debug)]
pub struct UnfoldedAnswer {
    pub(crate) unfolded: Unfolded,
    pub(crate) solution: Solution,
}

impl UnfoldedAnswer {
    /// The value of a state of the file that was a start; `None`: infinite.
    pub fn value(&self, state: u32) -> Option<Value> {
        let value = self.number_of(state).and_then(|number| self.solution.value(number).finite());
        value.map(|value| if self.unfolded.raised.is_zero() { value } else { lowered(value, &self.unfolded.raised) })
    }

    /// The engine's number of a start.
    pub(crate) fn number_of(&self, state: u32) -> Option<StateId> {
        let node = self.unfolded.starts.binary_search(&state).ok()?;
        Some(self.unfolded.built.number_of(u32::try_from(node).expect("starts are nodes")))
    }

    /// Solves the question again with other options; on failure the answer stays as it is.
    ///
    /// # Errors
    /// When the budget stops the run, or a component is too large.
    pub fn solve_again(&mut self, options: &SolveOptions<'_>) -> Result<(), SolveError> {
        let options = options.with_sense(self.solution.sense()).with_must_end(self.solution.must_end());
        self.solution = solve(&self.unfolded.built.model, &options)?;
        Ok(())
    }
}

impl Unfolded {
    /// Computes the value of every start.
    ///
    /// # Errors
    /// When the budget stops the run, or a component is too large; with the bounds known so far.
    pub fn answer(
        self,
        question: &Question<'_>,
        options: &SolveOptions<'_>,
    ) -> Result<UnfoldedAnswer, Box<Unanswered<UnfoldedAnswer>>> {
        // Never arriving is no way to minimise rewards.
        let must_end = question.sense == Sense::Min && !self.built.model.rewards().is_empty();
        let solved = solve(&self.built.model, &options.with_sense(question.sense).with_must_end(must_end));
        answered(solved, |solution| UnfoldedAnswer { unfolded: self, solution })
    }

    /// Unfolds a question from these states, given in increasing order. `None`: a bound cannot be expressed in integers
    /// of 64 bits.
    ///
    /// # Errors
    /// When the budget stops the run, or there are too many states for the engine. When a reward is negative, and
    /// anything but steps is bounded.
    pub fn new(
        question: &Question<'_>,
        bounds: &[Bound<'_>],
        starts: Vec<u32>,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Unprepared> {
        let loss = loss_of_steps(question, bounds)?;
        let Some(bounds) = bounds.iter().map(Scaled::new).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let (table, hasher) = (HashTable::new(), DefaultHashBuilder::default());
        let mut nodes = Nodes { states: Vec::new(), left: Vec::new(), bounds: bounds.len(), table, hasher };
        let all: Vec<u64> = bounds.iter().map(|bound| bound.most).collect();
        for start in &starts {
            nodes.number(*start, &all, budget)?;
        }
        let mut builder = ModelBuilder::new();
        let weights = weights(question.model, &mut builder, budget)?;
        let certain = builder.weights(&[1])?;
        let mut build =
            UnfoldedBuild { question, bounds: &bounds, loss: &loss, nodes, builder, weights, certain, budget };
        let mut next = 0;
        while next < build.nodes.count() {
            build.add(next)?;
            next += 1;
        }
        let built = build.builder.build(Some(budget))?;
        let Nodes { states, left, .. } = build.nodes;
        let scales = bounds.into_iter().map(|bound| bound.reward.map_or(Rational::ONE, |(_, scale)| scale)).collect();
        let raised = loss * Rational::from(all.first().copied().unwrap_or(0));
        Ok(Some(Self { built, starts, states, left, scales, raised }))
    }
}

/// The largest loss of one choice, if only steps are bounded.
fn loss_of_steps(question: &Question<'_>, bounds: &[Bound<'_>]) -> Result<Rational, Unprepared> {
    match (question.reward, bounds) {
        (Some(reward), _) if is_signed(question) => match bounds {
            [Bound::Steps(_)] => Ok(largest_loss(question, reward, |_| true)),
            _ => Err(Unprepared::Undefined(Unusable {
                problem: format!("the reward model `{}` has negative rewards", reward.name()),
                remedy: "a total of those can be bounded by steps alone".into(),
            })),
        },
        _ => Ok(Rational::ZERO),
    }
}

/// The engine's numbers of the file's weight vectors.
fn weights(
    model: &ExplicitModel,
    builder: &mut ModelBuilder,
    budget: &Budget<'_>,
) -> Result<Vec<WeightsId>, BuildError> {
    let number = |weights: Weights<'_>| {
        budget.step(Stage::Exploring, 0, 0)?;
        match weights {
            Weights::Small { weights, .. } => builder.weights(weights),
            Weights::Large { weights, .. } => builder.large_weights(weights),
        }
    };
    model.distributions().iter().map(number).collect()
}

struct UnfoldedBuild<'a> {
    question: &'a Question<'a>,
    bounds: &'a [Scaled<'a>],
    /// What was added to the reward of each step.
    loss: &'a Rational,
    nodes: Nodes,
    builder: ModelBuilder,
    weights: Vec<WeightsId>,
    certain: WeightsId,
    budget: &'a Budget<'a>,
}

impl UnfoldedBuild<'_> {
    /// Adds a node with its choices.
    fn add(&mut self, node: u32) -> Result<(), BuildError> {
        let Question { model, goal, reward, .. } = self.question;
        let memory = self.nodes.bytes() + self.builder.bytes();
        if node.is_multiple_of(1024) {
            let (done, waiting) = (node.into(), (self.nodes.count() - node).into());
            self.budget.advance(Progress { stage: Stage::Exploring, done, waiting, memory })?;
            self.budget.memory(2 * memory)?;
        }
        let state = self.nodes.states[node as usize];
        if state == LOST {
            return self.builder.finished(&[Rational::ZERO]);
        }
        let left = self.nodes.left_of(node).to_vec();
        let ended = self.loss * Rational::from(left.first().copied().unwrap_or(0));
        if goal.contains(state) {
            let worth = if reward.is_some() { ended } else { Rational::ONE };
            return self.builder.finished(&[worth]);
        }
        // Rewards after the last step do not count, and no step is left that could lead to the goal.
        let no_step = |(bound, left): (&Scaled<'_>, &u64)| bound.reward.is_none() && *left == 0;
        let used_up = if reward.is_some() { left.contains(&0) } else { self.bounds.iter().zip(&left).any(no_step) };
        if used_up || self.question.is_over(state) || model.choices(state).is_empty() {
            return self.builder.finished(&[ended]);
        }
        for choice in model.choices(state) {
            let costs = self.bounds.iter().map(|bound| bound.cost(state, choice));
            let after: Option<Vec<u64>> = left.iter().zip(costs).map(|(left, cost)| left.checked_sub(cost)).collect();
            if let Some(reward) = reward {
                self.builder.reward(&(earned(reward, state, choice) + self.loss))?;
            }
            let Some(after) = after else {
                let lost = self.nodes.number(LOST, &vec![0; self.bounds.len()], self.budget)?;
                self.builder.choice(self.certain, &[lost])?;
                continue;
            };
            let (targets, weights) = model.outcomes(choice);
            let numbers = targets.iter().map(|target| self.nodes.number(*target, &after, self.budget));
            let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
            self.builder.choice(self.weights[weights as usize], &numbers)?;
        }
        self.builder.finish_state()
    }
}
