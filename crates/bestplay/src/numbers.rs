//! Exact numbers in answers: for programs, and as people read them.

use mdp::{Rational, nearest};
use serde::Serialize;

/// An exact number in an answer.
#[derive(Serialize)]
pub struct Number {
    /// The nearest floating-point number.
    decimal: f64,
    /// Numerator and denominator, in lowest terms.
    exact: String,
}

impl From<&Rational> for Number {
    fn from(value: &Rational) -> Self {
        Self { decimal: nearest(value), exact: fraction(value) }
    }
}

/// `32191/490`, and `66/1` for a whole number: always the same form.
pub fn fraction(value: &Rational) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

/// A probability as a percentage with three decimals, but never 0 or 100 unless it is.
pub fn percent(probability: &Rational) -> String {
    percentage(nearest(probability), *probability > Rational::ZERO, *probability < Rational::ONE)
}

/// The same of a probability that is only known nearly.
pub fn percent_near(probability: f64) -> String {
    percentage(probability, probability > 0.0, probability < 1.0)
}

fn percentage(probability: f64, possible: bool, uncertain: bool) -> String {
    let percent = 100.0 * probability;
    if possible && percent < 0.001 {
        "< 0.001 %".into()
    } else if uncertain && percent >= 99.9995 {
        "> 99.999 %".into()
    } else {
        format!("{percent:.3} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdp::ratio;

    #[test]
    fn almost_certain_is_not_certain() {
        assert_eq!(percent(&Rational::ONE), "100.000 %");
        assert_eq!(percent(&ratio(9_999_999, 10_000_000)), "> 99.999 %");
        assert_eq!(percent(&ratio(1, 3)), "33.333 %");
        assert_eq!(percent(&ratio(1, 10_000_000)), "< 0.001 %");
        assert_eq!(percent(&Rational::ZERO), "0.000 %");
    }

    #[test]
    fn fractions_always_have_a_denominator() {
        assert_eq!(fraction(&Rational::from(66)), "66/1");
        assert_eq!(fraction(&ratio(6, 4)), "3/2");
    }
}
