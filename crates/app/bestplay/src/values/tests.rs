use super::*;

#[test]
fn ranges_steps_and_lists() {
    assert_eq!("20..29/3, 5,5".parse(), Ok(Values(vec![5, 20, 23, 26, 29])));
    assert_eq!(listed("20..29/3, 5,5", 4), Ok(vec![20, 23, 26, 29, 5, 5]));
    for wrong in ["", "x", "9..1", "1..9/0", "0..9999", "9999999999", "-9223372036854775808..9223372036854775807"] {
        assert!(wrong.parse::<Values>().is_err(), "{wrong}");
    }
}
