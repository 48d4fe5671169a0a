//! From probabilities to integer weights.

use budget::Stopped;
use dashu_base::{BitTest, Gcd, Sign};
use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::distributions::{Distributions, WeightsId};
use crate::memory::Memory;
use crate::numbers::Number;

/// The largest error of the sum of probabilities that are written as decimals: one part in this.
const ONE_PART_IN: u64 = 1_000_000_000;

/// The largest error of the sum of probabilities that are written as decimals; they are then divided by their sum.
/// Fractions have to sum to exactly 1.
pub const TOLERANCE: f64 = 1e-9;

/// The largest common denominator of a choice, in binary digits.
pub(crate) const LARGEST_DENOMINATOR: usize = 1 << 20;

/// Weights in lowest terms.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    weights: Vec<UBig>,
    /// The probabilities did not sum to exactly 1 and were divided by their sum.
    pub(crate) normalised: bool,
}

/// Why probabilities cannot be converted to weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unweighable {
    /// One of them is zero or negative.
    NotPositive(usize),
    /// The sum is not 1.
    Sum(RBig),
    /// The common denominator would be too large.
    TooLarge,
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl From<Stopped> for Unweighable {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl Unweighable {
    pub(crate) fn problem(&self) -> String {
        match self {
            Self::NotPositive(_) => "a probability below zero".into(),
            Self::Sum(sum) => {
                let exact = sum.to_string();
                let about = sum.to_f64().value();
                if exact.len() <= 40 {
                    format!("the probabilities sum to {exact} (about {about})")
                } else {
                    format!("the probabilities sum to about {about}")
                }
            }
            Self::TooLarge => "probabilities with too large a common denominator".into(),
            Self::Stopped(stopped) => stopped.to_string(),
        }
    }

    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Self::NotPositive(_) => "probabilities lie between 0 and 1",
            Self::Sum(_) => "they must sum to exactly 1, or to within 1e-9 when written as decimals",
            Self::TooLarge => "use fewer digits",
            Self::Stopped(_) => "",
        }
    }
}

/// The weights of some probabilities.
pub(crate) fn weigh(probabilities: &[&Number], memory: &Memory<'_>) -> Result<Weighed, Unweighable> {
    let mut denominator = UBig::ONE;
    let mut decimal = false;
    for (place, number) in probabilities.iter().enumerate() {
        if number.value.is_zero() || number.value.sign() == Sign::Negative {
            return Err(Unweighable::NotPositive(place));
        }
        decimal |= number.decimal;
        memory.step()?;
        let other = number.value.denominator();
        if *other == denominator {
            continue;
        }
        denominator = &denominator / (&denominator).gcd(other) * other;
        if denominator.bit_len() > LARGEST_DENOMINATOR {
            return Err(Unweighable::TooLarge);
        }
    }
    let large = if denominator.bit_len() > 64 { denominator.bit_len() as u64 / 8 } else { 0 };
    memory.room((large + size_of::<UBig>() as u64) * probabilities.len() as u64)?;
    let mut weights: Vec<UBig> = Vec::with_capacity(probabilities.len());
    let mut total = UBig::ZERO;
    for number in probabilities {
        memory.step()?;
        let (_, numerator) = number.value.numerator().clone().into_parts();
        let weight = numerator * (&denominator / number.value.denominator());
        total += &weight;
        weights.push(weight);
    }
    let normalised = total != denominator;
    if normalised {
        let miss = if total > denominator { &total - &denominator } else { &denominator - &total };
        if !decimal || miss * UBig::from(ONE_PART_IN) > denominator {
            return Err(Unweighable::Sum(RBig::from_parts(total.into(), denominator)));
        }
    }
    Ok(Weighed { weights, normalised })
}

impl Weighed {
    pub(crate) fn intern(self, table: &mut Distributions, memory: &Memory<'_>) -> Result<WeightsId, Stopped> {
        table.intern_large(self.weights, memory)
    }
}

/// Merges outcomes with equal targets and removes those of probability zero, in the order in which the targets first
/// appear.
pub(crate) fn merge(
    targets: &mut Vec<u32>,
    probabilities: Vec<Number>,
    memory: &Memory<'_>,
) -> Result<Vec<Number>, Unweighable> {
    /// For every target: its entry in the table, its number here and in the result.
    const EACH: u64 = 2 * (16 + 2 * size_of::<Number>() as u64);
    memory.room(EACH * probabilities.len() as u64)?;
    let mut places = hashbrown::HashMap::new();
    let mut merged: Vec<(u32, Number)> = Vec::new();
    for (target, number) in targets.iter().zip(probabilities) {
        memory.step()?;
        let place = *places.entry(*target).or_insert(merged.len());
        match merged.get_mut(place) {
            Some((_, sum)) => {
                sum.value += number.value;
                if sum.value.denominator().bit_len() > LARGEST_DENOMINATOR {
                    return Err(Unweighable::TooLarge);
                }
                sum.decimal |= number.decimal;
            }
            None => merged.push((*target, number)),
        }
    }
    merged.retain(|(_, number)| !number.value.is_zero());
    targets.clear();
    targets.extend(merged.iter().map(|(target, _)| *target));
    Ok(merged.into_iter().map(|(_, number)| number).collect())
}
