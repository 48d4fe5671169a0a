use super::*;
use crate::numbers::{Floats, Rational};

/// A random component: a cycle through all states and more.
fn random(count: u32, seed: u64) -> Vec<Moves<UBig>> {
    let mut state = seed;
    let mut draw = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..count)
        .map(|from| {
            let mut inner = vec![((from + 1) % count, UBig::from(1 + draw(9)))];
            for target in (0..count).filter(|to| *to != from && *to != (from + 1) % count) {
                if draw(4) == 0 {
                    inner.push((target, UBig::from(1 + draw(1000))));
                }
            }
            Moves { inner, exit: UBig::from(u64::from(from == 0 || draw(5) == 0)) }
        })
        .collect()
}

/// The inverse by Gauss and Jordan in fractions, and the determinant.
fn inverse(moves: &[Moves<UBig>]) -> (Vec<Vec<Rational>>, Rational) {
    let count = moves.len();
    let mut rows: Vec<Vec<Rational>> = (0..count)
        .map(|from| {
            let mut row = vec![Rational::ZERO; 2 * count];
            row[count + from] = Rational::ONE;
            row[from] += Rational::from(moves[from].exit.clone());
            for (to, weight) in &moves[from].inner {
                row[from] += Rational::from(weight.clone());
                row[*to as usize] -= Rational::from(weight.clone());
            }
            row
        })
        .collect();
    let mut determinant = Rational::ONE;
    for pivot in 0..count {
        let own = rows[pivot].clone();
        determinant *= &own[pivot];
        for (number, row) in rows.iter_mut().enumerate() {
            let factor =
                if number == pivot { Rational::ONE - Rational::ONE / &own[pivot] } else { &row[pivot] / &own[pivot] };
            for (entry, above) in row.iter_mut().zip(&own) {
                *entry -= &factor * above;
            }
        }
    }
    (rows.into_iter().map(|row| row[count..].to_vec()).collect(), determinant)
}

#[test]
fn agrees_with_the_whole_inverse() {
    let budget = Budget::unlimited();
    for seed in 0..60 {
        let count = 2 + u32::try_from(seed % 9).unwrap();
        let moves = random(count, seed);
        let (inverse, determinant) = inverse(&moves);
        // Backwards, to test another order of elimination.
        let order: Vec<u32> = (0..count).rev().collect();
        let (minors, found) = minors(&moves, &order, &budget, 0).unwrap();
        assert_eq!(Rational::from(found.clone()), determinant);
        for (state, minor) in minors.into_iter().enumerate() {
            assert_eq!(Rational::from_parts(minor.into(), found.clone()), inverse[state][state]);
        }
        let float = |value: &UBig| crate::numbers::nearest(&Rational::from(value.clone()));
        let floats: Vec<Moves<f64>> = moves
            .iter()
            .map(|moves| Moves {
                inner: moves.inner.iter().map(|(to, weight)| (*to, float(weight))).collect(),
                exit: float(&moves.exit),
            })
            .collect();
        let factors = Factors::new(&Floats, &floats, &order, &budget, 0).unwrap().unwrap();
        let close = |found: f64, exact: &Rational| {
            let exact = crate::numbers::nearest(exact);
            assert!((found - exact).abs() <= 1e-12 * exact, "{found} {exact}");
        };
        for (state, entry) in factors.diagonal(&budget).unwrap().into_iter().enumerate() {
            close(entry, &inverse[state][state]);
        }
        let mut inflow = vec![0.0; count as usize];
        inflow[0] = 1.0;
        for (state, visits) in factors.visits(&inflow).into_iter().enumerate() {
            close(visits, &inverse[0][state]);
        }
    }
}

#[test]
fn a_small_way_out() {
    // Two states that lead to each other, except for one time in 10^18 from the second.
    let moves = [Moves { inner: vec![(1, 1.0)], exit: 0.0 }, Moves { inner: vec![(0, 1.0 - 1e-18)], exit: 1e-18 }];
    let budget = Budget::unlimited();
    let factors = Factors::new(&Floats, &moves, &[0, 1], &budget, 0).unwrap().unwrap();
    assert!((factors.diagonal(&budget).unwrap()[0] * 1e-18 - 1.0).abs() < 1e-15);
}
