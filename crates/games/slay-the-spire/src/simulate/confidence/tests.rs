use super::{mean_at_least, mean_at_most};
use crate::rules::fate::{scrambled, unit};

/// Samples that are 1 by this chance, else 0.
fn coins(chance: f64, count: u64, seed: u64) -> Vec<f64> {
    let coin = |nth: u64| f64::from(u8::from(unit(scrambled(scrambled(seed) ^ nth)) < chance));
    (0..count).map(coin).collect()
}

#[test]
fn bounds_enclose_the_mean_and_close_in_on_it() {
    let mut width = 1.0;
    for count in [10, 100, 1_000, 10_000] {
        let samples = coins(0.3, count, 5);
        let (lower, upper) = (mean_at_least(&samples, (0.0, 1.0), 1e-4), mean_at_most(&samples, (0.0, 1.0), 1e-4));
        assert!((0.0..0.3).contains(&lower) && 0.3 < upper && upper <= 1.0, "{count}: {lower} to {upper}");
        assert!(upper - lower <= width, "{count}");
        width = upper - lower;
    }
    // Hoeffding's inequality gives 0.045 for each side; the variance is less than the maximum.
    assert!(width < 0.06, "{width}");
    assert_eq!(mean_at_least(&[], (-2.0, 1.0), 1e-4), -2.0);
}

/// With a large error probability the frequency of errors can be tested: at any time, over all times together.
#[test]
fn bounds_are_wrong_as_rarely_as_claimed_at_any_time() {
    const ERROR: f64 = 0.2;
    let runs = 300;
    let wrong = (0..runs).filter(|seed| {
        let samples = coins(0.1, 256, 1_000 + *seed);
        (1..=16).any(|look| mean_at_least(&samples[..16 * look], (0.0, 1.0), ERROR) > 0.1)
    });
    let wrong = wrong.count();
    assert!(wrong > 0 && wrong < 60 + 25, "{wrong} of {runs}");
}

#[test]
fn samples_that_hardly_vary_need_few() {
    let samples: Vec<f64> = coins(0.5, 400, 9).into_iter().map(|coin| 60.0 + coin).collect();
    let (lower, upper) = (mean_at_least(&samples, (0.0, 80.0), 1e-4), mean_at_most(&samples, (0.0, 80.0), 1e-4));
    assert!(lower < 60.5 && 60.5 < upper && upper - lower < 4.0, "{lower} to {upper}");
}
