//! Denominators, each stored once, and the results of operations on them: least common multiples, and products with
//! totals.

use std::ops::Index;

use dashu_base::BitTest;
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use crate::model::{CERTAIN, WeightTable, WeightsId, lcm};
use crate::solution::{Class, ClassId, NumeratorRef, TooLarge};

/// A class, and another class or the number of a total.
type Pair = (ClassId, u32);

/// A cache of results for pairs: a hash table behind a small cache of the latest.
#[derive(Debug, Default)]
struct Memo {
    latest: Latest,
    all: FxHashMap<Pair, ClassId>,
}

/// The latest results for pairs.
#[derive(Debug)]
pub(super) struct Latest(Vec<(Pair, ClassId)>);

impl Default for Latest {
    fn default() -> Self {
        Self(vec![((ClassId::NONE, u32::MAX), ClassId::WHOLE); Self::COUNT])
    }
}

impl Latest {
    const COUNT: usize = 1 << 10;

    #[inline]
    fn slot(&mut self, key: Pair) -> &mut (Pair, ClassId) {
        &mut self.0[(key.0.number().wrapping_mul(37) ^ key.1) as usize % Self::COUNT]
    }

    #[inline]
    fn get(&mut self, key: Pair, all: &FxHashMap<Pair, ClassId>) -> Option<ClassId> {
        let slot = self.slot(key);
        if slot.0 != key {
            *slot = (key, *all.get(&key)?);
        }
        Some(slot.1)
    }
}

impl Memo {
    #[inline]
    fn get(&mut self, key: Pair) -> Option<ClassId> {
        self.latest.get(key, &self.all)
    }

    fn insert(&mut self, key: Pair, result: ClassId) {
        self.all.insert(key, result);
        *self.latest.slot(key) = (key, result);
    }
}

/// All denominators that occur, each once.
pub(super) struct Classes {
    list: Vec<Class>,
    known: FxHashMap<UBig, ClassId>,
    joined: Memo,
    multiplied: Memo,
    /// The number of every weight vector's total.
    total_of: Vec<u32>,
    totals: Vec<UBig>,
    /// Binary digits of the largest value, rounded up.
    value_bits: usize,
    /// Bytes of the denominators, which are stored twice.
    denominator_bytes: u64,
}

impl Classes {
    /// For a model with these weights, in which no value exceeds `largest`.
    pub(super) fn new(weights: &WeightTable, largest: f64) -> Self {
        let mut totals: Vec<UBig> = Vec::new();
        let mut known: FxHashMap<UBig, u32> = FxHashMap::default();
        let total_of = weights
            .ids()
            .map(|id| {
                *known.entry(weights.total(id)).or_insert_with_key(|total| {
                    totals.push(total.clone());
                    u32::try_from(totals.len() - 1).unwrap_or(u32::MAX)
                })
            })
            .collect();
        let mut classes = Self {
            list: Vec::new(),
            known: FxHashMap::default(),
            joined: Memo::default(),
            multiplied: Memo::default(),
            total_of,
            totals,
            value_bits: digits(largest),
            denominator_bytes: 0,
        };
        classes.enter(UBig::ONE, ClassId::WHOLE);
        classes
    }

    /// The class of a denominator.
    pub(super) fn of(&mut self, denominator: UBig) -> Result<ClassId, TooLarge> {
        if let Some(class) = self.known.get(&denominator) {
            return Ok(*class);
        }
        let class = ClassId::new(self.list.len())?;
        self.enter(denominator, class);
        Ok(class)
    }

    fn enter(&mut self, denominator: UBig, class: ClassId) {
        let limbs = (denominator.bit_len() + self.value_bits).div_ceil(64);
        self.denominator_bytes += 2 * (size_of::<Class>() + denominator.as_words().len() * 8) as u64;
        self.list.push(Class { denominator: denominator.clone(), limbs });
        self.known.insert(denominator, class);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let pairs = self.joined.all.capacity() + self.multiplied.all.capacity();
        self.denominator_bytes + (pairs * size_of::<(Pair, ClassId)>()) as u64
    }

    /// The number of a weight vector's total.
    #[inline]
    pub(super) fn total_of(&self, weights: WeightsId) -> u32 {
        self.total_of[weights as usize]
    }

    /// A total by its number.
    pub(super) fn total(&self, number: u32) -> &UBig {
        &self.totals[number as usize]
    }

