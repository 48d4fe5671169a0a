//! From a model file's states and a goal to the engine's model, and back.

use std::ops::Range;

use budget::{Budget, Stage, Stopped};
use mdp::{
    Advice, BuildError, Built, ModelBuilder, Rational, Sense, Solution, SolveError, SolveOptions, Standing, Value,
    WeightsId, advise, enclose, exactly, solve,
};
use model_files::{ExplicitModel, Outcomes, RewardModel, StateSet, Weights};

use crate::graph::Graph;
use crate::infinite::Infinite;
use crate::raised::{Raised, is_signed, on_the_way};
use crate::rewards::Unusable;
use crate::unanswered::{Unanswered, answered};
use crate::unprepared::Unprepared;

/// What is asked: the best probability of reaching the goal, or the best expected total reward
/// until then.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The model.
    pub model: &'a ExplicitModel,
    /// The states where play ends, reached.
    pub goal: StateSet,
    /// The only states that may lie on the way; none: all may. Not with rewards.
    pub until: Option<StateSet>,
    /// Whether the largest or the smallest value is wanted.
    pub sense: Sense,
    /// What is earned until the goal, for which an expected total is wanted. None: the probability of the goal is wanted.
    pub reward: Option<&'a RewardModel>,
}

/// Every state's value.
#[derive(Debug)]
pub struct Answer {
    built: Built,
    solution: Solution,
    /// The states whose expected reward is infinite.
    infinite: Option<Infinite>,
    /// What values are lowered by, where rewards are below zero.
    raised: Option<Raised>,
}

