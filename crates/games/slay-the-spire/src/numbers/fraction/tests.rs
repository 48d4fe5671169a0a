use mdp::ratio;

use super::{exactly, of_f64};

#[test]
fn decimals_and_fractions() {
    for (text, number) in [("1/8", ratio(1, 8)), ("0.1", ratio(1, 10)), ("2", ratio(2, 1)), (" 1.5 / 3", ratio(1, 2))] {
        assert_eq!(exactly(text), Some(number), "{text}");
    }
    for text in ["", "x", "1/0", "1/2/3", "1.-5", "0.1e3"] {
        assert_eq!(exactly(text), None, "{text}");
    }
    assert_eq!(of_f64(0.1), Some(ratio(1, 10)));
    assert_eq!(of_f64(f64::INFINITY), None);
}
