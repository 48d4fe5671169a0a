//! What a state of a game written in Python says of itself.

use dashu_int::UBig;
use mdp::Rational;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::numbers::number;

/// The weights of the outcomes of a choice.
#[derive(Debug)]
pub enum Weights {
    /// All the same.
    Equal,
    Small(Vec<u64>),
    Large(Vec<UBig>),
}

/// A choice: its name, its reward, and the states to which it may lead.
#[derive(Debug)]
pub struct TurnChoice {
    pub name: Option<Py<PyAny>>,
    pub earned: Option<Rational>,
    pub states: Vec<Py<PyAny>>,
    pub weights: Weights,
}

/// The turn of a state: its rules record payoffs and choices here.
#[pyclass(module = "bestplay._engine")]
#[derive(Debug, Default)]
pub struct Turn {
    pub payoffs: Vec<Rational>,
    pub choices: Vec<TurnChoice>,
    name: Option<Py<PyAny>>,
    earned: Option<Rational>,
}

impl Turn {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn add(&mut self, states: Vec<Py<PyAny>>, weights: Weights) {
        self.choices.push(TurnChoice { name: self.name.take(), earned: self.earned.take(), states, weights });
    }
}

#[pymethods]
impl Turn {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Play is over, and pays this; several payoffs are optimised in order.
    #[pyo3(signature = (*payoffs))]
    fn end(&mut self, payoffs: &Bound<'_, PyTuple>) -> PyResult<()> {
        if payoffs.is_empty() {
            return Err(PyTypeError::new_err("end() needs what play pays, such as end(1)"));
        }
        self.payoffs = payoffs.iter().map(|payoff| number(&payoff)).collect::<PyResult<_>>()?;
        Ok(())
    }

    /// Names the choice that is added next.
    fn choice(mut slf: PyRefMut<'_, Self>, name: Py<PyAny>) -> PyRefMut<'_, Self> {
        slf.name = Some(name);
        slf
    }

    /// The choice that is added next earns this at once.
    fn earn<'py>(mut slf: PyRefMut<'py, Self>, reward: &Bound<'py, PyAny>) -> PyResult<PyRefMut<'py, Self>> {
        let reward = number(reward)?;
        if reward < Rational::ZERO {
            return Err(PyValueError::new_err("a choice earns less than nothing"));
        }
        slf.earned = Some(reward);
        Ok(slf)
    }

    /// Adds a choice that leads to a state.
    fn to(&mut self, state: Py<PyAny>) {
        self.add(vec![state], Weights::Equal);
    }

    /// Adds a choice that leads to each of these states with the same probability.
    fn uniform(&mut self, states: &Bound<'_, PyAny>) -> PyResult<()> {
        let states = states.try_iter()?.map(|state| state.map(Bound::unbind)).collect::<PyResult<_>>()?;
        self.add(states, Weights::Equal);
        Ok(())
    }

    /// Adds a choice that leads to each of these states with a probability in proportion to its weight.
    fn chance(&mut self, outcomes: &Bound<'_, PyAny>) -> PyResult<()> {
        let (states, weights) = weighted(outcomes)?;
        self.add(states, weights);
        Ok(())
    }
}

/// States with weights: a mapping, or pairs. Those of weight zero are left out.
pub fn weighted(outcomes: &Bound<'_, PyAny>) -> PyResult<(Vec<Py<PyAny>>, Weights)> {
    let pairs = match outcomes.cast::<PyDict>() {
        Ok(mapping) => mapping.items().into_any(),
        Err(_) => outcomes.clone(),
    };
    let (mut states, mut small, mut large) = (Vec::new(), Vec::new(), Vec::new());
    for pair in pairs.try_iter()? {
        let (state, weight): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            pair?.extract().map_err(|_| PyTypeError::new_err("chances are pairs of a state and its weight"))?;
        match weight.extract::<u64>() {
            Ok(0) => continue,
            Ok(weight) if large.is_empty() => small.push(weight),
            _ => {
                large.extend(small.drain(..).map(Rational::from));
                let weight = number(&weight)?;
                if weight < Rational::ZERO {
                    return Err(PyValueError::new_err(format!("a chance with the weight {weight} (0 or more)")));
                }
                if weight.is_zero() {
                    continue;
                }
                large.push(weight);
            }
        }
        states.push(state.unbind());
    }
    if large.is_empty() {
        return Ok((states, Weights::Small(small)));
    }
    let common = large.iter().fold(Rational::ONE, |common, weight| {
        // The denominator of the product in lowest terms is what is still lacking.
        let lacks = (weight * &common).denominator().clone();
        common * Rational::from(lacks)
    });
    let whole = |weight: Rational| UBig::try_from((weight * &common).floor());
    let whole = large.into_iter().map(whole).collect::<Result<Vec<_>, _>>();
    Ok((states, Weights::Large(whole.map_err(|_| PyValueError::new_err("a chance with a weight below 0"))?)))
}