impl Answer {
    /// The value of a state of the file; `None`: infinite.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn value(&self, state: u32) -> Option<Value> {
        self.infinite_at(state).is_none().then(|| self.lowered(state, self.solution.value(self.built.number_of(state))))
    }

    /// The value of a state, or of one of its choices, that the engine found, as the file has it.
    fn lowered(&self, state: u32, value: Value) -> Value {
        match &self.raised {
            Some(raised) => raised.lowered(state, value),
            None => value,
        }
    }

    /// What is known of infinite states, if this is one.
    fn infinite_at(&self, state: u32) -> Option<&Infinite> {
        self.infinite.as_ref().filter(|infinite| infinite.contains(state))
    }

    /// The states whose expected reward is infinite.
    fn infinite_states(&self) -> Option<&StateSet> {
        self.infinite.as_ref().map(Infinite::states)
    }

    /// Solves it again with other options: where that fails, what is known stays as it is.
    ///
    /// # Errors
    /// When the budget says stop, or a cyclic part is too large.
    pub fn solve_again(&mut self, options: &SolveOptions<'_>) -> Result<(), SolveError> {
        self.solution = solve(&self.built.model, &options.with_sense(self.solution.sense()))?;
        Ok(())
    }

    /// The choice to take in a state of the file, counted within the state: who follows it from there on attains the value, also
    /// an infinite one. None where play is over or nothing helps. `question` is the one that was answered.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn choice(&self, question: &Question<'_>, state: u32) -> Option<u32> {
        if let Some(infinite) = self.infinite_at(state) {
            let witness = infinite.witness(question.model, state)?;
            return Some(witness - question.model.choices(state).start);
        }
        let number = self.solution.policy().choice(self.built.number_of(state))?;
        // The engine knows only the choices that were given to it.
        open_choices(question.model, state, self.infinite_states())
            .nth(number as usize)
            .map(|choice| choice - question.model.choices(state).start)
    }

    /// What a choice of a state of the file (counted within the state) is worth, if play is best from there on; `None`
    /// where it is infinite, or the question is over in the state. `question` is the one that was answered.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn value_of_choice(&self, question: &Question<'_>, state: u32, choice: u32) -> Option<Value> {
        let first = question.model.choices(state).start;
        if self.infinite_at(state).is_some() {
            return self.mean_after(question, state, first + choice);
        }
        let place =
            open_choices(question.model, state, self.infinite_states()).position(|open| open - first == choice)?;
        let value = self.solution.values_of_choices(0, self.built.number_of(state)).nth(place);
        value.map(|value| self.lowered(state, value))
    }

    /// What a choice (by its number in the model) of an infinite state is worth, where that is finite.
    fn mean_after(&self, question: &Question<'_>, state: u32, choice: u32) -> Option<Value> {
        let reward = question.reward.map(|reward| earned(reward, state, choice));
        let outcomes = question.model.probabilities(choice).map(|(target, p)| Some((self.value(target)?, p)));
        let outcomes = outcomes.collect::<Option<Vec<(Value, Rational)>>>()?;
        let mean = |of: &dyn Fn(&Value) -> Option<Rational>| {
            outcomes
                .iter()
                .try_fold(reward.clone().unwrap_or(Rational::ZERO), |sum, (value, p)| Some(sum + of(value)? * p))
        };
        if let Some(exact) = mean(&|value| value.exact.clone()) {
            return Some(Value::exactly(exact));
        }
        let lower = mean(&|value| exactly(value.lower)).map_or(f64::NEG_INFINITY, |lower| enclose(&lower).0);
        let upper = mean(&|value| exactly(value.upper)).map_or(f64::INFINITY, |upper| enclose(&upper).1);
        Some(Value { lower, upper, exact: None })
    }

    /// Whether values are exact and the best choices proved.
    pub fn is_exact(&self) -> bool {
        self.solution.is_exact()
    }

    /// Whether [`advise`](Self::advise) has something to settle in this state: that can take as long as solving.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn is_open(&self, state: u32) -> bool {
        !self.is_exact() && self.solution.best().count(self.built.number_of(state)) > 1
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let numbers = self.built.numbers.as_ref().map_or(0, |numbers| numbers.capacity() as u64 * 4);
        let infinite = self.infinite.as_ref().map_or(0, Infinite::bytes);
        let raised = self.raised.as_ref().map_or(0, Raised::bytes);
        self.built.model.bytes() + self.solution.bytes() + numbers + infinite + raised
    }

    /// All choices of a state of the file, the one to take first; none where play is over or nothing helps.
    /// `question` is the one that was answered.
    ///
    /// # Errors
    /// When the budget says stop while settling what bounds cannot tell apart.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn advise(
        &self,
        question: &Question<'_>,
        state: u32,
        budget: &Budget<'_>,
    ) -> Result<Vec<ChoiceValue>, SolveError> {
        let choices = question.model.choices(state);
        if let Some(infinite) = self.infinite_at(state) {
            let told = |(choice, standing): (u32, Standing)| {
                let value = self.mean_after(question, state, choice);
                ChoiceValue { choice: choice - choices.start, value, best: standing.is_best(), standing }
            };
            let mut all: Vec<ChoiceValue> = infinite.standings(question.model, state).into_iter().map(told).collect();
            let worth = |own: &ChoiceValue| own.value.as_ref().map_or(f64::INFINITY, Value::decimal);
            all.sort_by(|a, b| a.standing.cmp(&b.standing).then(worth(b).total_cmp(&worth(a))));
            return Ok(all);
        }
        let open: Vec<u32> = open_choices(question.model, state, self.infinite_states()).collect();
        let advice = advise(&self.solution, self.built.number_of(state), Some(budget))?;
        if advice.is_empty() {
            return Ok(Vec::new());
        }
        let known = advice.into_iter().map(|Advice { choice, value, best, standing }| {
            // The engine knows only the choices that were given to it.
            ChoiceValue {
                choice: open[choice as usize] - choices.start,
                value: Some(self.lowered(state, value)),
                best,
                standing,
            }
        });
        let closed = choices.clone().filter(|choice| !open.contains(choice));
        let standing = Standing::Worse;
        let infinite =
            closed.map(|choice| ChoiceValue { choice: choice - choices.start, value: None, best: false, standing });
        Ok(known.chain(infinite).collect())
    }
}

/// What a choice of a state of the file is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceValue {
    /// Counted within the state.
    pub choice: u32,
    /// `None`: infinite.
    pub value: Option<Value>,
    /// Whether no other choice is better.
    pub best: bool,
    /// How it stands beside the one to take.
    pub standing: Standing,
}

