//! Models that differ from one another in few states.

use rustc_hash::FxHashMap;

use crate::model::{Model, StateId, WeightsId};

/// The largest number below 1 or this number itself: 1 is reserved for certain wins.
pub(super) fn below(value: f64) -> f64 {
    value.min(1.0_f64.next_down())
}

/// Variants of a model, numbered from 0: in each of them some states have value 0.
///
/// ```
/// use mdp::advanced::{VariantSolver, Variants};
/// use mdp::{Distribution, ModelBuilder, Rational};
///
/// // Two coins in a row; who gets two heads wins.
/// let mut builder = ModelBuilder::new();
/// let coin = builder.weights(&[1, 1])?;
/// builder.choice(coin, &[1, 3])?;
/// builder.finish_state()?;
/// builder.choice(coin, &[2, 3])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// builder.finished(&[Rational::ZERO])?;
/// let built = builder.build(None)?;
///
/// // In the second variant nobody lives to throw the second coin.
/// let mut living = vec![2; 4];
/// living[built.number_of(1) as usize] = 1;
/// let variants = Variants { model: &built.model, count: 2, living: &living, apart: &Default::default(), chances: None };
/// let start = Distribution::certain(built.number_of(0));
/// let values = VariantSolver::default().values(&variants, &start, None)?.expect("nothing unusual about it");
/// assert_eq!((values[0].decimal(), values[1].decimal()), (0.25, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Variants<'a> {
    /// The model that they share. Values are maximised.
    pub model: &'a Model,
    /// How many there are, at least 1.
    pub count: usize,
    /// For each state the number of variants, from the first on, in which it has its own rules; in the others its value
    /// is 0.
    pub living: &'a [u8],
    /// States that lead for certain to another state in each variant: one of their targets in the model. There must be
    /// one for each variant in which the state lives.
    pub apart: &'a FxHashMap<StateId, Vec<StateId>>,
    /// Probabilities in place of the model's, common to all variants. Without them all weights of the model must be
    /// [chances](crate::advanced::Meaning::Chance).
    pub chances: Option<&'a Chances>,
}

/// Probabilities in place of a model's.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// For each of the model's weight vectors, in order, one probability for each weight. They can be 0.
    pub probabilities: Vec<Vec<f64>>,
    /// The most roundings behind each of them.
    pub roundings: u64,
}

impl Variants<'_> {
    /// The probabilities of a weight vector.
    pub(super) fn probabilities(&self, weights: WeightsId) -> &[f64] {
        match self.chances {
            None => self.model.weights().probabilities(weights),
            Some(chances) => &chances.probabilities[weights as usize],
        }
    }
}
