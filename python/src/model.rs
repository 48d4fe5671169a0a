//! Models from files and arrays, and questions about them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use budget::Budget;
use mdp::Rational;
use model_files::{Arrays, Builder, Column, ExplicitModel, Expression, Kind, RewardModel, StateSet, read};
use model_questions::{Bound as Most, Question, Solved, Unfolded, bounded_reward_model};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{Answer, OwnedQuestion, unanswered};
use crate::numbers::{Index, number};
use crate::session::Run;
use crate::solution::{method_named, precision_within, sense_named};
use crate::wrong::Wrong;

/// A Markov decision process or a Markov chain.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Model {
    model: Arc<ExplicitModel>,
}

/// Numbers as Python passes them: an array of doubles, or a sequence of numbers of any kind.
#[derive(FromPyObject)]
enum Numbers<'py> {
    Doubles(PyReadonlyArray1<'py, f64>),
    Listed(Vec<Bound<'py, PyAny>>),
}

/// States: an expression over labels, or their numbers.
#[derive(FromPyObject)]
enum States<'py> {
    Text(String),
    Numbers(PyReadonlyArray1<'py, i64>),
}

/// States as [`States`], without objects of Python.
enum Named {
    Text(String),
    Numbers(Vec<i64>),
}

impl States<'_> {
    fn named(self) -> PyResult<Named> {
        Ok(match self {
            Self::Text(text) => Named::Text(text),
            Self::Numbers(numbers) => Named::Numbers(slice(&numbers)?.to_vec()),
        })
    }
}

impl Named {
    fn states(&self, model: &ExplicitModel, argument: &str, budget: &Budget<'_>) -> Result<StateSet, Wrong> {
        match self {
            Self::Numbers(numbers) => set(argument, numbers, model.states()),
            Self::Text(text) => {
                let states = Expression::parse(text).and_then(|expression| expression.states(model, budget));
                states.map_err(|error| match Wrong::from(error) {
                    Wrong::Bad(problem) => Wrong::Bad(format!("{argument}, {problem}")),
                    other => other,
                })
            }
        }
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Numbers(_) => None,
        }
    }
}

fn slice<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| PyValueError::new_err("an array with gaps (numpy.ascontiguousarray closes them)"))
}

/// These states as a set.
fn set(argument: &str, numbers: &[i64], states: u32) -> Result<StateSet, Wrong> {
    let known = |number: &i64| {
        let known = u32::try_from(*number).ok().filter(|number| *number < states);
        known.ok_or_else(|| {
            Wrong::bad(format!("{argument}: state {number}"), format!("there are {states}, numbered from 0"))
        })
    };
    let mut numbers = numbers.iter().map(known).collect::<Result<Vec<u32>, _>>()?;
    numbers.sort_unstable();
    let mut set = StateSet::new(states);
    for state in numbers {
        set.push(state);
    }
    Ok(set)
}

/// The numbers of a sequence as fractions; none for an array of doubles.
fn fractions(argument: &str, numbers: &Numbers<'_>) -> PyResult<Vec<Rational>> {
    let Numbers::Listed(list) = numbers else { return Ok(Vec::new()) };
    let each = |(place, value)| {
        number(value).map_err(|error: PyErr| {
            let py = value.py();
            let message = format!("{argument}[{place}]: {}", error.value(py));
            if error.is_instance_of::<PyTypeError>(py) {
                PyTypeError::new_err(message)
            } else {
                PyValueError::new_err(message)
            }
        })
    };
    list.iter().enumerate().map(each).collect()
}

/// A column as the engine takes it.
fn column<'a>(numbers: &'a Numbers<'_>, fractions: &'a [Rational]) -> PyResult<Column<'a>> {
    Ok(match numbers {
        Numbers::Doubles(list) => Column::Doubles(slice(list)?),
        Numbers::Listed(_) => Column::Fractions(fractions),
    })
}

/// A reward model as arrays: its name, the rewards of states, and the rewards of choices.
type Rewards<'py> = (String, Option<Numbers<'py>>, Option<Numbers<'py>>);

impl Model {
    fn new(model: ExplicitModel) -> Self {
        Self { model: Arc::new(model) }
    }

    /// The model itself.
    pub fn explicit(&self) -> &Arc<ExplicitModel> {
        &self.model
    }

