use super::LeastSquares;

#[test]
fn a_weighted_sum_is_recovered() {
    let mut squares = LeastSquares::new(3);
    for number in 0..50u8 {
        let number = f64::from(number);
        let features = [1.0, number, (number * 0.7).sin()];
        squares.add(&features, 2.0 - 0.5 * features[1] + 3.0 * features[2]);
    }
    for (found, right) in squares.weights(1e-9).iter().zip([2.0, -0.5, 3.0]) {
        assert!((found - right).abs() < 1e-6, "{found}, {right}");
    }
}
