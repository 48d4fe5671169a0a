//! Bars of charts in text.

/// A bar as long as so many letters, to an eighth of a letter; at most a few hundred.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, from 0 to 8,000")]
pub fn bar(letters: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (letters * 8.0).round().clamp(0.0, 8_000.0) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_an_eighth() {
        assert_eq!([0.0, 0.05, 0.5, 2.26, f64::NAN].map(bar), ["", "", "▌", "██▎", ""]);
    }
}
