//! Powers, roots and logarithms of fractions, where they are fractions themselves.

use dashu_base::{BitTest, Signed};
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::value::MOST_BITS;

/// Numbers with more binary digits have no logarithm here: computing it would take too long.
const MOST_BITS_OF_LOGARITHM: usize = 1 << 12;

/// Why the result is not a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFraction {
    /// It has too many digits.
    TooLarge,
    /// The result is irrational.
    Irrational,
    /// The result is undefined: what is wrong, and what would be right.
    Undefined(&'static str, &'static str),
}

/// `base` to the power of `exponent`.
pub fn power(base: &RBig, exponent: &RBig) -> Result<RBig, NoFraction> {
    if base.is_zero() {
        return match (exponent.is_zero(), exponent.is_negative()) {
            (true, _) => Ok(RBig::ONE),
            (false, false) => Ok(RBig::ZERO),
            (false, true) => Err(NoFraction::Undefined("a division by zero", "a positive exponent")),
        };
    }
    if base.is_one() {
        return Ok(RBig::ONE);
    }
    let degree = exponent.denominator();
    let base = if degree.is_one() {
        base.clone()
    } else if base.is_negative() {
        return Err(NoFraction::Undefined("a root of a negative number", "a base of at least 0, or a whole exponent"));
    } else {
        // Any root of such a high degree lies between 1 and 2, and a number that is not a power of a fraction has none.
        let degree = usize::try_from(degree).ok().filter(|degree| *degree <= bits(base));
        degree.and_then(|degree| root(base, degree)).ok_or(NoFraction::Irrational)?
    };
    if base == -RBig::ONE {
        return Ok(if exponent.numerator().bit(0) { base } else { RBig::ONE });
    }
    // A number other than 0, 1 and -1 has at least two binary digits in its numerator or denominator.
    let exponent = isize::try_from(exponent.numerator()).map_err(|_| NoFraction::TooLarge)?;
    let least_bits = (bits(&base) - 1).checked_mul(exponent.unsigned_abs());
    if least_bits.is_none_or(|bits| bits > MOST_BITS) {
        return Err(NoFraction::TooLarge);
    }
    let power = base.pow(exponent);
    if bits(&power) <= MOST_BITS { Ok(power) } else { Err(NoFraction::TooLarge) }
}

/// The logarithm of `number` to the base `base`.
pub fn logarithm(number: &RBig, base: &RBig) -> Result<RBig, NoFraction> {
    if *number <= RBig::ZERO {
        return Err(NoFraction::Undefined("a logarithm of what is not above 0", "a number above 0"));
    }
    if *base <= RBig::ZERO || base.is_one() {
        return Err(NoFraction::Undefined("a logarithm to such a base", "a base above 0 that is not 1"));
    }
    if number.is_one() {
        return Ok(RBig::ZERO);
    }
    if bits(number).max(bits(base)) > MOST_BITS_OF_LOGARITHM {
        return Err(NoFraction::TooLarge);
    }
    let (number, above) = least_root(number.clone());
    let (base, below) = least_root(base.clone());
    let quotient = RBig::from(above) / RBig::from(below);
    if number == base {
        Ok(quotient)
    } else if number * base == RBig::ONE {
        Ok(-quotient)
    } else {
        Err(NoFraction::Irrational)
    }
}

/// The binary digits of the longer of numerator and denominator.
fn bits(number: &RBig) -> usize {
    number.numerator().bit_len().max(number.denominator().bit_len())
}

/// The root of a positive fraction, if it is one.
fn root(number: &RBig, degree: usize) -> Option<RBig> {
    let exact = |number: &UBig| {
        let root = number.nth_root(degree);
        (root.pow(degree) == *number).then_some(root)
    };
    let (_, numerator) = number.numerator().clone().into_parts();
    Some(RBig::from_parts(exact(&numerator)?.into(), exact(number.denominator())?))
}

/// The fraction of which a positive one is the highest power, and that power.
fn least_root(mut number: RBig) -> (RBig, u64) {
    let mut power = 1;
    let mut degree: usize = 2;
    while degree <= bits(&number) {
        match root(&number, degree) {
            Some(root) => {
                number = root;
                power *= degree as u64;
            }
            // Roots of a composite degree were found by its factors.
            None => degree = next_prime(degree),
        }
    }
    (number, power)
}

fn next_prime(after: usize) -> usize {
    let is_prime = |number: usize| (2..number).all(|factor| factor * factor > number || !number.is_multiple_of(factor));
    let mut next = after + 1;
    while !is_prime(next) {
        next += 1;
    }
    next
}

#[cfg(test)]
mod tests;
