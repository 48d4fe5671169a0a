//! Numbers in answers: one form of JSON for all of them.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::rational::{Rational, fraction_text};
use super::value::Value;

/// A number as every answer has it in JSON.
///
/// ```
/// let number = mdp::Number::from(&mdp::ratio(3, 4));
/// assert_eq!((number.decimal, number.lower, number.upper), (0.75, 0.75, 0.75));
/// assert_eq!(number.exact.as_deref(), Some("3/4"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The floating-point number nearest to the exact one, or the middle of the bounds.
    pub decimal: f64,
    /// Not above the number.
    pub lower: f64,
    /// Not below the number.
    pub upper: f64,
    /// Numerator and denominator in lowest terms: `32191/490`, and `66/1` for an integer; `None` where only the bounds
    /// are known.
    pub exact: Option<String>,
}

impl Number {
    /// An infinite value in JSON, which has no infinity: the decimal is null, and both bounds are the largest
    /// floating-point number.
    pub const INFINITE: Self = Self { decimal: f64::INFINITY, lower: f64::MAX, upper: f64::MAX, exact: None };
}

/// Written by hand, so that this crate does not wait for macros to compile.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Number", 4)?;
        fields.serialize_field("decimal", &self.decimal)?;
        fields.serialize_field("lower", &self.lower)?;
        fields.serialize_field("upper", &self.upper)?;
        fields.serialize_field("exact", &self.exact)?;
        fields.end()
    }
}

impl From<&Rational> for Number {
    fn from(value: &Rational) -> Self {
        Self::from(&Value::exactly(value.clone()))
    }
}

impl From<&Value> for Number {
    fn from(value: &Value) -> Self {
        if value.is_infinite() {
            return Self::INFINITE;
        }
        let exact = value.exact.as_ref().map(fraction_text);
        Self { decimal: value.decimal(), lower: value.lower, upper: value.upper, exact }
    }
}