    fn known(&self, Index(state): Index) -> PyResult<u32> {
        let states = self.model.states();
        let right = || format!("state {state}: there are {states}, numbered from 0");
        if state < states { Ok(state) } else { Err(PyValueError::new_err(right())) }
    }
}

#[pymethods]
impl Model {
    /// A model from compressed sparse rows, one for each choice.
    #[staticmethod]
    #[pyo3(signature = (choices, indptr, indices, data, initial, labels, rewards, actions, run=None))]
    fn from_arrays(
        py: Python<'_>,
        choices: Option<PyReadonlyArray1<'_, i64>>,
        indptr: PyReadonlyArray1<'_, i64>,
        indices: PyReadonlyArray1<'_, i64>,
        data: Numbers<'_>,
        initial: PyReadonlyArray1<'_, i64>,
        labels: Vec<(String, PyReadonlyArray1<'_, i64>)>,
        rewards: Vec<Rewards<'_>>,
        actions: Option<Vec<String>>,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (indptr, indices) = (slice(&indptr)?, slice(&indices)?);
        let choices = choices.as_ref().map(slice).transpose()?;
        let exact = fractions("data", &data)?;
        let arrays = Arrays { choices, indptr, indices, data: column(&data, &exact)? };
        let states = choices.unwrap_or(indptr).len().saturating_sub(1);
        let states = u32::try_from(states).map_err(|_| PyValueError::new_err(format!("{states} states")))?;
        let mut exacts = Vec::new();
        for (name, of_states, of_choices) in &rewards {
            let fractions = |what: &str, numbers: &Option<Numbers<'_>>| match numbers {
                Some(numbers) => fractions(&format!("{what}[{name:?}]"), numbers),
                None => Ok(Vec::new()),
            };
            exacts.push((fractions("state_rewards", of_states)?, fractions("choice_rewards", of_choices)?));
        }
        let mut earned = Vec::new();
        for ((name, of_states, of_choices), (exact_of_states, exact_of_choices)) in rewards.iter().zip(&exacts) {
            let of_states = of_states.as_ref().map(|own| column(own, exact_of_states)).transpose()?;
            let of_choices = of_choices.as_ref().map(|own| column(own, exact_of_choices)).transpose()?;
            earned.push((name, of_states, of_choices));
        }
        let initial = slice(&initial)?;
        let marked = labels.iter().map(|(name, states)| Ok((name, slice(states)?))).collect::<PyResult<Vec<_>>>()?;
        let model = Run::new(run)?.away(py, |session| {
            let mut builder = Builder::from_arrays(&arrays, session.budget)?;
            builder.initial(set("initial", initial, states)?);
            for (name, numbers) in marked {
                builder.label(name, set(&format!("labels[{name:?}]"), numbers, states)?)?;
            }
            for (name, of_states, of_choices) in earned {
                builder.reward_arrays(name, of_states, of_choices)?;
            }
            if let Some(actions) = &actions {
                builder.name_choices(actions.iter().map(String::as_str))?;
            }
            Ok(builder.finish()?)
        })?;
        Ok(Self::new(model))
    }

