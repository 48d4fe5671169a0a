use super::super::field::PRIME;
use super::super::integers::eliminate;
use super::*;
use crate::support::id;
use budget::Budget;
use proptest::prelude::*;

fn integers(rows: &[&[i64]]) -> Vec<Row<IBig>> {
    rows.iter()
        .map(|row| row.iter().enumerate().filter(|(_, v)| **v != 0).map(|(c, v)| (id(c), IBig::from(*v))).collect())
        .collect()
}

#[test]
fn a_pivot_that_the_prime_divides() {
    let rows = integers(&[&[i64::try_from(PRIME).unwrap(), 1], &[0, 1]]);
    let right = [IBig::ONE, IBig::from(3)];
    let (numerators, denominator) =
        lift(&rows, &right, Effort { most_entries: 100, budget: &Budget::unlimited() }).unwrap();
    assert_eq!((numerators, denominator), (vec![IBig::from(-2), IBig::from(3 * i128::from(PRIME))], PRIME.into()));
}

#[test]
fn a_singular_system() {
    let rows = integers(&[&[1, 1], &[2, 2]]);
    assert_eq!(
        lift(&rows, &[IBig::ONE, IBig::ONE], Effort { most_entries: 100, budget: &Budget::unlimited() }),
        Err(EliminationError::Singular)
    );
}

proptest! {
    /// Diagonally dominant systems, as policies make them: lifted, and by plain elimination.
    #[test]
    fn lifting_agrees_with_elimination(
        size in 1usize..14,
        seed in proptest::collection::vec(0u8..30, 14 * 14),
        right in proptest::collection::vec(-1_000_000_000_000_000_000i64..1_000_000_000_000_000_000, 14),
    ) {
        let dense: Vec<Vec<i64>> = (0..size)
            .map(|r| {
                let off: Vec<i64> =
                    (0..size).map(|c| if c == r || seed[r * 14 + c] > 9 { 0 } else { -i64::from(seed[r * 14 + c]) }).collect();
                let sum: i64 = -off.iter().sum::<i64>();
                off.iter().enumerate().map(|(c, v)| if c == r { sum + 1 } else { *v }).collect()
            })
            .collect();
        let rows = integers(&dense.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let right: Vec<IBig> = right[..size].iter().map(|v| IBig::from(*v)).collect();
        let budget = Budget::unlimited();
        let effort = Effort { most_entries: 10_000, budget: &budget };
        let lifted = lift(&rows, &right, effort).unwrap();
        let asked = Asked { budget: &budget, since: Cell::new(0) };
        prop_assert!(solves(&rows, &right, &lifted, &asked).unwrap());
        let plain = eliminate(&rows, &right, effort).unwrap();
        for (a, b) in lifted.0.iter().zip(&plain.0) {
            prop_assert_eq!(a * IBig::from(plain.1.clone()), b * IBig::from(lifted.1.clone()));
        }
        let floats: Vec<Row<f64>> = rows.iter().map(|row| row.iter().map(|(c, v)| (*c, v.to_f64().value())).collect()).collect();
        let triangles = Triangles::new(&floats, &elimination_order(&floats, effort), effort).unwrap();
        let solution = triangles.solve(&right.iter().map(|v| v.to_f64().value()).collect::<Vec<_>>());
        for (float, exact) in solution.iter().zip(&lifted.0) {
            let exact = exact.to_f64().value() / lifted.1.to_f64().value();
            prop_assert!((float - exact).abs() <= 1e-9 * solution.iter().fold(1.0f64, |m, v| m.max(v.abs())));
        }
    }
}
