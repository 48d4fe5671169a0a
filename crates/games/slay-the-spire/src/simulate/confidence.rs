//! A bound on a mean from samples, with a given probability of error.
//!
//! A gambler bets against the claim that the mean is no more than `m`: before each sample a fair share of his capital,
//! for the sample to be above `m`. If the claim is true his capital is not expected to grow, so the probability that it
//! ever reaches `1 / error` times its initial value is at most `error` (Ville). If it does the claim is refuted. He
//! spreads his bets over a few sizes, so that one of them fits however much the samples vary. This holds for any
//! stopping rule, also one that depends on the samples (a confidence sequence; Waudby-Smith and Ramdas, "Estimating
//! means of bounded random variables by betting").

/// The number of sizes of bets, each a multiple of the one before.
const SIZES: usize = 10;
const STEP: f64 = 1.8;
/// The smallest one, in shares of the range of the samples.
const LEAST: f64 = 0.02;
/// The largest loss of one bet.
const STAKE: f64 = 0.9;
/// Steps of bisection for the bound.
const HALVINGS: usize = 26;

/// A lower bound of the mean of independent samples from `least` to `most`, wrong with at most this probability.
pub(crate) fn mean_at_least(samples: &[f64], (least, most): (f64, f64), error: f64) -> f64 {
    let range = most - least;
    let shares: Vec<f64> = samples.iter().map(|sample| ((sample - least) / range).clamp(0.0, 1.0)).collect();
    let refuted = |mean: f64| grown(&shares, mean) >= (1.0 / error).ln() + 1e-9;
    let (mut below, mut above) = (0.0, 1.0);
    if samples.is_empty() || !refuted(f64::MIN_POSITIVE) {
        return least;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(below, above);
        if refuted(middle) { below = middle } else { above = middle }
    }
    least + below * range
}

/// The same from above.
pub(crate) fn mean_at_most(samples: &[f64], (least, most): (f64, f64), error: f64) -> f64 {
    let turned: Vec<f64> = samples.iter().map(|sample| -sample).collect();
    -mean_at_least(&turned, (-most, -least), error)
}

/// The logarithm of the growth of the capital after these samples, with bets that the mean is above `mean`.
fn grown(shares: &[f64], mean: f64) -> f64 {
    let sizes = (0..SIZES).map(|size| {
        let size = i32::try_from(size).unwrap_or(0);
        let stake = (LEAST * STEP.powi(size)).min(STAKE / mean);
        shares.iter().map(|share| (stake * (share - mean)).ln_1p()).sum::<f64>()
    });
    let sizes: Vec<f64> = sizes.collect();
    let most = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = sizes.iter().map(|size| (size - most).exp()).sum();
    most + (sum / f64::from(u32::try_from(SIZES).unwrap_or(1))).ln()
}

#[cfg(test)]
mod tests;