/// A question as the engine gets it.
#[derive(Debug)]
pub struct Prepared {
    built: Built,
    infinite: Option<Infinite>,
    raised: Option<Raised>,
    sense: Sense,
}

impl Prepared {
    /// Gives every state its value.
    ///
    /// # Errors
    /// When the budget says stop, or a cyclic part is too large; with what is known all the same.
    pub fn answer(self, options: &SolveOptions<'_>) -> Result<Answer, Box<Unanswered<Answer>>> {
        let solved = solve(&self.built.model, &options.with_sense(self.sense));
        answered(solved, |solution| Answer {
            built: self.built,
            solution,
            infinite: self.infinite,
            raised: self.raised,
        })
    }
}

impl Question<'_> {
    /// Whether play is over in a state that is no goal: it may not lie on the way.
    pub(crate) fn is_over(&self, state: u32) -> bool {
        self.until.as_ref().is_some_and(|until| !until.contains(state))
    }

    /// The states from which the expected reward is infinite.
    fn infinite(&self, sense: Sense, budget: &Budget<'_>) -> Result<Infinite, Stopped> {
        let graph = Graph::new(self.model, &self.goal, None, budget)?;
        Infinite::new(&graph, self.model.states(), sense)
    }

    /// Puts the question to the engine: a model whose play ends at the goal, in solving order.
    ///
    /// # Errors
    /// When the budget says stop, or the model has more than the engine can number. When a reward is negative, and the goal
    /// can be missed: such a total is not defined.
    pub fn prepare(&self, budget: &Budget<'_>) -> Result<Prepared, Unprepared> {
        let Some(reward) = self.reward else {
            return Ok(Prepared {
                built: self.build(None, None, budget)?,
                infinite: None,
                raised: None,
                sense: self.sense,
            });
        };
        let signed = is_signed(self);
        // With negative rewards no policy may miss the goal, whichever is wanted.
        let infinite = self.infinite(if signed { Sense::Max } else { self.sense }, budget)?;
        let raised = if signed {
            if let Some(state) = on_the_way(self, infinite.states(), budget)? {
                return Err(Unprepared::Undefined(undefined(reward, state)));
            }
            Some(Raised::new(self, reward, infinite.states(), budget)?)
        } else {
            None
        };
        let earns = |state: u32, choice: u32| match &raised {
            Some(raised) => raised.earned(self.model, reward, state, choice),
            None => earned(reward, state, choice),
        };
        let built = self.build(Some(infinite.states()), Some(&earns), budget)?;
        Ok(Prepared { built, infinite: Some(infinite), raised, sense: self.sense })
    }

    /// The engine's model, where choices earn what is said; none: the probability of the goal is wanted.
    pub(crate) fn build(
        &self,
        infinite: Option<&StateSet>,
        earns: Option<&Earns<'_>>,
        budget: &Budget<'_>,
    ) -> Result<Built, BuildError> {
        budget.more_memory(engine_bytes(self.model))?;
        budget.memory(self.model.bytes() + engine_bytes(self.model))?;
        let mut making = Making::new(self.model, &self.goal, infinite, earns, budget)?;
        making.until = self.until.as_ref();
        making.add(self.model, 0..self.model.states())?;
        making.builder.build(Some(budget))
    }
}

/// What a choice (by its number in the model) of a state earns, with what the state does.
type Earns<'a> = dyn Fn(u32, u32) -> Rational + 'a;

/// What a choice of a state earns in a reward model.
pub(crate) fn earned(reward: &RewardModel, state: u32, choice: u32) -> Rational {
    reward.of_state(state) + reward.of_choice(choice)
}

/// Why a total with negative rewards has no value.
fn undefined(reward: &RewardModel, state: u32) -> Unusable {
    let name = reward.name();
    Unusable {
        problem: format!(
            "the reward model `{name}` has negative rewards, and from state {state} the goal can be missed"
        ),
        remedy: "with negative rewards a total is defined where the goal is reached for certain, whatever is chosen"
            .into(),
    }
}

