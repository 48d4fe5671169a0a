//! Probabilities as text.

use std::collections::BTreeMap;

use mdp::{Rational, Value, nearest};

/// The decimals of a percentage.
const DECIMALS: usize = 3;
/// The most decimals: further ones carry no information.
const MOST_DECIMALS: usize = 15;

/// A probability as a percentage with three decimals, and 0 or 100 only if exact.
pub fn percent(probability: &Rational) -> String {
    exactly(probability, DECIMALS)
}

/// The same for a probability that is only known approximately.
pub fn percent_near(probability: f64) -> String {
    percentage(probability, probability > 0.0, probability < 1.0, DECIMALS)
}

/// The same for a value: from its exact number if that is known.
pub fn percent_of(value: &Value) -> String {
    percent_with(value, DECIMALS)
}

/// The same for values side by side, if known: with as many decimals as needed to show the difference between those that surely
/// differ.
pub fn percents_of(values: &[Option<&Value>]) -> Vec<String> {
    let percentage_of = |value: Option<&Value>, decimals: usize| {
        value.map_or_else(|| "not known".into(), |own| percent_with(own, decimals))
    };
    let mut texts: Vec<String> = values.iter().map(|value| percentage_of(*value, DECIMALS)).collect();
    for decimals in DECIMALS + 1..=MOST_DECIMALS {
        let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, text) in texts.iter().enumerate() {
            alike.entry(text).or_default().push(place);
        }
        let is_unclear =
            |group: &[usize]| group.iter().any(|one| group.iter().any(|other| differ(values[*one], values[*other])));
        let unclear: Vec<usize> = alike.into_values().filter(|group| is_unclear(group)).flatten().collect();
        if unclear.is_empty() {
            break;
        }
        for place in unclear {
            texts[place] = percentage_of(values[place], decimals);
        }
    }
    texts
}

/// Whether two values surely differ.
fn differ(one: Option<&Value>, other: Option<&Value>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    match (&one.exact, &other.exact) {
        (Some(one), Some(other)) => one != other,
        _ => one.upper < other.lower || other.upper < one.lower,
    }
}

fn exactly(probability: &Rational, decimals: usize) -> String {
    percentage(nearest(probability), *probability > Rational::ZERO, *probability < Rational::ONE, decimals)
}

fn percent_with(value: &Value, decimals: usize) -> String {
    let near = value.decimal();
    value
        .exact
        .as_ref()
        .map_or_else(|| percentage(near, near > 0.0, near < 1.0, decimals), |own| exactly(own, decimals))
}

fn percentage(probability: f64, possible: bool, uncertain: bool, decimals: usize) -> String {
    let (percent, text) = (100.0 * probability, format!("{:.decimals$} %", 100.0 * probability));
    let digits = decimals.saturating_sub(1);
    // The smallest number shown, less the possible error of a float, so that it is not below itself.
    let least = (1.0 - 1e-12) * 10f64.powi(-i32::try_from(decimals).unwrap_or_default());
    if possible && percent < least {
        format!("< 0.{:0>digits$}1 %", "")
    } else if uncertain && text.starts_with("100") {
        format!("> 99.{:9>decimals$} %", "")
    } else {
        text
    }
}

#[cfg(test)]
mod tests;