    /// The classes by their numbers.
    pub(super) fn into_list(self) -> Vec<Class> {
        self.list
    }

    fn join_anew(&mut self, a: ClassId, b: ClassId) -> Result<ClassId, TooLarge> {
        let class = self.of(lcm(&self[a].denominator, &self[b].denominator))?;
        self.joined.insert((a, b.number()), class);
        Ok(class)
    }

    /// The class of the least common multiple where it is obvious; otherwise the key to look it up with.
    #[inline]
    fn simple_join(a: ClassId, b: ClassId) -> Result<ClassId, (ClassId, ClassId)> {
        if a == b || b == ClassId::WHOLE {
            Ok(a)
        } else if a == ClassId::WHOLE {
            Ok(b)
        } else {
            Err((a.min(b), a.max(b)))
        }
    }
}

impl Index<ClassId> for Classes {
    type Output = Class;

    #[inline]
    fn index(&self, class: ClassId) -> &Class {
        &self.list[class.index()]
    }
}

/// An upper bound of the binary digits of the integer part of numbers up to this one, plus one.
fn digits(largest: f64) -> usize {
    // The exponent of a number is stored with a bias of 1023.
    let exponent = (largest.max(1.0).to_bits() >> 52) & 0x7ff;
    usize::try_from(exponent).map_or(usize::MAX, |exponent| exponent - 1023 + 2)
}

impl Denominators for Classes {
    type Missing = TooLarge;

    #[inline]
    fn join(&mut self, a: ClassId, b: ClassId) -> Result<ClassId, TooLarge> {
        match Self::simple_join(a, b) {
            Ok(class) => Ok(class),
            Err((a, b)) => self.joined.get((a, b.number())).map_or_else(|| self.join_anew(a, b), Ok),
        }
    }

    #[inline]
    fn multiply(&mut self, class: ClassId, weights: WeightsId) -> Result<ClassId, TooLarge> {
        if weights == CERTAIN {
            return Ok(class);
        }
        let key = (class, self.total_of[weights as usize]);
        if let Some(class) = self.multiplied.get(key) {
            return Ok(class);
        }
        let denominator = &self[class].denominator * &self.totals[key.1 as usize];
        let class = self.of(denominator)?;
        self.multiplied.insert(key, class);
        Ok(class)
    }
}

/// Appends a numerator.
pub(super) fn enter(
    numerator: &UBig,
    class: ClassId,
    classes: &Classes,
    limbs: &mut Vec<u64>,
) -> Result<NumeratorRef, TooLarge> {
    let at = NumeratorRef::new(class, limbs.len())?;
    let words = numerator.as_words();
    assert!(words.len() <= classes[class].limbs, "a numerator larger than its class");
    limbs.extend_from_slice(words);
    limbs.resize(at.offset() + classes[class].limbs, 0);
    Ok(at)
}

/// The operations that make the class of a state.
pub(super) trait Denominators {
    /// Why there is no class.
    type Missing;

    /// The class of the least common multiple.
    fn join(&mut self, a: ClassId, b: ClassId) -> Result<ClassId, Self::Missing>;
    /// The class of the denominator times a weight vector's total.
    fn multiply(&mut self, class: ClassId, weights: WeightsId) -> Result<ClassId, Self::Missing>;
}

/// The classes computed so far: read only.
pub(super) struct KnownClasses<'a> {
    pub(super) classes: &'a Classes,
    pub(super) latest: &'a mut [Latest; 2],
}

/// The result has not been computed before.
pub(super) struct NotFound;

impl Denominators for KnownClasses<'_> {
    type Missing = NotFound;

    #[inline]
    fn join(&mut self, a: ClassId, b: ClassId) -> Result<ClassId, NotFound> {
        match Classes::simple_join(a, b) {
            Ok(class) => Ok(class),
            Err((a, b)) => self.latest[0].get((a, b.number()), &self.classes.joined.all).ok_or(NotFound),
        }
    }

    #[inline]
    fn multiply(&mut self, class: ClassId, weights: WeightsId) -> Result<ClassId, NotFound> {
        if weights == CERTAIN {
            return Ok(class);
        }
        self.latest[1]
            .get((class, self.classes.total_of[weights as usize]), &self.classes.multiplied.all)
            .ok_or(NotFound)
    }
}
