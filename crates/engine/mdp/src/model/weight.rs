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

/// What the weights of a chance say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// How likely each outcome is beside the others.
    #[default]
    Chance,
    /// Something that only the game knows: one model tells of several at once, and how likely each outcome is in each of
    /// them can be found by this number and the weights ([`Variants`](crate::advanced::Variants)). The engine adds weights up where
    /// outcomes lead to the same state, and changes nothing else about them. A chance with one outcome alone is certain
    /// whatever they mean.
    Own(u32),
}
