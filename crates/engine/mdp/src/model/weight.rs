//! The weight of an outcome.

/// The weight of an outcome: its probability is its weight over the sum of all weights.
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

/// The meaning of the weights of a chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Probabilities: each is a weight over the total.
    #[default]
    Chance,
    /// A meaning that only the game knows: one model describes several at once, and the probabilities in each of them
    /// can be computed from this number and the weights ([`Variants`](crate::advanced::Variants)). The engine adds up
    /// weights of outcomes that lead to the same state, and does not interpret them otherwise. A chance with a single
    /// outcome is certain whatever its weight means.
    Own(u32),
}
