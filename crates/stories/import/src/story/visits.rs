//! Counts how often passages were entered, as far as a story asks for it.

use std::collections::BTreeMap;

use super::expression::{BEFORE, Expression, Operation, PRESENT, VISITS, visits_of};
use super::thresholds::Thresholds;

/// The highest count that is distinguished from those above it.
const MOST: i64 = 999;

/// Replaces the variables that depend on the present passage: its name, its own count where no passage is named, and counts
/// that leave out the present visit.
pub(crate) fn count_in(passage: &str, own: Expression) -> Expression {
    let Expression::Variable(name) = &own else { return own };
    if let Some(target) = name.strip_prefix(BEFORE) {
        let visits = Expression::Variable(visits_of(target));
        let now = i64::from(target == passage);
        return Expression::operation(Operation::Minus, visits, Expression::Number(now));
    }
    if *name == PRESENT {
        return Expression::Text(passage.into());
    }
    if *name == VISITS { Expression::Variable(visits_of(passage)) } else { own }
}

/// The counts for which a story asks, each with the number from which on it makes no difference; `None` where every number
/// makes a difference.
pub(super) fn counted(thresholds: &Thresholds) -> BTreeMap<String, Option<i64>> {
    let asked = thresholds.iter().filter(|(name, _)| name.starts_with(VISITS));
    let most = |own: Option<(i64, i64)>| own.map(|(_, most)| most.saturating_add(1).clamp(1, MOST));
    asked.map(|(name, own)| (name.clone(), most(*own))).collect()
}
