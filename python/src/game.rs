//! Explores a game written in Python: discovers its states one by one and builds a model for the engine.

use budget::{Progress, Stage};
use dashu_int::UBig;
use mdp::{Distribution, ModelBuilder, Rational, StateId, Weight, WeightsId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::session::{Run, Session};
use crate::solution::Space;
use crate::turn::{Turn, TurnChoice, Weights, weighted};
use crate::wrong::Wrong;

/// The least memory of a state, here and in Python, in bytes: its share of two lists and a table, and a small object.
const STATE_BYTES: u64 = 200;

/// The most characters of a state in an error.
const SHOWN: usize = 500;

/// An exploration under way.
struct Exploring<'p, 'py> {
    py: Python<'py>,
    session: &'p Session<'p, 'p>,
    /// The number of each state.
    index: Bound<'py, PyDict>,
    states: Vec<Bound<'py, PyAny>>,
    names: Vec<Vec<Option<Py<PyAny>>>>,
    builder: ModelBuilder,
    certain: WeightsId,
}

impl<'py> Exploring<'_, 'py> {
    /// The number of a state, which is added when it is new.
    fn number(&mut self, state: &Bound<'py, PyAny>) -> PyResult<StateId> {
        if let Some(number) = self.index.get_item(state)? {
            return number.extract();
        }
        let number =
            StateId::try_from(self.states.len()).map_err(|_| PyValueError::new_err("more than 2^32 states"))?;
        self.session.budget.states(u64::from(number) + 1).map_err(Wrong::from)?;
        self.index.set_item(state, number)?;
        self.states.push(state.clone());
        Ok(number)
    }

    /// An error about a state.
    fn error(state: &Bound<'py, PyAny>, problem: &str) -> PyErr {
        let state = state.repr().map_or_else(|_| "?".into(), |text| text.to_string());
        let state: String = state.chars().take(SHOWN).collect();
        PyValueError::new_err(format!("{problem} ({state})"))
    }

    /// Adds a state to the model, with its payoffs or its choices.
    fn add_state(&mut self, state: &Bound<'py, PyAny>, payoffs: &[Rational], choices: Vec<TurnChoice>) -> PyResult<()> {
        let error = |problem: &str| Err(Self::error(state, problem));
        match (payoffs.is_empty(), choices.is_empty()) {
            (true, true) => return error("a state has neither a payoff nor a choice"),
            (false, false) => return error("a state has both a payoff and choices"),
            (false, true) => {
                self.names.push(Vec::new());
                return self.builder.finished(payoffs).map_err(|problem| Self::error(state, &problem.to_string()));
            }
            (true, false) => {}
        }
        let mut names = Vec::with_capacity(choices.len());
        for TurnChoice { name, earned, states, weights } in choices {
            if states.is_empty() {
                return error("a choice is left to a chance of no outcomes");
            }
            if let Some(earned) = earned {
                self.builder.reward(&earned).map_err(Wrong::from)?;
            }
            let targets = states.iter().map(|next| self.number(next.bind(self.py))).collect::<PyResult<Vec<_>>>()?;
            self.add(targets, weights).map_err(|problem| match problem {
                Wrong::Bad(problem) => Self::error(state, &problem),
                other => other.into(),
            })?;
            names.push(name);
        }
        self.names.push(if names.iter().any(Option::is_some) { names } else { Vec::new() });
        self.builder.finish_state().map_err(|problem| Self::error(state, &problem.to_string()))
    }

    /// Adds a choice; equal targets are merged.
    fn add(&mut self, targets: Vec<StateId>, weights: Weights) -> Result<(), Wrong> {
        if let [only] = targets[..] {
            return Ok(self.builder.choice(self.certain, &[only])?);
        }
        let (weights, targets) = match weights {
            Weights::Equal => {
                let (targets, counts) = merged(targets.into_iter().map(|target| (target, 1u64)), |sum, one| {
                    *sum += one;
                    true
                })
                .ok_or_else(too_large)?;
                (self.builder.weights(&counts)?, targets)
            }
            Weights::Small(weights) => {
                let add = |sum: &mut u64, more: u64| sum.checked_add(more).map(|new| *sum = new).is_some();
                let (targets, weights) = merged(targets.into_iter().zip(weights), add).ok_or_else(too_large)?;
                (self.builder.weights(&weights)?, targets)
            }
            Weights::Large(weights) => {
                let (targets, weights) = merged(targets.into_iter().zip(weights), |sum: &mut UBig, more| {
                    *sum += more;
                    true
                })
                .ok_or_else(too_large)?;
                (self.builder.large_weights(&weights)?, targets)
            }
        };
        Ok(self.builder.choice(weights, &targets)?)
    }

    /// Reports progress, and stops at a limit.
    fn report(&self, done: usize) -> PyResult<()> {
        if !done.is_multiple_of(256) {
            return Ok(());
        }
        let memory = self.builder.bytes() + STATE_BYTES * self.states.len() as u64;
        let waiting = (self.states.len() - done) as u64;
        let progress = Progress { stage: Stage::Exploring, done: done as u64, waiting, memory };
        self.session.budget.advance(progress).map_err(Wrong::from)?;
        // The model so far, and its copy in solving order.
        self.session.budget.memory(memory + self.builder.bytes()).map_err(Wrong::from)?;
        self.session.pause(self.py)
    }
}

