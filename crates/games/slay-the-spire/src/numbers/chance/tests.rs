use super::*;

#[test]
fn arithmetic() {
    assert_eq!(binomial(10, 5), 252);
    assert_eq!(binomial(5, 0), 1);
    assert_eq!(Chance::new(2, 4).and(Chance::new(2, 3)).fraction(), (1, 3));
    assert_eq!(Chance::one_in(4).as_f64(), 0.25);
}
