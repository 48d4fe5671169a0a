//! The answer to a question about a model, as a class of Python.

use std::sync::Arc;
use std::time::Duration;

use mdp::{Sense, SolveError, Value, decimal_text};
use model_files::{ExplicitModel, StateSet};
use model_questions::{ChoiceValue, Question, Solved, Unanswered, certificate, reward_model};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::numbers::{Choices, Index, ValueTuple, choice_tuples, fraction, value_tuple};
use crate::session::Run;
use crate::wrong::Wrong;

/// A question, with the data that outlives the call that asked it.
pub struct OwnedQuestion {
    pub model: Arc<ExplicitModel>,
    pub goal: StateSet,
    /// The expression of the goal; `None` where its states were given by number, and so for `until_text`.
    pub goal_text: Option<String>,
    pub until_text: Option<String>,
    pub until: Option<StateSet>,
    pub is_until: bool,
    pub sense: Sense,
    pub reward: Option<String>,
}

impl OwnedQuestion {
    /// The question as the engine takes it.
    pub fn borrowed(&self) -> Result<Question<'_>, Wrong> {
        let reward = self.reward.as_deref().map(|name| reward_model(&self.model, name)).transpose()?;
        let (goal, until) = (self.goal.clone(), self.until.clone());
        Ok(Question { model: &self.model, goal, until, sense: self.sense, reward })
    }
}

/// The error of a question without an answer, with the bounds known so far for the first of these states.
pub fn unanswered<A>(why: Unanswered<A>, states: &StateSet, value: impl Fn(&A, u32) -> Option<Value>) -> Wrong {
    const SHOWN: usize = 8;
    let known = why.known.map(|known| {
        let values = states.iter().take(SHOWN).filter_map(|state| {
            let Value { lower, upper, .. } = value(&known, state)?;
            Some(format!("state {state} is between {} and {}", decimal_text(lower), decimal_text(upper)))
        });
        values.collect::<Vec<_>>().join(", ")
    });
    match why.error {
        SolveError::Stopped(stopped) => Wrong::Stopped(stopped, known),
        error => error.into(),
    }
}

/// The value of every state.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Answer {
    pub question: OwnedQuestion,
    pub solved: Solved,
    /// The states that have a value; `None` means all.
    pub valued: Option<StateSet>,
    pub exact: bool,
    /// Whether the bounds are as close as `precision` asks.
    pub within: bool,
    /// How long the engine took.
    pub took: Duration,
}

impl Answer {
    fn is_valued(&self, state: u32) -> bool {
        self.valued.as_ref().is_none_or(|valued| valued.contains(state))
    }

    fn known(&self, Index(state): Index) -> PyResult<u32> {
        let states = self.question.model.states();
        if state >= states {
            return Err(PyValueError::new_err(format!("state {state}: there are {states}, numbered from 0")));
        }
        if !self.is_valued(state) {
            let help = "with bounds only initial states have a value, unless all_states=True";
            return Err(PyValueError::new_err(format!("state {state} was not asked for ({help})")));
        }
        Ok(state)
    }

    fn reached(&self, what: &str) -> PyResult<&model_questions::Answer> {
        match &self.solved {
            Solved::Reached(answer) => Ok(answer),
            Solved::Unfolded(_) => Err(PyValueError::new_err(format!(
                "{what} of an answer with bounds on steps or rewards (leave them out)"
            ))),
        }
    }
}

#[pymethods]
impl Answer {
    /// The value of a state.
    fn value<'py>(&self, py: Python<'py>, state: Index) -> PyResult<ValueTuple<'py>> {
        let state = self.known(state)?;
        value_tuple(py, self.solved.value(state, self.exact).as_ref())
    }

    /// How many seconds the engine took.
    fn seconds(&self) -> f64 {
        self.took.as_secs_f64()
    }

    /// Whether the bounds are as close as `precision` asks.
    fn within_precision(&self) -> bool {
        self.within
    }

    /// The bounds of all values; NaN for a state that was not asked for.
    fn bounds<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>) {
        let ends = |state| match self.solved.value(state, false) {
            _ if !self.is_valued(state) => (f64::NAN, f64::NAN),
            Some(value) => (value.lower, value.upper),
            None => (f64::INFINITY, f64::INFINITY),
        };
        let states = self.question.model.states();
        let (lower, upper): (Vec<f64>, Vec<f64>) = py.detach(|| (0..states).map(ends).unzip());
        (lower.into_pyarray(py), upper.into_pyarray(py))
    }

    /// The exact values of all states as numerators and denominators; `None` for an infinite value and for a state that was not
    /// asked for.
    fn exact<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Option<Bound<'py, PyTuple>>>>> {
        if !self.exact {
            return Ok(None);
        }
        let value = |state: u32| {
            let value = self.is_valued(state).then(|| self.solved.value(state, true)).flatten();
            value.and_then(|value| value.exact).map(|exact| fraction(py, &exact)).transpose()
        };
        (0..self.question.model.states()).map(value).collect::<PyResult<_>>().map(Some)
    }

    /// The choice to take in every state, counted within it; -1 where play is over or nothing helps.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let answer = self.reached("the policy")?;
        let question = self.question.borrowed()?;
        let choices = py.detach(|| {
            let choice = |state| answer.choice(&question, state).map_or(-1, i64::from);
            (0..self.question.model.states()).map(choice).collect::<Vec<i64>>()
        });
        Ok(choices.into_pyarray(py))
    }

    /// Every choice of a state with its value, best play first.
    #[pyo3(signature = (state, run=None))]
    fn advise<'py>(&self, py: Python<'py>, state: Index, run: Option<&Bound<'_, PyDict>>) -> PyResult<Choices<'py>> {
        let state = self.known(state)?;
        let answer = self.reached("advice")?;
        let advice = Run::new(run)?
            .away(py, |session| Ok(answer.advise(&self.question.borrowed()?, state, session.budget)?))?;
        let each =
            advice.iter().map(|ChoiceValue { choice, value, standing, .. }| (*choice, value.as_ref(), *standing));
        choice_tuples(py, each)
    }

    /// The proof of all values, as a text.
    #[pyo3(signature = (run=None))]
    fn certificate(&self, py: Python<'_>, run: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let answer = self.reached("a certificate")?;
        if !self.exact {
            return Err(PyValueError::new_err("a certificate proves exact values (solve with exact=True)"));
        }
        let Some(goal) =
            self.question.goal_text.clone().filter(|_| !self.question.is_until || self.question.until_text.is_some())
        else {
            let help = "label them, and give goal and until as expressions over labels";
            return Err(PyValueError::new_err(format!("a certificate about states without names ({help})")));
        };
        Run::new(run)?.away(py, |session| {
            let until = self.question.until_text.clone();
            let proof = certificate(&self.question.borrowed()?, goal, until, answer, session.budget)?;
            let proof =
                proof.ok_or_else(|| Wrong::Failed("the values are not exact, so there is no certificate".into()))?;
            let mut text = Vec::new();
            proof.write(&mut text, session.budget).map_err(|error| match budget::Stopped::behind(&error) {
                Some(stopped) => Wrong::Stopped(stopped, None),
                None => Wrong::Failed(error.to_string()),
            })?;
            String::from_utf8(text).map_err(|error| Wrong::Failed(error.to_string()))
        })
    }
}
