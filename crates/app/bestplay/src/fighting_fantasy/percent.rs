//! Probabilities as text, including tiny ones.

/// A probability: five significant digits, as a percentage unless it is tiny.
pub(super) fn percent(chance: f64) -> String {
    if chance == 0.0 || chance >= 1e-4 {
        // Enough decimals for five digits, and for almost certain to differ from certain.
        let decimals = if chance < 0.01 {
            5
        } else if chance < 0.1 {
            4
        } else {
            3
        };
        let text = format!("{:.decimals$} %", chance * 100.0);
        if text == "100.000 %" && chance < 1.0 { format!("100 % - {:.2e} %", (1.0 - chance) * 100.0) } else { text }
    } else {
        format!("{:.4e} %", chance * 100.0)
    }
}
