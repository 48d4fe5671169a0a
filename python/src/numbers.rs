//! Converts exact numbers from and to Python.

use dashu_int::{IBig, Sign, UBig};
use mdp::{Rational, Standing, Value};
use model_files::parse_number;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyTuple};

/// The number of a state, a choice, a start or an objective, within the 32 bits of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Index(pub u32);

impl<'py> FromPyObject<'_, 'py> for Index {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(number) = value.extract::<u32>() {
            return Ok(Self(number));
        }
        let text = value.repr()?.to_string();
        let whole = value.getattr_opt(intern!(value.py(), "__index__"))?.is_some();
        Err(PyValueError::new_err(if whole {
            format!("there is no number {text}")
        } else {
            format!("{text} is not a whole number")
        }))
    }
}

/// A number of Python, exactly: an `int`, a `Fraction`, or a `float` as the shortest decimal that stands for it.
pub fn number(value: &Bound<'_, PyAny>) -> PyResult<Rational> {
    if let Ok(float) = value.cast::<PyFloat>() {
        return double(float.value());
    }
    if let Ok(small) = value.extract::<i64>() {
        return Ok(small.into());
    }
    let py = value.py();
    let parts = value.getattr_opt(intern!(py, "numerator"))?.zip(value.getattr_opt(intern!(py, "denominator"))?);
    let (numerator, denominator) = parts.ok_or_else(|| {
        let kind = value.get_type().name().map_or_else(|_| "something".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{kind} is not a number (an int, a Fraction or a float)"))
    })?;
    let (numerator, denominator) = (integer(&numerator)?, integer(&denominator)?);
    let denominator = UBig::try_from(denominator).ok().filter(|denominator| *denominator != UBig::ZERO);
    let denominator = denominator.ok_or_else(|| PyValueError::new_err("a fraction needs a denominator above 0"))?;
    Ok(Rational::from_parts(numerator, denominator))
}

/// A double as the shortest decimal that stands for it.
fn double(value: f64) -> PyResult<Rational> {
    if !value.is_finite() {
        return Err(PyValueError::new_err(format!("{value} is not a finite number")));
    }
    parse_number(format!("{value:e}").as_bytes()).map_err(PyValueError::new_err)
}

/// An integer of any size.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<IBig> {
    if let Ok(small) = value.extract::<i64>() {
        return Ok(small.into());
    }
    let text: String = value.call_method1(intern!(value.py(), "__format__"), ("x",))?.extract()?;
    IBig::from_str_radix(&text, 16)
        .map_err(|_| PyTypeError::new_err("a fraction needs whole numbers as numerator and denominator"))
}

/// Numerator and denominator as whole numbers of Python.
pub fn fraction<'py>(py: Python<'py>, value: &Rational) -> PyResult<Bound<'py, PyTuple>> {
    let (sign, magnitude) = value.numerator().clone().into_parts();
    let numerator = whole(py, &magnitude)?;
    let numerator = if sign == Sign::Negative { numerator.neg()? } else { numerator };
    PyTuple::new(py, [numerator, whole(py, value.denominator())?])
}

/// A whole number of any size.
fn whole<'py>(py: Python<'py>, value: &UBig) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = u64::try_from(value) {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let bytes = PyBytes::new(py, &value.to_le_bytes());
    py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "little")))
}

/// A value as Python gets it: both bounds, and the numerator and denominator of an exact value.
pub type ValueTuple<'py> = (f64, f64, Option<Bound<'py, PyTuple>>);

/// A value as a tuple for Python; `None` is infinite.
pub fn value_tuple<'py>(py: Python<'py>, value: Option<&Value>) -> PyResult<ValueTuple<'py>> {
    match value {
        None => Ok((f64::INFINITY, f64::INFINITY, None)),
        Some(Value { lower, upper, exact }) => {
            Ok((*lower, *upper, exact.as_ref().map(|exact| fraction(py, exact)).transpose()?))
        }
    }
}

/// The choices of a state as Python gets them: the number, the value and the standing of each.
pub type Choices<'py> = Vec<(u32, ValueTuple<'py>, &'static str)>;

/// The choices of a state as tuples for Python.
pub fn choice_tuples<'py, 'a>(
    py: Python<'py>,
    choices: impl Iterator<Item = (u32, Option<&'a Value>, Standing)>,
) -> PyResult<Choices<'py>> {
    choices.map(|(choice, value, standing)| Ok((choice, value_tuple(py, value)?, standing.name()))).collect()
}
