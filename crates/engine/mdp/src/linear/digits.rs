//! Numbers by their digits in base 2^61 - 1.

use chacha20::ChaCha8Rng;
use dashu_base::{DivRem, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rand::{Rng, SeedableRng};

use super::field::{PRIME, Residue};

/// The lowest digits of many numbers at once.
#[derive(Default)]
pub(super) struct Digits {
    digits: Vec<Vec<Residue>>,
    /// The prime to the power of 1, 2, 4, ...
    powers: Vec<UBig>,
}

impl Digits {
    pub(super) fn len(&self) -> usize {
        self.digits.len()
    }

    /// The next digit of each number.
    pub(super) fn push(&mut self, digit: Vec<Residue>) {
        self.digits.push(digit);
        while 1 << self.powers.len() < self.digits.len() {
            let next = self.powers.last().map_or_else(|| UBig::from(PRIME), UBig::sqr);
            self.powers.push(next);
        }
    }

    fn modulus(&self) -> UBig {
        UBig::from(PRIME).pow(self.digits.len())
    }

    /// Combines parts of numbers, neighbours pairwise.
    fn together(&self, mut parts: Vec<UBig>) -> UBig {
        for power in &self.powers {
            if parts.len() == 1 {
                break;
            }
            parts = parts
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] => low + high * power,
                    rest => rest[0].clone(),
                })
                .collect();
        }
        parts.pop().unwrap_or(UBig::ZERO)
    }

    /// A number that is an integer with these digits in all: above half of the modulus it is negative.
    pub(super) fn integer(&self, column: usize) -> IBig {
        let number = self.together(self.digits.iter().map(|digit| UBig::from(digit[column].number())).collect());
        // The highest digit decides, except for numbers that are too long anyway.
        match self.digits.last() {
            Some(highest) if highest[column].number() > PRIME / 2 => IBig::from(number) - IBig::from(self.modulus()),
            _ => number.into(),
        }
    }

    /// The common denominator of all numbers, and the numerator of a sum of them with random factors: almost surely as
    /// long as the longest of their numerators. `None` if there are not enough digits.
    ///
    /// A prime that divides the denominator fails to divide that of a sum with a probability of one over the prime, so
    /// several sums are used. The caller must detect what is missed even so.
    pub(super) fn denominator(&self) -> Option<(UBig, UBig)> {
        const SUMS: u64 = 8;
        let modulus = self.modulus();
        let half = &modulus >> 1;
        let bound = half.sqrt();
        // With a digit to spare, what looks like a fraction is one.
        let enough = &bound / UBig::from(PRIME);
        let mut denominator = UBig::ONE;
        let mut largest = UBig::ZERO;
        for sum in 0..SUMS {
            let sum = self.sum(sum + SUMS * self.digits.len() as u64);
            let mut scaled = sum * &denominator % &modulus;
            if scaled > enough && &modulus - &scaled > enough {
                let factor = denominator_of(&modulus, &scaled, &bound);
                denominator *= &factor;
                scaled = scaled * factor % &modulus;
            }
            let numerator = if scaled > half { &modulus - scaled } else { scaled };
            // A sum of many numbers is longer than each of them.
            if denominator > enough || numerator > bound {
                return None;
            }
            largest = largest.max(numerator);
        }
        Some((denominator, largest))
    }

    /// The sum of all numbers, each with a factor of its own.
    fn sum(&self, seed: u64) -> UBig {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let factors: Vec<u32> = (0..self.digits.first().map_or(0, Vec::len)).map(|_| dice.next_u32()).collect();
        let sum = |digit: &Vec<Residue>| -> u128 {
            digit.iter().zip(&factors).map(|(digit, factor)| u128::from(digit.number()) * u128::from(*factor)).sum()
        };
        self.together(self.digits.iter().map(|digit| UBig::from(sum(digit))).collect())
    }
}

/// The digits of a number, the lowest first.
pub(super) fn digits_of(number: &UBig) -> Vec<u64> {
    let (prime, mut left) = (UBig::from(PRIME), number.clone());
    let mut digits = Vec::new();
    while left > UBig::ZERO {
        let (quotient, digit) = left.div_rem(&prime);
        digits.push(u64::try_from(digit).unwrap_or(0));
        left = quotient;
    }
    digits
}

/// The denominator of the fraction that is congruent to a number: Euclid's algorithm, stopped half-way.
fn denominator_of(modulus: &UBig, number: &UBig, bound: &UBig) -> UBig {
    let (mut a, mut b) = (modulus.clone(), number.clone());
    let (mut x, mut y) = (IBig::ZERO, IBig::ONE);
    while b > *bound {
        let (quotient, rest) = a.div_rem(&b);
        a = b;
        b = rest;
        let next = x - IBig::from(quotient) * &y;
        x = y;
        y = next;
    }
    y.unsigned_abs()
}

#[cfg(test)]
mod tests;
