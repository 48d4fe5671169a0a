//! Sizes and times in arguments.

use std::time::Duration;

const BYTES: [(&str, u64); 13] = [
    ("", 1),
    ("b", 1),
    ("k", 1_000),
    ("kb", 1_000),
    ("m", 1_000_000),
    ("mb", 1_000_000),
    ("g", 1_000_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

const MILLISECONDS: [(&str, u64); 8] = [
    ("", 1_000),
    ("ms", 1),
    ("s", 1_000),
    ("sec", 1_000),
    ("m", 60_000),
    ("min", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// A size: a number and a unit of 1000 (kB, MB, GB, TB) or 1024 (KiB, MiB, GiB, TiB), or of 1. Saturates.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    quantity(text, &BYTES).ok_or_else(|| "expected a size such as 500MB, 2GB or 1.5GiB".into())
}

/// A time: a number and a unit (ms, s, min, h, d), seconds by default.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let milliseconds = quantity(text, &MILLISECONDS).ok_or("expected a time such as 30s, 500ms or 1.5h")?;
    Ok(Duration::from_millis(milliseconds))
}

/// A decimal number times its unit, rounded down.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let number_ends = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_ends);
    let unit = unit.trim().to_ascii_lowercase();
    let unit = u128::from(units.iter().find(|(name, _)| *name == unit)?.1);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let digit = |byte: u8| u128::from(byte - b'0');
    let whole = whole.bytes().fold(0u128, |sum, byte| sum.saturating_mul(10).saturating_add(digit(byte)));
    // More than eighteen decimals are finer than any unit.
    let places = fraction.bytes().take(18);
    let (parts, of) = places.fold((0, 1), |(parts, of), byte| (parts * 10 + digit(byte), of * 10));
    Some(u64::try_from(whole.saturating_mul(unit).saturating_add(parts * unit / of)).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
