use super::*;

#[test]
fn to_an_eighth() {
    assert_eq!([0.0, 0.05, 0.5, 2.26, f64::NAN].map(bar), ["", "", "▌", "██▎", ""]);
}
