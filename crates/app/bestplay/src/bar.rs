//! Bars of charts in text.

/// A bar of a length in characters, to an eighth; at most a few hundred.
pub fn bar(letters: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = steps(letters * 8.0, 8_000);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The nearest integer from 0 to `most`.
pub fn steps(number: f64, most: u32) -> usize {
    (0..most).take_while(|step| f64::from(*step) + 0.5 <= number).count()
}

#[cfg(test)]
mod tests;
