//! Heroes who differ in COMBAT SKILL only, told together.
//!
//! Nothing but how fights go depends on COMBAT SKILL. So what can come of a chance in a fight is told for all of them at once,
//! and its weights say how likely that is for each: numbers from which those of one hero can be read, also where the engine
//! has added them up, because several outcomes lead to the same, and divided them by what they have in common.
//! - *A round* has ten outcomes for each hero. Those of the hero with so many points more weigh as much as his *share*: each
//!   share is larger than ten times all before it together, so that sums of them can be taken apart. All shares together are a
//!   prime number: where the sum of a chance's weights is no multiple of it, the chance is the same for all heroes.
//! - *A fight to the end* has a *mark*: its outcomes weigh 1, 2, 4 and so on, so that a sum says which they are, and the first
//!   of them weighs so much more that its higher digits say which fight it is. The sum of the weights is a prime number, so
//!   nothing can be divided out.

use std::sync::{PoisonError, RwLock};

use dashu_int::UBig;
use mdp::{Distribution, SharedWeights, Weight, WeightSlice, WeightTable};
use rustc_hash::FxHashMap;

/// The picked numbers of a round.
const NUMBERS: u64 = 10;
/// The most heroes with different COMBAT SKILLs who are told together: shares are weights of 32 bits.
pub(crate) const MOST_SKILLS: u8 = 10;
/// The digits of a mark that say which outcomes a weight stands for.
const OUTCOMES: usize = 40;

/// How likely what comes of fights is for heroes with more and more COMBAT SKILL.
#[derive(Debug)]
pub(crate) struct Skills {
    shares: Vec<u32>,
    /// All shares together: a prime number.
    sum: u64,
    marks: RwLock<Marks>,
}

#[derive(Debug, Default)]
struct Marks {
    last: u64,
    known: FxHashMap<u64, Marked>,
}

/// A chance with a mark.
#[derive(Debug)]
struct Marked {
    /// The sum of its weights.
    total: u64,
    /// For each hero how likely each outcome is.
    chances: Vec<Vec<f64>>,
}

/// What the weights of a chance say.
#[derive(Debug, PartialEq)]
enum Read {
    /// They are those of all heroes.
    Alike,
    /// For each hero how likely each outcome is.
    BySkill(Vec<Vec<f64>>),
}

/// How likely the outcomes of a model's chances are for each hero: for each of its weight vectors.
pub(crate) type BySkill = Vec<Vec<Vec<f64>>>;

impl Skills {
    /// So many heroes, each with a point more than the one before.
    pub(crate) fn new(count: u8) -> Self {
        let (mut shares, mut sum) = (Vec::new(), 0u64);
        for number in 0..count.clamp(2, MOST_SKILLS) {
            let mut share = NUMBERS * sum + 1;
            if number + 1 == count.clamp(2, MOST_SKILLS) {
                while !is_prime(sum + share) {
                    share += 1;
                }
            }
            sum += share;
            // Eleven to the power of nine and a little.
            shares.push(u32::try_from(share).unwrap_or(u32::MAX));
        }
        Self { shares, sum, marks: RwLock::default() }
    }

    /// How many heroes they are.
    pub(crate) fn count(&self) -> usize {
        self.shares.len()
    }

    /// What an outcome of a round weighs for each of them.
    pub(crate) fn shares(&self) -> &[u32] {
        &self.shares
    }

    /// Weights for a chance of which is known how likely each outcome is for each hero; nothing where it has too many
    /// outcomes.
    pub(crate) fn mark(&self, chances: Vec<Vec<f64>>) -> Option<SharedWeights> {
        let outcomes = chances.first().map_or(0, Vec::len);
        if !(1..=OUTCOMES).contains(&outcomes) {
            return None;
        }
        let mut marks = self.marks.write().unwrap_or_else(PoisonError::into_inner);
        let all = (1u64 << outcomes) - 1;
        let mut mark = marks.last;
        let total = loop {
            mark += 1;
            let total = all.checked_add(mark.checked_mul(1 << OUTCOMES)?)?;
            if outcomes == 1 || is_prime(total) {
                break total;
            }
        };
        marks.last = mark;
        marks.known.insert(mark, Marked { total, chances });
        let weight = |outcome: usize| (1u64 << outcome) + if outcome == 0 { mark << OUTCOMES } else { 0 };
        let weights = Distribution::weighted((0..outcomes).map(|outcome| (outcome, Weight(weight(outcome)))));
        weights.ok().map(|weights| weights.shared_weights())
    }

    /// How likely the outcomes of a model's chances are for each hero; nothing where that cannot be read from them.
    pub(crate) fn chances(&self, weights: &WeightTable) -> Option<BySkill> {
        let mut by_skill: BySkill = vec![Vec::with_capacity(weights.len()); self.count()];
        let marks = self.marks.read().unwrap_or_else(PoisonError::into_inner);
        for id in (0..).take(weights.len()) {
            let own = match weights.weights(id) {
                WeightSlice::Small(own, total) => self.read(own, total, &marks)?,
                WeightSlice::Large(..) => Read::Alike,
            };
            match own {
                Read::BySkill(own) => by_skill.iter_mut().zip(own).for_each(|(all, own)| all.push(own)),
                Read::Alike => by_skill.iter_mut().for_each(|all| all.push(weights.probabilities(id).to_vec())),
            }
        }
        Some(by_skill)
    }

