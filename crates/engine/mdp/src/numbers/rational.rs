//! Exact numbers, and their conversion to and from floating point.
//!
//! Big integers and fractions come from `dashu`. Fractions of num-bigint were measured ten times slower; GMP and
//! malachite are LGPL. The exact sweep uses no library at all: it computes with runs of 64-bit limbs of fixed length
//! (`solve/exact/limbs.rs`).

use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};

use crate::support::about;

/// An exact fraction, always in lowest terms, of any size.
pub type Rational = dashu_ratio::RBig;

/// The fraction `numerator / denominator`.
///
/// # Panics
/// When `denominator` is zero.
///
/// ```
/// assert_eq!(mdp::ratio(6, 4).to_string(), "3/2");
/// ```
pub fn ratio(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(IBig::from(numerator), UBig::from(denominator))
}

/// Parses a fraction such as `3/4`, `-2` or `6/4`; `None` if the text is not a fraction, or divides by zero.
///
/// ```
/// assert_eq!(mdp::parse_fraction("6/4"), Some(mdp::ratio(3, 2)));
/// assert_eq!(mdp::parse_fraction("1/0"), None);
/// ```
pub fn parse_fraction(text: &str) -> Option<Rational> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let denominator =
        UBig::from_str_radix(denominator.trim(), 10).ok().filter(|denominator| *denominator != UBig::ZERO)?;
    Some(Rational::from_parts(IBig::from_str_radix(numerator.trim(), 10).ok()?, denominator))
}

/// The largest `f64` that is not above `value` and the smallest that is not below it: equal when
/// `value` is a floating-point number, neighbours otherwise (infinite beyond the range).
///
/// ```
/// let (below, above) = mdp::enclose(&mdp::ratio(1, 3));
/// assert!(below < above && above == below.next_up());
/// assert_eq!(mdp::enclose(&mdp::ratio(-3, 4)), (-0.75, -0.75));
/// ```
pub fn enclose(value: &Rational) -> (f64, f64) {
    let numerator = value.numerator();
    let (sign, magnitude) = numerator.clone().into_parts();
    let (below, above) = enclose_parts(&magnitude, value.denominator());
    match sign {
        Sign::Positive => (below, above),
        Sign::Negative => (-above, -below),
    }
}

/// [`enclose`] of `numerator / denominator`, which need not be in lowest terms.
pub(crate) fn enclose_parts(numerator: &UBig, denominator: &UBig) -> (f64, f64) {
    if *numerator == UBig::ZERO {
        return (0.0, 0.0);
    }
    // Scale so that the quotient has 54 or 55 bits, or fewer if the result is subnormal.
    let bits = |number: &UBig| i64::try_from(number.bit_len()).unwrap_or(i64::MAX);
    let exponent = bits(numerator) - bits(denominator);
    let shift = (54 - exponent).min(1074);
    let places = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
    let (quotient, exact) = if shift >= 0 {
        divide(&(numerator << places), denominator)
    } else {
        divide(numerator, &(denominator << places))
    };
    let quotient = u64::try_from(quotient).unwrap_or(u64::MAX);
    // Keep 53 bits; the bits cut off only show that the value lies above the lower bound.
    let excess = (64 - quotient.leading_zeros()).saturating_sub(53);
    let mantissa = quotient >> excess;
    let exact = exact && mantissa << excess == quotient;
    let below = scale(about(mantissa), i64::from(excess) - shift);
    if below.is_infinite() {
        return (f64::MAX, f64::INFINITY);
    }
    if exact { (below, below) } else { (below, below.next_up()) }
}

/// The quotient, and whether the division is even.
fn divide(a: &UBig, b: &UBig) -> (UBig, bool) {
    use dashu_base::DivRem;
    let (quotient, rest) = a.div_rem(b);
    (quotient, rest == UBig::ZERO)
}

/// `mantissa * 2^exponent`, in steps that do not overflow or underflow in between.
fn scale(mut mantissa: f64, mut exponent: i64) -> f64 {
    while exponent > 0 && mantissa.is_finite() {
        let step = exponent.min(1000);
        mantissa *= power_of_two(step);
        exponent -= step;
    }
    while exponent < 0 && mantissa != 0.0 {
        let step = (-exponent).min(1000);
        mantissa /= power_of_two(step);
        exponent += step;
    }
    mantissa
}

/// `2^exponent` for an exponent from -1000 to 1000.
fn power_of_two(exponent: i64) -> f64 {
    f64::powi(2.0, i32::try_from(exponent).unwrap_or(0))
}

/// The `f64` nearest to `value` (the even one of two equally near).
///
/// ```
/// assert_eq!(mdp::nearest(&mdp::ratio(1, 3)), 1.0 / 3.0);
/// ```
pub fn nearest(value: &Rational) -> f64 {
    value.to_f64().value()
}

/// The shortest text that identifies this number; with a power of ten where there would be many zeros.
///
/// ```
/// assert_eq!(mdp::decimal_text(0.25), "0.25");
/// assert_eq!(mdp::decimal_text(3.9e-39), "3.9e-39");
/// ```
pub fn decimal_text(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e17).contains(&size) { format!("{value:e}") } else { format!("{value}") }
}

/// Numerator and denominator in lowest terms, always both.
///
/// ```
/// assert_eq!(mdp::fraction_text(&mdp::ratio(6, 4)), "3/2");
/// assert_eq!(mdp::fraction_text(&mdp::ratio(66, 1)), "66/1");
/// ```
pub fn fraction_text(value: &Rational) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

/// The exact value of a finite `f64`; `None` for infinities and NaN.
///
/// ```
/// assert_eq!(mdp::exactly(0.75), Some(mdp::ratio(3, 4)));
/// ```
pub fn exactly(value: f64) -> Option<Rational> {
    Rational::try_from(value).ok()
}

#[cfg(test)]
mod tests;
