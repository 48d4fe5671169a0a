//! Utilities of the tests.

use ink::{Report, ReportOptions, Shares, Story};
use mdp::{Rational, ratio};

/// Compiles a story that includes nothing.
pub fn story(text: &str) -> Story {
    Story::compile(text, "test.ink", |file| Err(format!("there is no {file}"))).expect("ink")
}

/// The exact report of a story.
pub fn exactly(story: &Story) -> Report {
    story.report(&ReportOptions::default().with_exact(true)).expect("a small story")
}

pub fn report(text: &str) -> Report {
    exactly(&story(text))
}

/// The probability of this ending; 0 if it was not discovered.
pub fn ends(shares: &Shares, name: &str) -> Rational {
    let known = shares.endings.iter().filter(|(ending, _)| ending.name == name);
    known.fold(ratio(0, 1), |sum, (_, share)| sum + share.exact().expect("an exact one"))
}

/// The probability of visiting a knot.
pub fn knot(shares: &Shares, name: &str) -> Rational {
    let (_, share) = shares.knots.iter().find(|(knot, _)| knot == name).expect("a knot of this name");
    share.exact().expect("an exact one").clone()
}

/// Asserts the probabilities of the endings for the random reader.
#[track_caller]
pub fn assert_ends(text: &str, truth: &[(&str, i64, u64)]) {
    let report = report(text);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    for (name, numerator, denominator) in truth {
        assert_eq!(ends(&report.random, name), ratio(*numerator, *denominator), "{name}");
    }
    let sum = truth.iter().fold(ratio(0, 1), |sum, (_, numerator, denominator)| sum + ratio(*numerator, *denominator));
    assert_eq!(sum, ratio(1, 1), "the truth is whole");
}
