//! Exact numbers from text and from floating point.

use dashu_base::Sign;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The most digits (and the largest exponent) of a number in a file. Without it `1e-999999999`
/// would be a number of a billion digits.
pub const MOST_DIGITS: usize = 5000;

/// A number as a file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: RBig,
    /// Whether it is written with a point or an exponent: it may approximate a fraction that has no such form.
    pub(crate) decimal: bool,
}

/// The exact value of a decimal (`0.3`, `1e-05`), an integer or a fraction (`2/5`).
///
/// # Errors
/// A message that describes the problem.
///
/// ```
/// use model_files::parse_number;
///
/// assert_eq!(parse_number(b"0.3"), parse_number(b"3/10"));
/// assert_eq!(parse_number(b"1e-05"), parse_number(b"1/100000"));
/// assert!(parse_number(b"1/0").is_err());
/// ```
pub fn parse_number(text: &[u8]) -> Result<RBig, String> {
    parse(text).map(|number| number.value)
}

pub(crate) fn parse(text: &[u8]) -> Result<Number, String> {
    if text.len() > MOST_DIGITS {
        return Err(format!("a number of {} characters", text.len()));
    }
    let complaint = || format!("`{}` is no number", String::from_utf8_lossy(text));
    if let Some(slash) = memchr::memchr(b'/', text) {
        let numerator = integer(&text[..slash]).ok_or_else(complaint)?;
        let denominator = natural(&text[slash + 1..]).ok_or_else(complaint)?;
        if denominator == UBig::ZERO {
            return Err(format!("`{}` divides by zero", String::from_utf8_lossy(text)));
        }
        return Ok(Number { value: RBig::from_parts(numerator, denominator), decimal: false });
    }
    let (mantissa, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&text[..at], Some(exponent(&text[at + 1..]).ok_or_else(complaint)?)),
        None => (text, None),
    };
    let point = memchr::memchr(b'.', mantissa);
    let digits: Vec<u8> = mantissa.iter().copied().filter(|byte| *byte != b'.').collect();
    let after_point = point.map_or(0, |at| mantissa.len() - at - 1);
    if point.is_some() && digits.len() + 1 != mantissa.len() {
        return Err(complaint());
    }
    let value = integer(&digits).ok_or_else(complaint)?;
    // A text this short has a small position for its point.
    let shift = exponent.unwrap_or(0) - i64::try_from(after_point).expect("fewer digits than that");
    let Some(power) = usize::try_from(shift.unsigned_abs()).ok().filter(|power| *power <= MOST_DIGITS) else {
        return Err(format!("`{}` needs more than {MOST_DIGITS} digits", String::from_utf8_lossy(text)));
    };
    let power = UBig::from(10u8).pow(power);
    let value = if shift < 0 { RBig::from_parts(value, power) } else { RBig::from(value * IBig::from(power)) };
    Ok(Number { value, decimal: point.is_some() || exponent.is_some() })
}

/// A finite `f64` as its shortest decimal: `0.3` is 3/10, not the binary fraction nearest to it.
pub(crate) fn from_double(value: f64) -> Option<Number> {
    if !value.is_finite() {
        return None;
    }
    parse(format!("{value:e}").as_bytes()).ok().map(|number| Number { decimal: true, ..number })
}

fn natural(digits: &[u8]) -> Option<UBig> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).expect("digits are ASCII").parse().ok()
}

fn integer(text: &[u8]) -> Option<IBig> {
    let (sign, digits) = match text.split_first()? {
        (b'-', digits) => (Sign::Negative, digits),
        (b'+', digits) => (Sign::Positive, digits),
        _ => (Sign::Positive, text),
    };
    natural(digits).map(|magnitude| IBig::from_parts(sign, magnitude))
}

fn exponent(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // Larger exponents saturate: they are refused for their size anyway.
    let size = digits.iter().fold(0i64, |sum, digit| (sum * 10 + i64::from(digit - b'0')).min(1 << 40));
    Some(if text.starts_with(b"-") { -size } else { size })
}

/// `value` as a decimal of at most 17 significant digits; `None` if there is none.
pub(crate) fn short_decimal(value: &RBig) -> Option<String> {
    let nearest = value.to_f64().value();
    let text = format!("{nearest}");
    let exact = text.len() <= 40 && parse(text.as_bytes()).is_ok_and(|number| number.value == *value);
    exact.then_some(text)
}

#[cfg(test)]
mod tests;