    /// A model from a DRN or UMB file.
    #[staticmethod]
    #[pyo3(signature = (path, run=None))]
    fn read(py: Python<'_>, path: PathBuf, run: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let named = |wrong: Wrong| match wrong {
            Wrong::Bad(problem) => Wrong::Bad(format!("{}: {problem}", path.display())),
            other => other,
        };
        let model =
            Run::new(run)?.away(py, |session| read(&path, session.budget).map_err(|error| named(error.into())))?;
        Ok(Self::new(model))
    }

    /// A model from a text in the PRISM language, with values for its constants and more labels.
    #[staticmethod]
    #[pyo3(signature = (text, constants, labels, run=None))]
    fn from_prism(
        py: Python<'_>,
        text: &str,
        constants: Vec<(String, String)>,
        labels: Vec<String>,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let constants: Vec<(&str, &str)> =
            constants.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let model = Run::new(run)?.away(py, |session| {
            prism::read(text, &constants, &labels, session.budget).map_err(|error| match error {
                prism::Error::Stopped(stopped) => stopped.into(),
                prism::Error::Bad { at: Some(prism::At { line, column, .. }), problem, remedy } => {
                    Wrong::bad(format!("line {line}, column {column}: {problem}"), remedy)
                }
                prism::Error::Bad { at: None, problem, remedy } => Wrong::bad(problem, remedy),
                prism::Error::Given { text, column, problem, remedy, .. } => {
                    Wrong::bad(format!("`{text}`, column {column}: {problem}"), remedy)
                }
                error @ prism::Error::NoState { .. } => Wrong::bad(error.to_string(), "a state that it has"),
            })
        })?;
        Ok(Self::new(model))
    }

    /// How many states there are.
    fn states(&self) -> u32 {
        self.model.states()
    }

    /// How many choices all states have together.
    fn choices(&self) -> u32 {
        self.model.choice_count()
    }

    /// How many transitions all choices have together.
    fn transitions(&self) -> u32 {
        self.model.transitions()
    }

    /// Whether no state has more than one choice.
    fn is_chain(&self) -> bool {
        self.model.kind() == Kind::Dtmc
    }

    /// The number of choices whose probabilities missed 1 a little and were divided by their sum.
    fn normalised_choices(&self) -> u64 {
        self.model.normalised_choices()
    }

    /// Where play begins.
    fn initial(&self) -> Vec<u32> {
        self.model.initial().iter().collect()
    }

    /// The names of the labels.
    fn labels(&self) -> Vec<String> {
        self.model.labels().iter().map(|(name, _)| name.clone()).collect()
    }

    /// The states that an expression over labels describes.
    fn states_of<'py>(&self, py: Python<'py>, states: States<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let set = states.named()?.states(&self.model, "states", &Budget::unlimited())?;
        Ok(set.iter().map(i64::from).collect::<Vec<_>>().into_pyarray(py))
    }

    /// The names of the reward models.
    fn rewards(&self) -> Vec<String> {
        self.model.rewards().iter().map(|reward| reward.name().into()).collect()
    }

    /// How many choices a state has; 0 where play is over.
    fn choices_of(&self, state: Index) -> PyResult<usize> {
        let state = self.known(state)?;
        Ok(self.model.choices(state).len())
    }

    /// The most choices that a state has.
    fn most_choices(&self, py: Python<'_>) -> usize {
        py.detach(|| (0..self.model.states()).map(|state| self.model.choices(state).len()).max().unwrap_or(0))
    }

    /// The number of a choice in the whole model.
    fn choice_number(&self, state: Index, choice: Index) -> PyResult<u32> {
        let (state, Index(choice)) = (self.known(state)?, choice);
        let choices = self.model.choices(state);
        let number = choices.start.checked_add(choice).filter(|number| choices.contains(number));
        number.ok_or_else(|| PyValueError::new_err(format!("state {state} has no choice {choice}")))
    }

    /// The name of a choice of a state, if it has one.
    fn action(&self, state: Index, choice: Index) -> PyResult<Option<String>> {
        Ok(self.model.action(self.choice_number(state, choice)?).map(String::from))
    }

    /// Where a choice of a state leads, with probabilities.
    fn outcomes(&self, state: Index, choice: Index) -> PyResult<(Vec<u32>, Vec<f64>)> {
        let outcomes = self.model.probabilities(self.choice_number(state, choice)?);
        Ok(outcomes.map(|(target, probability)| (target, mdp::nearest(&probability))).unzip())
    }

    /// The reward of being in a state and taking a choice there, in a reward model.
    fn earned(&self, reward: &str, state: Index, choice: Index) -> PyResult<f64> {
        let choice = self.choice_number(state, choice)?;
        let reward =
            self.model.reward(reward).ok_or_else(|| PyValueError::new_err(format!("no reward model `{reward}`")))?;
        Ok(mdp::nearest(&(reward.of_state(state.0) + reward.of_choice(choice))))
    }

    /// Answers a question.
    #[pyo3(signature = (goal, sense, reward, until, steps, reward_bounds, all_states, exact, precision, method, run=None))]
    fn solve(
        &self,
        py: Python<'_>,
        goal: States<'_>,
        sense: &str,
        reward: Option<String>,
        until: Option<States<'_>>,
        steps: Option<u64>,
        reward_bounds: Vec<(String, Bound<'_, PyAny>)>,
        all_states: bool,
        exact: bool,
        precision: f64,
        method: &str,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let (sense, method, precision) = (sense_named(sense)?, method_named(method)?, precision_within(precision)?);
        if reward.is_some() && (until.is_some() || !reward_bounds.is_empty()) {
            return Err(PyTypeError::new_err("reward cannot be combined with until or reward_bounds"));
        }
        let (goal, until) = (goal.named()?, until.map(States::named).transpose()?);
        let mut most = Vec::new();
        for (name, bound) in reward_bounds {
            let bound = number(&bound)?;
            if bound < Rational::ZERO {
                return Err(PyValueError::new_err(format!("reward_bounds[{name:?}]: a bound is at least 0")));
            }
            most.push((name, bound));
        }
        let model = &self.model;
        let answer = Run::new(run)?.away(py, |session| {
            let budget = session.budget;
            let owned = OwnedQuestion {
                model: model.clone(),
                goal: goal.states(model, "goal", budget)?,
                goal_text: goal.text(),
                until_text: until.as_ref().and_then(Named::text),
                until: until.as_ref().map(|until| until.states(model, "until", budget)).transpose()?,
                is_until: until.is_some(),
                sense,
                reward,
            };
            let question = owned.borrowed()?;
            let options = session.solve_options().with_exact(exact).with_method(method).with_precision(precision);
            let all = all_states || model.initial().is_empty();
            let valued_states = if all { StateSet::from_fn(model.states(), |_| true) } else { model.initial().clone() };
            let began = Instant::now();
            let (mut solved, valued) = if steps.is_some() || !most.is_empty() {
                let mut bounds: Vec<Most<'_>> = steps.map(Most::Steps).into_iter().collect();
                for (name, bound) in &most {
                    bounds.push(Most::Reward(bounded_reward_model(model, name)?, bound.clone()));
                }
                (unfolded(&question, &bounds, &valued_states, &options, budget)?, Some(valued_states.clone()))
            } else {
                let prepared = question.prepare(budget)?;
                let answer = prepared
                    .answer(&options)
                    .map_err(|why| unanswered(*why, &valued_states, model_questions::Answer::value))?;
                (Solved::Reached(answer), None)
            };
            let within = solved.sharpen(valued_states.iter().collect::<Vec<u32>>().into_iter(), precision, &options)?;
            Ok(Answer { question: owned, solved, valued, exact, within, took: began.elapsed() })
        })?;
        Ok(answer)
    }

    /// Writes it as a DRN file, whole or not at all.
    #[pyo3(signature = (path, run=None))]
    fn write_drn(&self, py: Python<'_>, path: PathBuf, run: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        Run::new(run)?.away(py, |session| {
            whole_file::write(&path, |file| model_files::write_drn(&self.model, file, session.budget)).map_err(
                |error| match budget::Stopped::behind(&error) {
                    Some(stopped) => Wrong::Stopped(stopped, None),
                    None => Wrong::Failed(format!("cannot write {}: {error}", path.display())),
                },
            )
        })
    }

    fn __repr__(&self) -> String {
        let rewards: Vec<&str> = self.model.rewards().iter().map(RewardModel::name).collect();
        format!(
            "Model({} states, {} choices, {} transitions, rewards: {})",
            self.model.states(),
            self.model.choice_count(),
            self.model.transitions(),
            if rewards.is_empty() { "none".into() } else { rewards.join(", ") }
        )
    }
}

/// Answers a question with bounds on steps and rewards for these states.
fn unfolded(
    question: &Question<'_>,
    bounds: &[Most<'_>],
    valued_states: &StateSet,
    options: &mdp::SolveOptions<'_>,
    budget: &Budget<'_>,
) -> Result<Solved, Wrong> {
    let unfolded = Unfolded::new(question, bounds, valued_states.iter().collect(), budget)?.ok_or_else(|| {
        Wrong::bad("reward_bounds: more than 64 bits", "a smaller bound, or rewards with fewer digits")
    })?;
    let answer = unfolded.answer(question, options);
    Ok(Solved::Unfolded(answer.map_err(|why| unanswered(*why, valued_states, model_questions::UnfoldedAnswer::value))?))
}