/// A question for a probability, with its model for good: what has been put to the engine is given back to
/// the system.
///
/// # Errors
/// As [`Question::prepare`].
pub fn prepare_and_drop(
    model: ExplicitModel,
    goal: &StateSet,
    sense: Sense,
    budget: &Budget<'_>,
) -> Result<Prepared, BuildError> {
    /// So few that each is large enough to be given back at once.
    const BLOCKS: u32 = 8;
    budget.memory(engine_bytes(&model) + model.bytes() / u64::from(BLOCKS))?;
    let more = engine_bytes(&model) / u64::from(BLOCKS);
    let mut making = Making::new(&model, goal, None, None, budget)?;
    for block in model.into_blocks(BLOCKS) {
        budget.more_memory(more)?;
        making.add(&block, block.states())?;
    }
    Ok(Prepared { built: making.builder.build(Some(budget))?, infinite: None, raised: None, sense })
}

/// Bytes that the engine's model takes before it is put in order: 8 for a state, 4 for a choice, for a
/// transition and for a reward.
fn engine_bytes(model: &ExplicitModel) -> u64 {
    let words = 2 * u64::from(model.choice_count()) + u64::from(model.transitions());
    8 * u64::from(model.states()) + 4 * words + model.distributions().bytes()
}

/// The choices of a state that do not lead to states with infinite value.
fn open_choices<'a>(model: &'a impl Outcomes, state: u32, infinite: Option<&'a StateSet>) -> impl Iterator<Item = u32> {
    let finite = move |choice: &u32| {
        infinite.is_none_or(|set| !model.outcomes(*choice).0.iter().any(|target| set.contains(*target)))
    };
    model.choices(state).filter(finite)
}

/// The engine's model in the making.
struct Making<'a> {
    builder: ModelBuilder,
    /// The engine's numbers of the file's weight vectors.
    weights: Vec<WeightsId>,
    goal: &'a StateSet,
    until: Option<&'a StateSet>,
    infinite: Option<&'a StateSet>,
    earns: Option<&'a Earns<'a>>,
    budget: &'a Budget<'a>,
}

impl<'a> Making<'a> {
    fn new(
        model: &ExplicitModel,
        goal: &'a StateSet,
        infinite: Option<&'a StateSet>,
        earns: Option<&'a Earns<'a>>,
        budget: &'a Budget<'a>,
    ) -> Result<Self, BuildError> {
        let words = model.choice_count() as usize + model.transitions() as usize;
        let mut builder = ModelBuilder::with_capacity(model.states() as usize, words);
        let weights = model.distributions().iter().map(|weights| {
            budget.step(Stage::Ordering, 0, model.states().into())?;
            match weights {
                Weights::Small { weights, .. } => builder.weights(weights),
                Weights::Large { weights, .. } => builder.large_weights(weights),
            }
        });
        let weights = weights.collect::<Result<Vec<_>, _>>()?;
        if earns.is_some() {
            // Who never reaches the goal has no finite total, though nothing is earned on the way.
            builder.must_end();
        }
        Ok(Self { builder, weights, goal, until: None, infinite, earns, budget })
    }

    /// Adds the next states.
    fn add(&mut self, model: &impl Outcomes, states: Range<u32>) -> Result<(), BuildError> {
        let Self { builder, weights, goal, until, infinite, earns, budget } = self;
        let at_goal = if earns.is_some() { Rational::ZERO } else { Rational::ONE };
        for state in states {
            budget.step(Stage::Ordering, state.into(), 0)?;
            // Where every choice stays, play is as good as over: no cycle has to be solved.
            let stays = |choice: u32| model.outcomes(choice).0.iter().all(|target| *target == state);
            let blocked = until.is_some_and(|until| !until.contains(state));
            let over = blocked || infinite.is_some_and(|set| set.contains(state)) || model.choices(state).all(stays);
            if goal.contains(state) {
                builder.finished(std::slice::from_ref(&at_goal))?;
                continue;
            }
            if over {
                builder.finished(&[Rational::ZERO])?;
                continue;
            }
            for choice in open_choices(model, state, *infinite) {
                if let Some(earns) = earns {
                    builder.reward(&earns(state, choice))?;
                }
                let (targets, distribution) = model.outcomes(choice);
                builder.choice(weights[distribution as usize], targets)?;
            }
            builder.finish_state()?;
        }
        Ok(())
    }
}
