//! A model for playing move by move.

use std::sync::Arc;

use mdp::{Distribution, Model, Rational, StateId, nearest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::numbers::Index;

/// States, choices and outcomes by their numbers.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Graph {
    model: Arc<Model>,
    starts: Vec<Distribution<StateId>>,
}

impl Graph {
    /// A graph of a model with these starts.
    pub fn new(model: Arc<Model>, starts: Vec<Distribution<StateId>>) -> Self {
        Self { model, starts }
    }

    fn known(&self, Index(state): Index) -> PyResult<StateId> {
        let states = self.model.states();
        let right = || format!("state {state}: there are {states}, numbered from 0");
        if state < states { Ok(state) } else { Err(PyValueError::new_err(right())) }
    }

    fn choice(&self, state: Index, Index(choice): Index) -> PyResult<mdp::Choice<'_>> {
        let state = self.known(state)?;
        let found = self.model.choice(state, choice);
        found.ok_or_else(|| PyValueError::new_err(format!("state {state} has no choice {choice}")))
    }
}

#[pymethods]
impl Graph {
    /// How many states there are.
    fn states(&self) -> StateId {
        self.model.states()
    }

    /// The most choices that a state has.
    fn most_choices(&self, py: Python<'_>) -> usize {
        py.detach(|| (0..self.model.states()).map(|state| self.model.choices(state).count()).max().unwrap_or(0))
    }

    /// A start: states with their probabilities.
    fn start(&self, start: Index) -> PyResult<(Vec<StateId>, Vec<f64>)> {
        let Index(start) = start;
        let found = self.starts.get(start as usize);
        let start = found.ok_or_else(|| PyValueError::new_err(format!("there is no start {start}")))?;
        Ok(start.probabilities().map(|(state, probability)| (*state, nearest(&probability))).unzip())
    }

    /// How many choices a state has; 0 where play is over.
    fn choices(&self, state: Index) -> PyResult<usize> {
        let state = self.known(state)?;
        Ok(self.model.choices(state).count())
    }

    /// Where a choice leads, with probabilities.
    fn outcomes(&self, state: Index, choice: Index) -> PyResult<(Vec<StateId>, Vec<f64>)> {
        let choice = self.choice(state, choice)?;
        let total = self.model.weights().total(choice.weights);
        let weights = self.model.weights().weight_list(choice.weights);
        let probability = |weight: dashu_int::UBig| nearest(&Rational::from_parts(weight.into(), total.clone()));
        Ok((choice.targets.to_vec(), weights.into_iter().map(probability).collect()))
    }

    /// The reward of a choice.
    fn reward(&self, state: Index, choice: Index) -> PyResult<f64> {
        let reward = self.choice(state, choice)?.reward;
        Ok(reward.map_or(0.0, |reward| nearest(&self.model.rewards()[reward as usize])))
    }

    /// The first payoff of a finished state; 0 elsewhere.
    fn payoff(&self, state: Index) -> PyResult<f64> {
        let state = self.known(state)?;
        Ok(self.model.payoff(state).and_then(<[Rational]>::first).map_or(0.0, nearest))
    }
}
