//! Numbers as people write them, read exactly: 0.1 is a tenth.

use mdp::{Rational, parse_fraction};

/// The number in a text: `3`, `0.25` or `1/8`; `None` if it is not a number.
pub(crate) fn exactly(text: &str) -> Option<Rational> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let below = decimal(below)?;
    (below != Rational::ZERO).then(|| Some(decimal(above)? / below))?
}

/// The same for a floating-point number: its shortest decimal.
pub(crate) fn of_f64(number: f64) -> Option<Rational> {
    number.is_finite().then(|| decimal(&number.to_string()))?
}

fn decimal(text: &str) -> Option<Rational> {
    let text = text.trim();
    // Useful numbers have few digits; long ones are not worth the computation.
    if text.len() > 350 {
        return None;
    }
    match text.split_once('.') {
        None => parse_fraction(text).filter(|_| !text.contains('/')),
        Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
            parse_fraction(&format!("{whole}{part}/1{}", "0".repeat(part.len())))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
