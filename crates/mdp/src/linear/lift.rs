//! Exact solutions of large systems by lifting.

use std::cell::Cell;

use budget::Budget;
use dashu_base::{DivRem, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::field::{PRIME, Residue};
use super::integers::eliminate;
use super::order::elimination_order;
use super::system::{Effort, EliminationError, Row};
use super::triangles::Triangles;

/// The exact solution of a system with integer coefficients, as numerators over one common
/// denominator.
///
/// A small system with a long right-hand side is eliminated, the others are lifted.
pub(crate) fn solve_exactly(
    rows: &[Row<IBig>],
    right: &[IBig],
    effort: Effort<'_>,
) -> Result<(Vec<IBig>, UBig), EliminationError> {
    if elimination_pays(rows.len(), right) { eliminate(rows, right, effort) } else { lift(rows, right, effort) }
}

/// Dixon's method: the solution is lifted digit by digit in base 2^61 - 1, fractions are
/// reconstructed from the digits and then **checked by substitution**, so that what is returned
/// solves the system whatever the number of digits was.
fn lift(rows: &[Row<IBig>], right: &[IBig], effort: Effort<'_>) -> Result<(Vec<IBig>, UBig), EliminationError> {
    let residues: Vec<Row<Residue>> =
        rows.iter().map(|row| row.iter().map(|(column, value)| (*column, Residue::of(value))).collect()).collect();
    let order = elimination_order(rows, effort);
    let triangles = match Triangles::new(&residues, &order, effort) {
        Ok(triangles) => triangles,
        // The prime divides a pivot, one chance in 10^18: go without it.
        Err(EliminationError::Singular) if rows.len() * (rows.len() + 1) <= effort.most_entries => {
            return eliminate(rows, right, effort);
        }
        Err(EliminationError::Singular) => return Err(EliminationError::TooLarge),
        Err(error) => return Err(error),
    };
    let asked = Asked { budget: effort.budget, since: Cell::new(0) };
    let mut rest = Remainder::new(rows, right);
    let mut digits: Vec<Vec<Residue>> = Vec::new();
    let mut next_try = 2;
    loop {
        // Every digit takes a word of each number: lifted, left over, and reconstructed.
        if digits.len().saturating_mul(rows.len()) / 2 > effort.most_entries {
            return Err(EliminationError::TooLarge);
        }
        asked.work(rows.len() * 64)?;
        let digit = triangles.solve(&rest.residues());
        rest.take(rows, &digit);
        digits.push(digit);
        if digits.len() >= next_try {
            next_try = digits.len() + digits.len() / 2 + 1;
            let lifted = Lifted::new(&digits);
            if let Some(solution) = lifted.reconstruct(rows.len(), &asked)?
                && solves(rows, right, &solution, &asked)?
            {
                return Ok(solution);
            }
        }
    }
}

/// Whether elimination takes less time than lifting. Its time grows with the cube of the rows times the length of the
/// right-hand side, that of lifting with the rows times the square of that length.
fn elimination_pays(rows: usize, right: &[IBig]) -> bool {
    const MOST_ROWS: usize = 64;
    let words = right.iter().map(|right| right.as_sign_words().1.len()).max().unwrap_or(0);
    rows <= MOST_ROWS && rows * rows <= 16 * words.max(1)
}

/// Asks the budget after every few thousand steps.
struct Asked<'a> {
    budget: &'a Budget<'a>,
    since: Cell<usize>,
}

impl Asked<'_> {
    fn work(&self, steps: usize) -> Result<(), EliminationError> {
        const LOOK: usize = 1 << 20;
        self.since.set(self.since.get() + steps);
        if self.since.get() > LOOK {
            self.since.set(0);
            self.budget.check()?;
        }
        Ok(())
    }
}

/// What the digits so far leave over: the right-hand side minus the matrix times them, divided by the prime as often
/// as there are digits.
enum Remainder {
    Large(Vec<IBig>),
    /// Numbers below 2^61, for a matrix with sums of rows below 2^60: so is every later remainder.
    Small {
        rest: Vec<i128>,
        rows: Vec<Vec<(u32, i64)>>,
    },
}

impl Remainder {
    fn new(rows: &[Row<IBig>], right: &[IBig]) -> Self {
        let mut new = Self::Large(right.to_vec());
        new.shrink(rows);
        new
    }

