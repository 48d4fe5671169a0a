//! Arithmetic modulo primes of 62 bits.

use dashu_int::UBig;

use super::arithmetic::Arithmetic;
use crate::support::halves;

/// Numbers modulo a prime.
pub(crate) struct Modulo(u64);

impl Modulo {
    /// The prime is below 2^62.
    pub(crate) fn new(prime: u64) -> Self {
        Self(prime)
    }

    /// The remainder of a number modulo the prime.
    pub(crate) fn reduce(&self, value: &UBig) -> u64 {
        value % self.0
    }

    /// `a - b`.
    pub(crate) fn difference(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.0 - b }
    }

    fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut power) = (base, 1);
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.product(power, square);
            }
            square = self.product(square, square);
            exponent /= 2;
        }
        power
    }
}

impl Arithmetic for Modulo {
    type Number = u64;
    const ZERO: u64 = 0;

    fn add_product(&self, a: u64, b: u64, c: u64) -> u64 {
        let product = u128::from(b) * u128::from(c) + u128::from(a);
        // A remainder is smaller than the prime: its high half is 0.
        halves(product % u128::from(self.0)).0
    }

    fn inverse(&self, a: u64) -> Option<u64> {
        (a != 0).then(|| self.power(a, self.0 - 2))
    }

    fn one(&self) -> u64 {
        1
    }
}

/// The primes below 2^62, from the largest.
pub(crate) fn primes() -> impl Iterator<Item = u64> {
    (1..1u64 << 62).rev().step_by(2).filter(|number| is_prime(*number))
}

/// The Miller-Rabin test with bases that make it exact below 2^64.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if let Some(divisor) = BASES.iter().find(|divisor| number.is_multiple_of(**divisor)) {
        return number == *divisor;
    }
    if number < 2 {
        return false;
    }
    let modulo = Modulo::new(number);
    let twos = (number - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let mut power = modulo.power(*base, (number - 1) >> twos);
        power == 1
            || (0..twos).any(|_| {
                let found = power == number - 1;
                power = modulo.product(power, power);
                found
            })
    })
}

#[cfg(test)]
mod tests;
