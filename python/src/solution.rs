//! The states of a game, their solution, and the visits and simulated results of best play.

use std::sync::Arc;

use mdp::{
    Advice, Distribution, Method, Model, Probability, Rational, Sense, SimulateOptions, StateId, Value, advise,
    exact_visit_probabilities, simulate, solve, visit_probabilities,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::graph::Graph;
use crate::numbers::{Choices, Index, ValueTuple, choice_tuples, fraction, value_tuple};
use crate::session::Run;
use crate::wrong::Wrong;

/// The visited states, the probability of each (rounded, and exact), and how often each is visited.
type Visits<'py> =
    (Vec<StateId>, Bound<'py, PyArray1<f64>>, Option<Vec<Bound<'py, PyTuple>>>, Bound<'py, PyArray1<f64>>);

/// All states of a game that can be reached, as the engine numbers them.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Space {
    model: Arc<Model>,
    starts: Vec<Distribution<StateId>>,
    /// The game's own states, by number.
    #[pyo3(get)]
    states: Py<PyList>,
    /// The number of each state.
    #[pyo3(get)]
    index: Py<PyDict>,
    /// For every state the names of its choices; empty where none has one.
    names: Vec<Vec<Option<Py<PyAny>>>>,
}

impl Space {
    /// A space of these states.
    pub fn new(
        model: Arc<Model>,
        starts: Vec<Distribution<StateId>>,
        states: Py<PyList>,
        index: Py<PyDict>,
        names: Vec<Vec<Option<Py<PyAny>>>>,
    ) -> Self {
        Self { model, starts, states, index, names }
    }
}

#[pymethods]
impl Space {
    /// The size of the model.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, &self.model)
    }

    /// The name of a choice of a state, if it has one.
    fn name(&self, py: Python<'_>, state: Index, choice: Index) -> Option<Py<PyAny>> {
        self.names.get(state.0 as usize)?.get(choice.0 as usize)?.as_ref().map(|name| name.clone_ref(py))
    }

    /// The model without names, for playing move by move.
    fn graph(&self) -> Graph {
        Graph::new(self.model.clone(), self.starts.clone())
    }

    /// Solves it.
    #[pyo3(signature = (sense, exact, precision, method, run=None))]
    fn solve(
        &self,
        py: Python<'_>,
        sense: &str,
        exact: bool,
        precision: f64,
        method: &str,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Solution> {
        let (sense, method) = (sense_named(sense)?, method_named(method)?);
        let precision = precision_within(precision)?;
        let solution = Run::new(run)?.away(py, |session| {
            let options = session.solve_options().with_sense(sense).with_exact(exact);
            // A player who pays as little as possible must not do so by never arriving.
            let options = options.with_must_end(sense == Sense::Min && !self.model.rewards().is_empty());
            Ok(solve(&self.model, &options.with_method(method).with_precision(precision))?)
        })?;
        Ok(Solution { solution, starts: self.starts.clone() })
    }
}

/// The size of a model.
pub fn counts<'py>(py: Python<'py>, model: &Model) -> PyResult<Bound<'py, PyDict>> {
    let counts = model.counts();
    let dict = PyDict::new(py);
    for (name, count) in [
        ("states", counts.states),
        ("finished", counts.finished),
        ("choices", counts.choices),
        ("outcomes", counts.outcomes),
        ("transitions", counts.transitions),
        ("sccs", counts.sccs),
        ("largest_scc", counts.largest_scc),
        ("levels", counts.levels),
    ] {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}

/// A sense by its name.
pub fn sense_named(name: &str) -> PyResult<Sense> {
    match name {
        "max" => Ok(Sense::Max),
        "min" => Ok(Sense::Min),
        other => Err(PyValueError::new_err(format!("sense=`{other}` (max or min)"))),
    }
}

/// A method by its name.
pub fn method_named(name: &str) -> PyResult<Method> {
    match name {
        "cheapest" => Ok(Method::Cheapest),
        "sweeps" => Ok(Method::Sweeps),
        "elimination" => Ok(Method::Elimination),
        "fractions" => Ok(Method::Fractions),
        other => {
            let right = "cheapest, sweeps, elimination or fractions";
            Err(PyValueError::new_err(format!("method=`{other}` ({right})")))
        }
    }
}

/// A share above 0 and below 1.
pub fn precision_within(share: f64) -> PyResult<f64> {
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err(PyValueError::new_err(format!("precision={share} (a number above 0 and below 1)")))
    }
}

/// A solved game.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Solution {
    solution: mdp::Solution,
    starts: Vec<Distribution<StateId>>,
}

impl Solution {
    fn start(&self, Index(start): Index) -> PyResult<&Distribution<StateId>> {
        let right = || format!("start {start}: there are {}, numbered from 0", self.starts.len());
        self.starts.get(start as usize).ok_or_else(|| PyValueError::new_err(right()))
    }

    /// The number of a state, checked.
    fn known(&self, Index(state): Index) -> PyResult<StateId> {
        if state >= self.solution.model().states() {
            return Err(PyValueError::new_err(format!("there is no state {state}")));
        }
        Ok(state)
    }

    /// One of the payoffs that were optimised.
    fn objective(&self, Index(objective): Index) -> PyResult<usize> {
        let known = self.solution.objectives();
        let right = || format!("objective {objective}: there are {known}, numbered from 0");
        Some(objective as usize).filter(|own| *own < known).ok_or_else(|| PyValueError::new_err(right()))
    }
}

