//! How likely an outcome is beside the others.

/// How likely an outcome is beside the others: its probability is its weight over the sum of all weights.
///
/// Weights have a type of their own, so that an outcome and its weight cannot be mistaken for each other even
/// where both are integers:
///
/// ```compile_fail
/// let mut turn: mdp::Turn<u64> = mdp::Turn::new();
/// turn.chance([(mdp::Weight(1), 17)]);
/// ```
///
/// ```
/// # let mut turn: mdp::Turn<u64> = mdp::Turn::new();
/// turn.chance([(17, mdp::Weight(1)), (18, mdp::Weight(2))]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight<W = u64>(pub W);
