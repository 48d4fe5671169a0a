//! The exact values of all states, as the sweep stores them: integers over common denominators. `solve/exact` computes
//! them.

use dashu_int::UBig;

use crate::model::StateId;
use crate::numbers::Rational;
use crate::support::to_index;

/// The exact value of every state (shifted to be at least 0).
#[derive(Clone, Debug)]
pub(crate) struct ExactValues {
    /// For every state its class (upper 24 bits) and the index of its numerator in `limbs`.
    pub(crate) refs: Vec<NumeratorRef>,
    pub(crate) limbs: Vec<u64>,
    pub(crate) classes: Vec<Class>,
}

/// The index of a numerator in the limbs, and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumeratorRef(u64);

/// More classes or limbs than fit their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// A denominator, and the length of numerators over it.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) denominator: UBig,
    /// Limbs of each numerator.
    pub(crate) limbs: usize,
}

/// The number of a class: below 2^24, so that it fits a [`NumeratorRef`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClassId(u32);

impl ClassId {
    const BITS: u32 = 24;
    /// No class.
    pub(crate) const NONE: Self = Self(u32::MAX);
    /// The class of the denominator 1.
    pub(crate) const WHOLE: Self = Self(0);

    pub(crate) fn new(index: usize) -> Result<Self, TooLarge> {
        u32::try_from(index).ok().filter(|number| number >> Self::BITS == 0).map(Self).ok_or(TooLarge)
    }

    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl NumeratorRef {
    const OFFSET_BITS: u32 = 40;
    /// For a state without a value yet.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn new(class: ClassId, offset: usize) -> Result<Self, TooLarge> {
        let offset = offset as u64;
        if offset >> Self::OFFSET_BITS != 0 {
            return Err(TooLarge);
        }
        Ok(Self(u64::from(class.number()) << Self::OFFSET_BITS | offset))
    }

    #[inline]
    pub(crate) fn class(self) -> ClassId {
        ClassId((self.0 >> Self::OFFSET_BITS) as u32)
    }

    #[inline]
    pub(crate) fn offset(self) -> usize {
        to_index(self.0 & ((1 << Self::OFFSET_BITS) - 1))
    }
}

impl ExactValues {
    pub(crate) fn value(&self, state: StateId) -> Rational {
        let at = self.refs[state as usize];
        let class = &self.classes[at.class().index()];
        let numerator = UBig::from_words(&self.limbs[at.offset()..at.offset() + class.limbs]);
        Rational::from_parts(numerator.into(), class.denominator.clone())
    }

    /// The denominator of a state's value before it is reduced: every product of totals on a path from the state to an
    /// end divides it, as long as only best choices are taken.
    pub(crate) fn denominator(&self, state: StateId) -> &UBig {
        &self.classes[self.refs[state as usize].class().index()].denominator
    }

    pub(crate) fn bytes(&self) -> u64 {
        let classes: usize =
            self.classes.iter().map(|class| size_of::<Class>() + class.denominator.as_words().len() * 8).sum();
        (self.refs.capacity() * 8 + self.limbs.capacity() * 8 + classes) as u64
    }
}