    /// How likely outcomes with these weights are for each hero; nothing where that cannot be read from them.
    fn read(&self, weights: &[u64], total: u64, marks: &Marks) -> Option<Read> {
        let marked = weights.iter().map(|weight| weight >> OUTCOMES).max().and_then(|mark| marks.known.get(&mark));
        if let Some(Marked { chances, .. }) = marked.filter(|marked| marked.total == total) {
            let of = |chances: &Vec<f64>| {
                let sum = |weight: &u64| {
                    let own = chances.iter().enumerate().filter(|(outcome, _)| weight >> outcome & 1 == 1);
                    own.map(|(_, chance)| chance).sum()
                };
                weights.iter().map(sum).collect()
            };
            return Some(Read::BySkill(chances.iter().map(of).collect()));
        }
        if !total.is_multiple_of(self.sum) {
            return Some(Read::Alike);
        }
        let all = NUMBERS * self.sum;
        if !all.is_multiple_of(total) {
            return None;
        }
        let mut chances = vec![vec![0.0; weights.len()]; self.count()];
        for (place, weight) in weights.iter().enumerate() {
            let mut rest = weight * (all / total);
            for (own, share) in chances.iter_mut().zip(&self.shares).rev() {
                let numbers = rest / u64::from(*share);
                rest -= numbers * u64::from(*share);
                own[place] = f64::from(u32::try_from(numbers).ok()?) / 10.0;
            }
            if rest != 0 {
                return None;
            }
        }
        Some(Read::BySkill(chances))
    }
}

/// How likely an outcome with this weight of so many is: off by three roundings at most.
pub(crate) fn chance(weight: &UBig, total: &UBig) -> f64 {
    weight.to_f64().value() / total.to_f64().value()
}

/// Whether a number is prime: the test of Miller and Rabin with bases that are enough for 64 bits (Sorenson and Webster,
/// *Strong pseudoprimes to twelve prime bases*).
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if number < 2 || BASES.iter().any(|base| number.is_multiple_of(*base)) {
        return BASES.contains(&number);
    }
    let times = |a: u64, b: u64| u64::try_from(u128::from(a) * u128::from(b) % u128::from(number)).unwrap_or(0);
    let twos = (number - 1).trailing_zeros();
    let power = |base: u64| {
        let (mut power, mut base, mut exponent) = (1, base, (number - 1) >> twos);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = times(power, base);
            }
            base = times(base, base);
            exponent >>= 1;
        }
        power
    };
    BASES.iter().all(|base| {
        let mut own = power(*base);
        if own == 1 || own == number - 1 {
            return true;
        }
        (1..twos).any(|_| {
            own = times(own, own);
            own == number - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_skill(read: Option<Read>) -> Vec<Vec<f64>> {
        let Some(Read::BySkill(chances)) = read else { panic!("{read:?} tells nobody apart") };
        chances
    }

    #[test]
    fn primes() {
        let few: Vec<u64> = (0..60).filter(|number| is_prime(*number)).collect();
        assert_eq!(few, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        // The largest prime of 64 bits, a square of a prime, a strong pseudoprime to the first nine bases.
        assert!(is_prime(18_446_744_073_709_551_557));
        assert!(!is_prime(4_294_967_291 * 4_294_967_291));
        assert!(!is_prime(3_825_123_056_546_413_051));
    }

    #[test]
    fn shares_can_be_taken_apart() {
        for count in 2..=MOST_SKILLS {
            let skills = Skills::new(count);
            assert_eq!((skills.count(), is_prime(skills.sum)), (usize::from(count), true));
            let mut before = 0;
            for share in skills.shares() {
                assert!(u64::from(*share) > NUMBERS * before);
                before += u64::from(*share);
            }
            // A round whose outcomes are alike for nobody: the hero with `c` points more gets the first in `c` of ten cases.
            let first: u64 = (0..).zip(skills.shares()).map(|(more, share)| more * u64::from(*share)).sum();
            let weights = [first, NUMBERS * skills.sum - first];
            let own = by_skill(skills.read(&weights, NUMBERS * skills.sum, &Marks::default()));
            for (more, own) in (0u8..).zip(&own) {
                assert_eq!(own, &[f64::from(more) / 10.0, f64::from(10 - more) / 10.0]);
            }
            // A coin is the same for all.
            assert_eq!(skills.read(&[1, 1], 2, &Marks::default()), Some(Read::Alike));
        }
    }

    #[test]
    fn marks_say_what_was_added_up() {
        let skills = Skills::new(2);
        let first = skills.mark(vec![vec![0.5, 0.25, 0.25], vec![0.0, 0.5, 0.5]]).unwrap();
        let second = skills.mark(vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0]]).unwrap();
        assert_ne!(first, second);
        let numbers = |weights: &SharedWeights| -> Vec<u64> {
            weights.weights().iter().map(|weight| u64::try_from(weight).unwrap()).collect()
        };
        let (first, second) = (numbers(&first), numbers(&second));
        let marks = skills.marks.read().unwrap();
        let total = first.iter().sum();
        let read = by_skill(skills.read(&[first[0] + first[2], first[1]], total, &marks));
        assert_eq!(read, [[0.75, 0.25], [0.5, 0.5]]);
        let read = by_skill(skills.read(&[second[1], second[2] + second[0]], second.iter().sum(), &marks));
        assert_eq!(read, [[0.0, 1.0], [0.0, 1.0]]);
    }
}
