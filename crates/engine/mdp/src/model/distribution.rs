//! Outcomes with exact weights.

use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use dashu_base::Gcd;
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::weight::{Meaning, Weight};
use crate::numbers::Rational;

/// A probability distribution: outcomes with integer weights; the probability of each is its weight over their total.
///
/// A distribution is never empty and every weight is positive, so every probability is a number
/// between 0 (excluded) and 1. Weights have no size limit, and nothing is rounded.
///
/// ```
/// use mdp::{Distribution, Rational};
///
/// let die = Distribution::uniform(1..=6)?;
/// let two_dice = die.and_then(|first| die.map(|second| first + second)).merge();
/// assert_eq!(two_dice.size(), 11);
/// assert_eq!(two_dice.probability_of(&7), Rational::from_parts(1.into(), 6u8.into()));
/// assert_eq!(two_dice.expected_value(|sum| Rational::from(*sum)), Rational::from(7));
/// # Ok::<(), mdp::DistributionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution<T> {
    outcomes: Vec<(T, UBig)>,
    total: UBig,
}

/// Why some weights do not form a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistributionError {
    /// There is no outcome, or every weight is zero.
    NothingCanHappen,
}

impl fmt::Display for DistributionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NothingCanHappen => "a distribution needs at least one outcome of positive weight",
        })
    }
}

impl std::error::Error for DistributionError {}

/// The weights of a distribution without its outcomes, made once and used for many choices: see
/// [`Turn::chance_with`](crate::Turn::chance_with). Copies are cheap and share the weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedWeights {
    weights: Arc<[UBig]>,
    meaning: Meaning,
}

impl SharedWeights {
    /// The weights, in the order of the outcomes; all positive, at least one.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// The same weights with another meaning.
    #[must_use]
    pub fn with_meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// The meaning of the weights.
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// An identity that distinguishes these weights from others as long as a copy of them is kept.
    pub(crate) fn identity(&self) -> (usize, Meaning) {
        (self.weights.as_ptr().addr(), self.meaning)
    }
}

impl<T> Distribution<T> {
    /// The weights alone, in the order of the outcomes.
    pub fn shared_weights(&self) -> SharedWeights {
        let weights = self.iter().map(|(_, weight)| weight.clone()).collect();
        SharedWeights { weights, meaning: Meaning::Chance }
    }

    /// The distribution in which `outcome` always happens.
    pub fn certain(outcome: T) -> Self {
        Self { outcomes: vec![(outcome, UBig::ONE)], total: UBig::ONE }
    }

    /// All `outcomes` equally likely.
    ///
    /// # Errors
    /// [`DistributionError::NothingCanHappen`] when there are none.
    pub fn uniform(outcomes: impl IntoIterator<Item = T>) -> Result<Self, DistributionError> {
        Self::weighted(outcomes.into_iter().map(|outcome| (outcome, Weight(1u8))))
    }

    /// Each outcome with its weight; the probability is the weight over the sum of all weights.
    /// Outcomes of weight zero are left out.
    ///
    /// # Errors
    /// [`DistributionError::NothingCanHappen`] when no weight is positive.
    pub fn weighted<W: Into<UBig>>(
        outcomes: impl IntoIterator<Item = (T, Weight<W>)>,
    ) -> Result<Self, DistributionError> {
        let outcomes: Vec<(T, UBig)> = outcomes
            .into_iter()
            .map(|(outcome, Weight(weight))| (outcome, weight.into()))
            .filter(|(_, weight)| *weight != UBig::ZERO)
            .collect();
        if outcomes.is_empty() {
            return Err(DistributionError::NothingCanHappen);
        }
        Ok(Self::of_positive(outcomes))
    }

    /// These outcomes, at least one, each with its weight, which is positive.
    pub(crate) fn of_positive(outcomes: Vec<(T, UBig)>) -> Self {
        let total = outcomes.iter().map(|(_, weight)| weight).sum();
        Self { outcomes, total }
    }