/// An array of lower and one of upper bounds.
type Bounds<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// The bounds of these values; `None` is infinite.
fn bounds(py: Python<'_>, values: impl Iterator<Item = Option<Value>>) -> Bounds<'_> {
    let ends = |value: Option<Value>| value.map_or((f64::INFINITY, f64::INFINITY), |value| (value.lower, value.upper));
    let (lower, upper): (Vec<f64>, Vec<f64>) = values.map(ends).unzip();
    (lower.into_pyarray(py), upper.into_pyarray(py))
}

/// The choice of best play in every state; -1 where play is over.
pub fn policy<'py>(py: Python<'py>, solution: &mdp::Solution) -> Bound<'py, PyArray1<i64>> {
    let choice = |state| solution.policy().choice(state).map_or(-1, i64::from);
    (0..solution.model().states()).map(choice).collect::<Vec<i64>>().into_pyarray(py)
}

#[pymethods]
impl Solution {
    /// How many starts there are.
    fn starts(&self) -> usize {
        self.starts.len()
    }

    /// The value of a start.
    fn value<'py>(&self, py: Python<'py>, start: Index, objective: Index) -> PyResult<ValueTuple<'py>> {
        let objective = self.objective(objective)?;
        value_tuple(py, Some(&self.solution.value_of_in(objective, self.start(start)?)))
    }

    /// The value of a state.
    fn value_of<'py>(&self, py: Python<'py>, state: Index, objective: Index) -> PyResult<ValueTuple<'py>> {
        let (state, objective) = (self.known(state)?, self.objective(objective)?);
        value_tuple(py, Some(&self.solution.value_in(objective, state)))
    }

    /// How many payoffs were optimised in order.
    fn objectives(&self) -> usize {
        self.solution.objectives()
    }

    /// Whether all values are exact.
    fn is_exact(&self) -> bool {
        self.solution.is_exact()
    }

    /// Whether the bounds of all states are no further apart than this share of each value.
    fn is_within(&self, py: Python<'_>, share: f64) -> bool {
        let states = self.solution.model().states();
        py.detach(|| (0..states).all(|state| self.solution.value(state).is_within(share)))
    }

    /// The bounds of all values.
    fn bounds<'py>(&self, py: Python<'py>) -> Bounds<'py> {
        bounds(py, (0..self.solution.model().states()).map(|state| Some(self.solution.value(state))))
    }

    /// The choice that best play takes in each state; -1 where play is over.
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        policy(py, &self.solution)
    }

    /// The choice that best play takes in a state.
    fn choice(&self, state: Index) -> PyResult<Option<u32>> {
        let state = self.known(state)?;
        Ok(self.solution.policy().choice(state))
    }

    /// All best choices of a state, the one that best play takes first.
    fn best(&self, state: Index) -> PyResult<Vec<u32>> {
        let state = self.known(state)?;
        let first = self.solution.policy().choice(state);
        let others = self.solution.best().of(state).filter(|choice| Some(*choice) != first);
        Ok(first.into_iter().chain(others).collect())
    }

    /// Every choice of a state with its value, best play first.
    #[pyo3(signature = (state, run=None))]
    fn advise<'py>(&self, py: Python<'py>, state: Index, run: Option<&Bound<'_, PyDict>>) -> PyResult<Choices<'py>> {
        let state = self.known(state)?;
        let advice = Run::new(run)?.away(py, |session| Ok(advise(&self.solution, state, Some(session.budget))?))?;
        choice_tuples(py, advice.iter().map(|Advice { choice, value, standing, .. }| (*choice, Some(value), *standing)))
    }

    /// The states to which best play can come from a start, the probability of ever being there (and exactly, numerator and
    /// denominator), and how often play is there.
    #[pyo3(signature = (start, exact, run=None))]
    fn visits<'py>(
        &self,
        py: Python<'py>,
        start: Index,
        exact: bool,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Visits<'py>> {
        let start = self.start(start)?;
        if exact && !self.solution.is_exact() {
            return Err(PyValueError::new_err("exact visits of a solution that is not exact (solve with exact=True)"));
        }
        let (reached, visits) = Run::new(run)?.away(py, |session| {
            let budget = Some(session.budget);
            let followed = if exact {
                exact_visit_probabilities(&self.solution, start, budget)?
            } else {
                visit_probabilities(self.solution.policy(), start, budget)?
            };
            let reached: Vec<(StateId, Probability)> = followed.iter().collect();
            Ok((reached, followed.visits().map(|(_, visits)| visits).collect::<Vec<f64>>()))
        })?;
        let states = reached.iter().map(|(state, _)| *state).collect();
        let decimals = reached.iter().map(|(_, probability)| probability.decimal()).collect::<Vec<f64>>();
        let fractions =
            |(_, probability): &(StateId, Probability)| fraction(py, probability.exact().unwrap_or(&Rational::ZERO));
        let exact = exact.then(|| reached.iter().map(fractions).collect::<PyResult<_>>()).transpose()?;
        Ok((states, decimals.into_pyarray(py), exact, visits.into_pyarray(py)))
    }

    /// Plays best play many times: how many plays ended, how many were given up, the mean payoff and its standard error.
    #[pyo3(signature = (start, plays, seed, max_steps, run=None))]
    fn simulate(
        &self,
        py: Python<'_>,
        start: Index,
        plays: u32,
        seed: u64,
        max_steps: u64,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(u64, u64, f64, f64)> {
        let start = self.start(start)?;
        if !self.solution.model().rewards().is_empty() {
            return Err(PyValueError::new_err(
                "plays count payoffs at the end, and here choices earn (play them in bestplay.gym)",
            ));
        }
        if plays == 0 {
            return Err(PyValueError::new_err("plays=0 (at least 1)"));
        }
        let options = SimulateOptions { plays, seed, max_steps };
        let played = Run::new(run)?.away(py, |session| {
            simulate(self.solution.policy(), start, &options, Some(session.budget)).map_err(Wrong::from)
        })?;
        Ok((played.finished, played.unfinished, played.mean(), played.standard_error()))
    }
}
