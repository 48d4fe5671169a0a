//! Variables that no story sets: how often passages were entered, and which one is present.

use gamebook::Comparison;

use super::Expression;

/// What the names of these variables begin with; no format has such names.
pub(crate) const VISITS: &str = "visits ";
/// What the names of counts begin with that leave out the present visit.
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

/// Stands for the passages that were visited before, where it is asked what is among them.
pub(super) const HISTORY: &str = "\u{0}history";

/// Whether a passage was visited before this one.
pub(super) fn is_in_history(passage: &str) -> Expression {
    is_positive(visits_before(passage))
}

pub(super) fn is_positive(variable: String) -> Expression {
    Expression::compare(Comparison::More, Expression::Variable(variable), Expression::Number(0))
}
