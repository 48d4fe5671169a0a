//! Values in floating point, with proven bounds.
//!
//! All values here are at least 0 (the solver shifts payoffs that are not), so nothing cancels and
//! relative errors only add up. Let `u = 2^-53` be the unit roundoff and `g(k) = k u / (1 - k u)`. A
//! number that went through `k` roundings, each a factor `1 + d` with `|d| <= u` or its inverse, is off by a
//! factor `1 + t` with `|t| <= g(k)`, and so is the exact one seen from there (Higham, *Accuracy and
//! Stability of Numerical Algorithms*, lemma 3.1). Also `g(k) + u <= g(k + 1)`: computing with a bound of an
//! error costs one more rounding for each operation, not a new argument.
//!
//! **Without components** one number for each state is enough (`solve/sweep/rounded.rs`).
//! - *The numbers.* Each of the following is a factor as above: rounding a payoff, a reward, a probability
//!   (to nearest, so within `u`); a product; an addition of what is not negative. A choice with `n` outcomes
//!   does at most `n + 1` of these to each of its terms, and two more with a reward. Taking the best adds none:
//!   the exact and the computed best lie between the same bounds. By induction over the levels every computed
//!   value is the exact one times at most `k` factors, `k` being the sum over the levels passed (nothing
//!   where `n = 1`), plus 1 for the payoff.
//! - *Bounds.* So the exact value lies within `[v (1 - g(k)), v (1 + g(k))]`. Computing such an end takes two
//!   roundings (of the factor and of the product), so `g(k + 3)` in place of `g(k)` moves it outwards.
//! - *Pruning.* Let `v` be the best computed value of a state and `s` that of another choice, both after `k`
//!   factors. When maximising, the choice is worse for certain if `s (1 + g) < v (1 - g)`; as
//!   `(1 - g) / (1 + g) >= 1 - 2 g`, it is if `s < v (1 - 2 g)`. When minimising, it is if
//!   `s (1 - g) > v (1 + g)`, that is if `s > v (1 + 2 g / (1 - g))`. So with `m = 2 g / (1 - g)` (not
//!   less than `2 g`) the bars are `v (1 - m)` and `v (1 + m)`. Each takes two roundings, and so do `m`'s own
//!   quotient and product: with `g = g(k + 4)` all of them go the safe way, because
//!   `2 g(k + 4) >= 2 g(k) + 8 u`.
//! - *Certain is certain.* The largest payoff `M` (where it is a floating-point number and nothing is
//!   earned on the way) marks the states that reach it with certainty: a choice gets the value `M` exactly if
//!   all of its targets have it, and otherwise at most the number below `M`. That is one rounding more at most:
//!   the exact value of such a choice is below `M`. And 0 is reached only from 0.
//! - *Range.* All this needs that nothing underflows: the levels say how many binary digits their
//!   probabilities can take away, and where the sum could come near the subnormal numbers, the other way
//!   is taken. Numbers that overflow become infinite and are an error; a value that is infinite itself needs an end component
//!   (`infinite.rs`), and has two infinite ends, as no other has.
//!
//! **With components**, or where numbers could underflow, every state carries an interval (`solve/sweep/intervals.rs`).
//! - *Outside of components* both ends of a choice are computed with the factors above and moved outwards by `g(n +
//!   4)`: `n + 2` roundings of a term, two for moving. A product that comes near the subnormal numbers loses at most
//!   the smallest number `e = 2^-1074`, and so does each later step on it: `n + 2` times `e` in all. Here each factor
//!   is a number that is rounded within `u`. A probability below the normal range is not, and its error counts as often
//!   as its target's value: choices with such a probability are computed in fractions from the ends of their targets,
//!   and rounded outwards once.
//! - *Convexity.* A choice that earns nothing is a mean of its targets: its ends are moved back to the least
//!   lower end and the largest upper end of them, if they lie beyond. So probabilities stay within
//!   `[0, 1]`, and what is certain stays exact.
//! - *Pruning.* A choice stays if its interval reaches that of the best: no arithmetic, nothing to prove.
//! - *Components* are solved approximately by policy iteration; then bounds are *guessed* around the solution and
//!   *proved*: with end components collapsed, Bellman's operator `T` of the component is monotone and has one fixed
//!   point, to which its powers converge from everywhere, so `T(x) <= x` (computed with upward-moved rounding) proves
//!   that `x` is an upper bound, and `T(x) >= x` that it is a lower one. Where the proof fails, the component is solved
//!   exactly instead. How the guess is made: `scc_bounds`.

