//! Variables that the story format maintains: the number of visits of each passage, and the name of the present one.

use gamebook::Comparison;

use super::Expression;

/// The prefix of the variables that count visits; no format has such names.
pub(crate) const VISITS: &str = "visits ";
/// The prefix of the variables that count visits without the present one.
pub(crate) const BEFORE: &str = "visits before ";
/// The variable that counts how often a passage was entered.
pub(crate) fn visits_of(passage: &str) -> String {
    format!("{VISITS}{passage}")
}

/// The variable that names the present passage.
pub(crate) const PRESENT: &str = "present passage";

/// The variable that counts how often a passage was entered before the present one.
pub(crate) fn visits_before(passage: &str) -> String {
    format!("{BEFORE}{passage}")
}

/// Stands for the list of passages that were visited before.
pub(super) const HISTORY: &str = "\u{0}history";

/// Whether a passage was visited before this one.
pub(super) fn is_in_history(passage: &str) -> Expression {
    is_positive(visits_before(passage))
}

pub(super) fn is_positive(variable: String) -> Expression {
    Expression::compare(Comparison::More, Expression::Variable(variable), Expression::Number(0))
}
