//! Exact values: integers over known denominators.
//!
//! A state's value is a sum of products of weights, divided by the totals on the way. So its
//! denominator is known before the value is: the least common multiple, over the choices that
//! could be best, of the choice's total times the denominators of its targets. Values are kept as
//! numerators in fixed runs of 64-bit limbs; states with the same denominator (there are few
//! denominators and many states) are of one *class*. No greatest common divisor is taken in the
//! sweep.
//!
//! The floating-point bounds come first: only choices that they cannot tell apart are computed
//! exactly, and compared as integers, so a tie is proved to be one.
//!
//! A cyclic part is solved by policy iteration, each policy's equations exactly
//! ([`crate::linear`]); its states then share a class of their own.

mod classes;
mod limbs;
mod part;
mod sweep;
mod workspace;

pub(crate) use part::part_bounds;
pub(crate) use sweep::sweep;

use dashu_base::UnsignedAbs;
use dashu_int::UBig;
use serde::{Deserialize, Serialize};

use crate::model::StateId;
use crate::rational::Rational;
use crate::solve::SolveError;
use classes::{Class, ClassId, Classes};

/// The exact value of every state (shifted to be at least 0).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExactValues {
    /// For every state its class (upper 24 bits) and where its numerator begins in `limbs`.
    places: Vec<Place>,
    limbs: Vec<u64>,
    classes: Vec<Class>,
}

/// Where a numerator begins in the limbs, and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place(u64);

/// A class or a place that has no number any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooLarge;

impl From<TooLarge> for SolveError {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl Place {
    const OFFSET_BITS: u32 = 40;
    /// The place of what has no value yet.
    const NONE: Self = Self(0);

    fn new(class: ClassId, offset: usize) -> Result<Self, TooLarge> {
        let offset = offset as u64;
        if offset >> Self::OFFSET_BITS != 0 {
            return Err(TooLarge);
        }
        Ok(Self(u64::from(class.number()) << Self::OFFSET_BITS | offset))
    }

    #[inline]
    fn class(self) -> ClassId {
        ClassId::in_place(self.0 >> Self::OFFSET_BITS)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a place in memory")]
    fn offset(self) -> usize {
        (self.0 & ((1 << Self::OFFSET_BITS) - 1)) as usize
    }
}

impl ExactValues {
    pub(crate) fn value(&self, state: StateId) -> Rational {
        let place = self.places[state as usize];
        let class = &self.classes[place.class().index()];
        let numerator = UBig::from_words(&self.limbs[place.offset()..place.offset() + class.limbs]);
        Rational::from_parts(numerator.into(), class.denominator.clone())
    }

    /// The denominator of a state's value before it is reduced: every product of totals on a way
    /// from the state to an end divides it, as long as only best choices are taken.
    pub(crate) fn denominator(&self, state: StateId) -> &UBig {
        &self.classes[self.places[state as usize].class().index()].denominator
    }

    /// Whether every state has a numerator over a denominator.
    pub(crate) fn check(&self, states: usize) -> bool {
        self.places.len() == states
            && self.classes.iter().all(|class| class.denominator != UBig::ZERO)
            && self.places.iter().all(|place| {
                let class = self.classes.get(place.class().index());
                class
                    .and_then(|class| place.offset().checked_add(class.limbs))
                    .is_some_and(|end| end <= self.limbs.len())
            })
    }

    pub(crate) fn bytes(&self) -> u64 {
        let classes: usize =
            self.classes.iter().map(|class| size_of::<Class>() + class.denominator.as_words().len() * 8).sum();
        (self.places.capacity() * 8 + self.limbs.capacity() * 8 + classes) as u64
    }
}

/// Puts every payoff's numerator into the limbs, once.
fn enter_payoffs(payoffs: &[Rational], classes: &mut Classes, limbs: &mut Vec<u64>) -> Result<Vec<Place>, TooLarge> {
    let mut places = Vec::with_capacity(payoffs.len());
    for payoff in payoffs {
        let class = classes.of(payoff.denominator().clone())?;
        places.push(enter(&payoff.numerator().unsigned_abs(), class, classes, limbs)?);
    }
    Ok(places)
}

/// Appends a numerator.
fn enter(numerator: &UBig, class: ClassId, classes: &Classes, limbs: &mut Vec<u64>) -> Result<Place, TooLarge> {
    let place = Place::new(class, limbs.len())?;
    let words = numerator.as_words();
    assert!(words.len() <= classes[class].limbs, "a numerator larger than its class");
    limbs.extend_from_slice(words);
    limbs.resize(place.offset() + classes[class].limbs, 0);
    Ok(place)
}