use rayon::prelude::*;

use super::interval::{INFINITE, Pair};
use super::rounding::{relative_error, roundings_of};
use crate::model::{Model, StateId};
use crate::support::FEW_STATES;

/// Bounds of every state's value (shifted to be at least 0).
#[derive(Clone, Debug)]
pub(crate) enum Bounds {
    /// One number for each state, and for each level the number of roundings before it. A value equal to `most` is
    /// exact, and no value is larger.
    Rounded { values: Vec<f64>, roundings: Vec<u64>, most: Option<f64> },
    /// Both ends for every state.
    Interval { ends: Vec<Pair> },
}

impl Bounds {
    /// Whether one number for each state is enough, where `smallest` is the smallest payoff or reward above 0: see the
    /// proof above.
    pub(crate) fn can_round(model: &Model, smallest: Option<f64>) -> bool {
        /// Binary digits between 1 and the smallest normal number, with some to spare.
        const RANGE: u64 = 960;
        let digits: u64 = model.levels().iter().map(|level| u64::from(level.digits)).sum();
        // The exponent of a number is stored with a bias of 1023.
        let payoff = smallest.map_or(0, |payoff| 1024u64.saturating_sub(payoff.to_bits() >> 52));
        let roundings: u64 = model.levels().iter().map(|level| roundings_of(level, true)).sum();
        !model.has_cycles() && digits + payoff < RANGE && relative_error(roundings + 5).is_finite()
    }

    /// The bounds of a state, which is on that level.
    pub(crate) fn of(&self, level: usize, state: StateId) -> (f64, f64) {
        match self {
            Self::Rounded { values, roundings, most } => widen(values[state as usize], roundings[level], *most),
            Self::Interval { ends } => ends[state as usize].into(),
        }
    }

    /// An upper bound of all finite values.
    pub(crate) fn largest(&self) -> f64 {
        match self {
            // The error is far below the factor of two.
            Self::Rounded { values, .. } => values.iter().fold(0.0, |a: f64, b| a.max(*b)) * 2.0,
            Self::Interval { ends } => {
                let finite = |ends: &Pair| if *ends == INFINITE { 0.0 } else { ends[1] };
                ends.par_iter().with_min_len(FEW_STATES).map(finite).reduce(|| 0.0, f64::max)
            }
        }
    }

    /// Whether the value of a state is infinite.
    pub(crate) fn is_infinite(&self, state: StateId) -> bool {
        matches!(self, Self::Interval { ends } if ends[state as usize] == INFINITE)
    }

    /// Whether some value is infinite.
    pub(crate) fn some_infinite(&self) -> bool {
        matches!(self, Self::Interval { ends } if ends.par_iter().with_min_len(FEW_STATES).any(|ends| *ends == INFINITE))
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Rounded { values, .. } => values.capacity() as u64 * 8,
            Self::Interval { ends } => (ends.capacity() * size_of::<Pair>()) as u64,
        }
    }
}

/// `value`, which went through this many roundings, widened by their error.
fn widen(value: f64, roundings: u64, most: Option<f64>) -> (f64, f64) {
    if value == 0.0 || Some(value) == most {
        return (value, value);
    }
    let error = relative_error(roundings + 3);
    (value * (1.0 - error), (value * (1.0 + error)).min(most.unwrap_or(f64::INFINITY)))
}

#[cfg(test)]
mod tests;
