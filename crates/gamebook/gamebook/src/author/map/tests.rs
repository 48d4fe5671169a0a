use super::*;

#[test]
fn percentages_are_short_and_true() {
    let shown = [0.0, 1e-9, 0.004, 0.0404, 0.5, 0.873_14, 0.9999, 0.999_999, 1.0].map(percent);
    assert_eq!(
        shown,
        ["0 %", "< 0.01 %", "0.4 %", "4.04 %", "50 %", "87.3 %", "99.99 %", "> 99.99 %", "100 %"].map(String::from)
    );
}

#[test]
fn the_scale_runs_from_purple_to_yellow() {
    assert_eq!(colour(0.0), ("#440154".into(), true));
    assert_eq!(colour(1.0), ("#fde725".into(), false));
    assert_eq!(colour(f64::NAN).0.len(), 7);
}
