//! Probabilities as people read them.

use mdp::{Rational, Value, nearest};

/// A probability as a percentage with three decimals, but never 0 or 100 unless it is.
pub fn percent(probability: &Rational) -> String {
    percentage(nearest(probability), *probability > Rational::ZERO, *probability < Rational::ONE)
}

/// The same of a probability that is only known nearly.
pub fn percent_near(probability: f64) -> String {
    percentage(probability, probability > 0.0, probability < 1.0)
}

/// The same of a value: by its exact number where that is known.
pub fn percent_of(value: &Value) -> String {
    value.exact.as_ref().map_or_else(|| percent_near(value.decimal()), percent)
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
        let nearly = ratio(1_i64 << 62, (1_u64 << 62) + 1);
        assert_eq!(nearest(&nearly).to_bits(), 1.0_f64.to_bits());
        assert_eq!(percent_of(&Value::exactly(nearly)), "> 99.999 %");
    }
}