    /// How many outcomes are listed; at least one.
    pub fn size(&self) -> usize {
        self.outcomes.len()
    }

    /// The sum of all weights.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// The outcomes with their weights, in the order in which they were given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&T, &UBig)> {
        self.outcomes.iter().map(|(outcome, weight)| (outcome, weight))
    }

    /// The outcomes with their probabilities.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = (&T, Rational)> {
        self.iter().map(|(outcome, weight)| (outcome, Rational::from_parts(weight.clone().into(), self.total.clone())))
    }

    /// The same weights for other outcomes: each is replaced by `f` of it. Equal results stay separate until
    /// [`merge`](Self::merge).
    pub fn map<U>(&self, mut f: impl FnMut(&T) -> U) -> Distribution<U> {
        Distribution {
            outcomes: self.outcomes.iter().map(|(outcome, weight)| (f(outcome), weight.clone())).collect(),
            total: self.total.clone(),
        }
    }

    /// Draws an outcome of this distribution, then one of the distribution `f` of it.
    pub fn and_then<U>(&self, mut f: impl FnMut(&T) -> Distribution<U>) -> Distribution<U> {
        let following: Vec<Distribution<U>> = self.outcomes.iter().map(|(outcome, _)| f(outcome)).collect();
        let common = following.iter().fold(UBig::ONE, |common, next| lcm(&common, &next.total));
        let mut outcomes = Vec::with_capacity(following.iter().map(Distribution::size).sum());
        for ((_, weight), next) in self.outcomes.iter().zip(following) {
            let factor = weight * (&common / next.total);
            outcomes.extend(next.outcomes.into_iter().map(|(outcome, weight)| (outcome, weight * &factor)));
        }
        Distribution { outcomes, total: &self.total * common }
    }

    /// The mean of `f` over the outcomes.
    pub fn expected_value(&self, mut f: impl FnMut(&T) -> Rational) -> Rational {
        let sum = self
            .outcomes
            .iter()
            .fold(Rational::ZERO, |sum, (outcome, weight)| sum + f(outcome) * Rational::from(weight.clone()));
        sum / Rational::from(self.total.clone())
    }
}

impl<T: Eq + Hash> Distribution<T> {
    /// Merges equal outcomes and adds up their weights, in the order of first appearance; the weights are divided by
    /// their greatest common divisor. This keeps long sequences of chances small.
    #[must_use]
    pub fn merge(self) -> Self {
        let mut indices: FxHashMap<T, usize> = FxHashMap::default();
        let mut weights: Vec<UBig> = Vec::new();
        for (outcome, weight) in self.outcomes {
            match indices.entry(outcome) {
                Entry::Occupied(index) => weights[*index.get()] += weight,
                Entry::Vacant(index) => {
                    index.insert(weights.len());
                    weights.push(weight);
                }
            }
        }
        let common = weights.iter().fold(self.total.clone(), Gcd::gcd);
        let mut outcomes: Vec<(usize, T)> = indices.into_iter().map(|(outcome, index)| (index, outcome)).collect();
        outcomes.sort_unstable_by_key(|(index, _)| *index);
        Self {
            outcomes: outcomes
                .into_iter()
                .zip(weights)
                .map(|((_, outcome), weight)| (outcome, weight / &common))
                .collect(),
            total: self.total / common,
        }
    }

    /// The probability of `outcome`; zero when it is not listed.
    pub fn probability_of(&self, outcome: &T) -> Rational {
        let weight: UBig = self.iter().filter(|(other, _)| *other == outcome).map(|(_, weight)| weight).sum();
        Rational::from_parts(weight.into(), self.total.clone())
    }
}

/// The least common multiple of two positive integers.
pub(crate) fn lcm(a: &UBig, b: &UBig) -> UBig {
    a / a.gcd(b) * b
}

#[cfg(test)]
mod tests;