    /// Goes over to small numbers where they fit.
    fn shrink(&mut self, rows: &[Row<IBig>]) {
        let Self::Large(rest) = self else { return };
        let small = |value: &IBig| i64::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 61);
        let Some(rest) = rest.iter().map(|value| small(value).map(i128::from)).collect::<Option<Vec<_>>>() else {
            return;
        };
        let row = |row: &Row<IBig>| -> Option<Vec<(u32, i64)>> {
            let row: Vec<(u32, i64)> =
                row.iter().map(|(column, value)| Some((*column, small(value)?))).collect::<Option<_>>()?;
            let sum: u128 = row.iter().map(|(_, value)| u128::from(value.unsigned_abs())).sum();
            (sum < 1 << 60).then_some(row)
        };
        if let Some(rows) = rows.iter().map(row).collect() {
            *self = Self::Small { rest, rows };
        }
    }

    fn residues(&self) -> Vec<Residue> {
        match self {
            Self::Large(rest) => rest.iter().map(Residue::of).collect(),
            Self::Small { rest, .. } => rest.iter().map(|rest| Residue::of_small(*rest)).collect(),
        }
    }

    /// Takes another digit of the solution off.
    fn take(&mut self, rows: &[Row<IBig>], digit: &[Residue]) {
        match self {
            Self::Large(rest) => {
                for (row, rest) in rows.iter().zip(rest) {
                    let taken = row.iter().fold(IBig::ZERO, |sum, (column, value)| {
                        sum + value * IBig::from(digit[*column as usize].number())
                    });
                    *rest = (&*rest - taken) / IBig::from(PRIME);
                }
                self.shrink(rows);
            }
            Self::Small { rest, rows } => {
                for (row, rest) in rows.iter().zip(rest) {
                    let taken: i128 = row
                        .iter()
                        .map(|(column, value)| i128::from(*value) * i128::from(digit[*column as usize].number()))
                        .sum();
                    *rest = (*rest - taken) / i128::from(PRIME);
                }
            }
        }
    }
}

/// The digits of all numbers, and what is needed to put them together.
struct Lifted<'a> {
    digits: &'a [Vec<Residue>],
    /// The prime to the power of 1, 2, 4, ...
    powers: Vec<UBig>,
    modulus: UBig,
}

impl<'a> Lifted<'a> {
    fn new(digits: &'a [Vec<Residue>]) -> Self {
        let mut powers = vec![UBig::from(PRIME)];
        while 1 << powers.len() < digits.len() {
            powers.push(powers[powers.len() - 1].sqr());
        }
        Self { digits, powers, modulus: UBig::from(PRIME).pow(digits.len()) }
    }

    /// A number by its digits: neighbours are put together two by two.
    fn number(&self, column: usize) -> UBig {
        let mut parts: Vec<UBig> = self.digits.iter().map(|digit| UBig::from(digit[column].number())).collect();
        for power in &self.powers {
            if parts.len() == 1 {
                break;
            }
            parts = parts
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] => low + high * power,
                    rest => rest[0].clone(),
                })
                .collect();
        }
        parts.pop().unwrap_or(UBig::ZERO)
    }

    /// Fractions with a common denominator that are congruent to the numbers; nothing where there are none with few enough
    /// digits.
    fn reconstruct(&self, count: usize, asked: &Asked<'_>) -> Result<Option<(Vec<IBig>, UBig)>, EliminationError> {
        let modulus = &self.modulus;
        let half = modulus >> 1;
        let bound = half.sqrt();
        let length = self.digits.len();
        let mut denominator = UBig::ONE;
        let mut numerators: Vec<UBig> = Vec::with_capacity(count);
        // For which denominator each numerator is.
        let mut grown: Vec<usize> = Vec::new();
        for column in 0..count {
            asked.work(length * (length + 16))?;
            let scaled = self.number(column) * &denominator % modulus;
            if scaled <= bound || modulus - &scaled <= bound {
                numerators.push(scaled);
                continue;
            }
            asked.work(length * length * 64)?;
            let factor = denominator_of(modulus, &scaled, &bound);
            denominator *= &factor;
            if denominator > bound {
                return Ok(None);
            }
            numerators.push(scaled * factor % modulus);
            grown.push(column);
        }
        // What came before the denominator grew is to be scaled again.
        let end = grown.last().copied().unwrap_or(0);
        for (column, numerator) in numerators.iter_mut().enumerate().take(end) {
            asked.work(length * (length + 16))?;
            *numerator = self.number(column) * &denominator % modulus;
        }
        let signed =
            |number: UBig| if number > half { IBig::from(number) - IBig::from(modulus.clone()) } else { number.into() };
        Ok(Some((numerators.into_iter().map(signed).collect(), denominator)))
    }
}

/// The denominator of the fraction that is congruent to a number: Euclid's algorithm, stopped half-way.
fn denominator_of(modulus: &UBig, number: &UBig, bound: &UBig) -> UBig {
    let (mut a, mut b) = (modulus.clone(), number.clone());
    let (mut x, mut y) = (IBig::ZERO, IBig::ONE);
    while b > *bound {
        let (quotient, rest) = a.div_rem(&b);
        a = b;
        b = rest;
        let next = x - IBig::from(quotient) * &y;
        x = y;
        y = next;
    }
    y.unsigned_abs()
}

fn solves(
    rows: &[Row<IBig>],
    right: &[IBig],
    (numerators, denominator): &(Vec<IBig>, UBig),
    asked: &Asked<'_>,
) -> Result<bool, EliminationError> {
    let length = denominator.as_words().len();
    let denominator = IBig::from(denominator.clone());
    for (row, right) in rows.iter().zip(right) {
        asked.work(row.len() * (16 + length))?;
        let left = row.iter().fold(IBig::ZERO, |sum, (column, value)| sum + value * &numerators[*column as usize]);
        if left != right * &denominator {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::field::PRIME;
    use super::super::integers::eliminate;
    use super::*;
    use crate::places::id;
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
}
