//! Checks the proof of an answer.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use verify::{Certificate, CheckError, FormatError, Measure, Objective, check};

use crate::model::Model;
use crate::session::Run;
use crate::wrong::Wrong;

/// The result of a check: whether the certificate is accepted, else in which state it fails and why; then its goal, `until`,
/// sense and reward model.
type Verdict = (bool, Option<u32>, Option<String>, String, Option<String>, &'static str, Option<String>);

/// Checks a certificate about a model, without solving anything.
#[pyfunction]
#[pyo3(signature = (model, text, run=None))]
pub fn check_proof(py: Python<'_>, model: &Model, text: &str, run: Option<&Bound<'_, PyDict>>) -> PyResult<Verdict> {
    let (certificate, refusal) = Run::new(run)?.away(py, |session| {
        let certificate = Certificate::read(text.as_bytes(), session.budget).map_err(|error| match error {
            FormatError::Stopped(stopped) => Wrong::from(stopped),
            error @ FormatError::Bad { .. } => Wrong::bad(error, "Answer.certificate() writes one"),
        })?;
        match check(model.explicit(), &certificate, session.budget) {
            Ok(()) => Ok((certificate, None)),
            Err(CheckError::Refused(refusal)) => Ok((certificate, Some(refusal))),
            Err(CheckError::Stopped(stopped)) => Err(stopped.into()),
        }
    })?;
    let sense = match certificate.objective {
        Objective::Max => "max",
        Objective::Min => "min",
    };
    let reward = match certificate.measure {
        Measure::Probability => None,
        Measure::Reward(name) => Some(name),
    };
    let (state, reason) = refusal.map(|refusal| (refusal.state, Some(refusal.reason))).unwrap_or_default();
    Ok((reason.is_none(), state, reason, certificate.goal, certificate.until, sense, reward))
}