fn too_large() -> Wrong {
    Wrong::Bad("weights that sum to more than 2^64 (give them as Fractions)".into())
}

/// Each target once with the sum of its weights, in the order of their first appearance. `add` returns whether the sum fits.
fn merged<W>(
    outcomes: impl ExactSizeIterator<Item = (StateId, W)>,
    mut add: impl FnMut(&mut W, W) -> bool,
) -> Option<(Vec<StateId>, Vec<W>)> {
    /// Up to so many outcomes are searched one by one.
    const FEW: usize = 16;
    let few = outcomes.len() <= FEW;
    let (mut targets, mut weights) = (Vec::with_capacity(outcomes.len()), Vec::with_capacity(outcomes.len()));
    let mut places = std::collections::HashMap::new();
    for (target, weight) in outcomes {
        let place = if few { targets.iter().position(|other| *other == target) } else { places.get(&target).copied() };
        if let Some(place) = place {
            if !add(&mut weights[place], weight) {
                return None;
            }
        } else {
            if !few {
                places.insert(target, targets.len());
            }
            targets.push(target);
            weights.push(weight);
        }
    }
    Some((targets, weights))
}

/// Explores a game, which is an object with `starts` and `rules`.
#[pyfunction]
#[pyo3(signature = (game, run=None))]
pub fn explore(py: Python<'_>, game: &Bound<'_, PyAny>, run: Option<&Bound<'_, PyDict>>) -> PyResult<Space> {
    Run::new(run)?.session(|session| {
        let mut builder = ModelBuilder::new();
        let certain = builder.weights(&[1]).map_err(Wrong::from)?;
        let (states, names) = (Vec::new(), Vec::new());
        let mut exploring = Exploring { py, session, index: PyDict::new(py), states, names, builder, certain };
        let mut starts = Vec::new();
        for start in game.call_method0(intern!(py, "starts"))?.try_iter()? {
            starts.push(start_of(&start?, &mut exploring)?);
        }
        if starts.is_empty() {
            return Err(PyValueError::new_err("the game has no start"));
        }
        let rules = game.getattr(intern!(py, "rules"))?;
        let turn = Bound::new(py, Turn::default())?;
        let mut done = 0;
        while done < exploring.states.len() {
            exploring.report(done)?;
            let state = exploring.states[done].clone();
            let returned = rules.call1((&state, &turn))?;
            if !returned.is_none() {
                return Err(PyTypeError::new_err("rules() calls methods of the turn, and returns nothing"));
            }
            let (payoffs, choices) = {
                let mut turn = turn.try_borrow_mut()?;
                let recorded = (std::mem::take(&mut turn.payoffs), std::mem::take(&mut turn.choices));
                turn.clear();
                recorded
            };
            exploring.add_state(&state, &payoffs, choices)?;
            done += 1;
        }
        let Exploring { states, names, builder, .. } = exploring;
        let built = session.away(py, || Ok(builder.build(Some(session.budget))?))?;
        // In the engine's order.
        let count = states.len();
        let mut ordered: Vec<Option<Bound<'_, PyAny>>> = vec![None; count];
        let mut ordered_names: Vec<Vec<Option<Py<PyAny>>>> = Vec::new();
        ordered_names.resize_with(count, Vec::new);
        let index = PyDict::new(py);
        for ((state, names), own) in states.into_iter().zip(names).zip(0..) {
            let number = built.number_of(own);
            index.set_item(&state, number)?;
            ordered[number as usize] = Some(state);
            ordered_names[number as usize] = names;
        }
        let starts = starts.into_iter().map(|start| start.map(|state| built.number_of(*state))).collect();
        let states = PyList::new(py, ordered.into_iter().flatten().collect::<Vec<_>>())?.unbind();
        Ok(Space::new(built.model, starts, states, index.unbind(), ordered_names))
    })
}

/// A start: a state, or an object with `outcomes`, pairs of states and weights.
fn start_of<'py>(start: &Bound<'py, PyAny>, exploring: &mut Exploring<'_, 'py>) -> PyResult<Distribution<StateId>> {
    let chance =
        exploring.py.import(intern!(exploring.py, "bestplay._game"))?.getattr(intern!(exploring.py, "Chance"))?;
    if !start.is_instance(&chance)? {
        return Ok(Distribution::certain(exploring.number(start)?));
    }
    let (states, weights) = weighted(&start.getattr(intern!(exploring.py, "outcomes"))?)?;
    let weights: Vec<UBig> = match weights {
        Weights::Equal => vec![UBig::ONE; states.len()],
        Weights::Small(weights) => weights.into_iter().map(UBig::from).collect(),
        Weights::Large(weights) => weights,
    };
    let numbers =
        states.iter().map(|state| exploring.number(state.bind(exploring.py))).collect::<PyResult<Vec<_>>>()?;
    let start = Distribution::weighted(numbers.into_iter().zip(weights.into_iter().map(Weight)));
    Ok(start.map_err(|error| PyValueError::new_err(error.to_string()))?.merge())
}
