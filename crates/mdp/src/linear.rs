//! Systems of linear equations: sparse elimination over any field, and exact solutions by lifting.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use budget::{Budget, Stopped};
use dashu_base::{DivRem, Sign, UnsignedAbs};
use dashu_int::{IBig, UBig};

use crate::distribution::lcm;

/// What elimination computes with.
pub(crate) trait Field: Copy + PartialEq {
    const ZERO: Self;
    fn sub_mul(self, a: Self, b: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Nothing where division is impossible.
    fn inverse(self) -> Option<Self>;
}

impl Field for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        self - a * b
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    fn inverse(self) -> Option<Self> {
        (self.is_normal()).then(|| 1.0 / self)
    }
}

/// A residue modulo the prime 2^61 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residue(u64);

pub(crate) const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    pub(crate) fn of(value: &IBig) -> Self {
        let rest = value % IBig::from(PRIME);
        let (sign, magnitude) = rest.into_parts();
        let magnitude = u64::try_from(magnitude).unwrap_or(0);
        Self(if sign == Sign::Negative && magnitude > 0 { PRIME - magnitude } else { magnitude })
    }

    fn reduce(product: u128) -> u64 {
        let folded = (product & u128::from(PRIME)) as u64 + (product >> 61) as u64;
        let folded = (folded & PRIME) + (folded >> 61);
        if folded >= PRIME { folded - PRIME } else { folded }
    }
}

impl Field for Residue {
    const ZERO: Self = Self(0);

    #[inline]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        let product = Self::reduce(u128::from(a.0) * u128::from(b.0));
        Self(if self.0 >= product { self.0 - product } else { self.0 + PRIME - product })
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(Self::reduce(u128::from(self.0) * u128::from(other.0)))
    }

    fn inverse(self) -> Option<Self> {
        if self.0 == 0 {
            return None;
        }
        // Fermat: the power to p - 2.
        let (mut base, mut exponent, mut result) = (self, PRIME - 2, Self(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(base);
            }
            base = base.mul(base);
            exponent >>= 1;
        }
        Some(result)
    }
}

/// A sparse row: columns and what stands there.
pub(crate) type Row<F> = Vec<(u32, F)>;

/// Lower and upper triangles of a matrix whose pivots are all on its diagonal. The matrices here
/// (identity minus the inner probabilities of a policy that leaves) are M-matrices: their pivots
/// are positive in every order.
pub(crate) struct Triangles<F> {
    order: Vec<u32>,
    lower: Vec<Row<F>>,
    upper: Vec<Row<F>>,
    pivots: Vec<F>,
}

/// Why a matrix could not be eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EliminationError {
    /// A pivot is zero: singular, or singular modulo the prime.
    Singular,
    /// The triangles, or the digits of the solution, need more entries than allowed.
    TooLarge,
    /// The budget said stop.
    Stopped(Stopped),
}

/// How much work a system of equations may be.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    /// Entries of the triangles, of 64 bytes (a bound of what they take with all that belongs to them).
    pub(crate) most_entries: usize,
    /// Asked again and again whether to stop.
    pub(crate) budget: &'a Budget<'a>,
}

impl From<Stopped> for EliminationError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// An order of elimination that creates few new entries: always the variable that is tied to the
/// fewest others.
pub(crate) fn elimination_order<F>(rows: &[Row<F>], effort: Effort<'_>) -> Vec<u32> {
    /// In matrices with more entries than this a row, new entries are few anyway, or hopeless.
    const DENSE: usize = 64;
    let count = rows.len();
    let entries: usize = rows.iter().map(Vec::len).sum();
    if count <= 8 || entries > count * DENSE {
        return (0..count as u32).collect();
    }
    let mut tied: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for (row, entries) in rows.iter().enumerate() {
        for (column, _) in entries {
            if *column as usize != row {
                tied[row].insert(*column);
                tied[*column as usize].insert(row as u32);
            }
        }
    }
    let mut queue: BinaryHeap<Reverse<(usize, u32)>> =
        tied.iter().enumerate().map(|(row, tied)| Reverse((tied.len(), row as u32))).collect();
    let mut order = Vec::with_capacity(count);
    let mut done = vec![false; count];
    while let Some(Reverse((degree, variable))) = queue.pop() {
        if done[variable as usize] || tied[variable as usize].len() != degree {
            continue;
        }
        done[variable as usize] = true;
        order.push(variable);
        let neighbours: Vec<u32> = std::mem::take(&mut tied[variable as usize]).into_iter().collect();
        let interrupted = order.len() % 1024 == 0 && effort.budget.check().is_err();
        if neighbours.len() > DENSE * 8 || interrupted {
            // What is left is as good as full (or will not be eliminated): any order will do.
            order.extend((0..count as u32).filter(|rest| !done[*rest as usize]));
            return order;
        }
        for neighbour in &neighbours {
            let ties = &mut tied[*neighbour as usize];
            ties.remove(&variable);
            ties.extend(neighbours.iter().filter(|other| *other != neighbour));
            queue.push(Reverse((ties.len(), *neighbour)));
        }
    }
    order
}

impl<F: Field> Triangles<F> {
    /// Eliminates the rows in this order.
    pub(crate) fn new(rows: &[Row<F>], order: &[u32], effort: Effort<'_>) -> Result<Self, EliminationError> {
        let count = rows.len();
        let mut position = vec![0u32; count];
        for (place, variable) in order.iter().enumerate() {
            position[*variable as usize] = place as u32;
        }
        let mut triangles = Self {
            order: order.to_vec(),
            lower: Vec::with_capacity(count),
            upper: Vec::with_capacity(count),
            pivots: Vec::with_capacity(count),
        };
        let mut values = vec![F::ZERO; count];
        let mut present = vec![false; count];
        let mut left: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut entries = 0;
        let mut since = 0;
        for (place, variable) in order.iter().enumerate() {
            let place = place as u32;
            let mut right: Vec<u32> = Vec::new();
            let mut note = |column: u32, left: &mut BinaryHeap<Reverse<u32>>| {
                if column < place { left.push(Reverse(column)) } else { right.push(column) }
            };
            for (column, value) in &rows[*variable as usize] {
                let column = position[*column as usize];
                if !std::mem::replace(&mut present[column as usize], true) {
                    note(column, &mut left);
                }
                values[column as usize] = *value;
            }
            let mut lower: Row<F> = Vec::new();
            while let Some(Reverse(column)) = left.pop() {
                let factor = values[column as usize].mul(triangles.pivots[column as usize]);
                present[column as usize] = false;
                if factor == F::ZERO {
                    continue;
                }
                lower.push((column, factor));
                for (other, value) in &triangles.upper[column as usize] {
                    if !std::mem::replace(&mut present[*other as usize], true) {
                        values[*other as usize] = F::ZERO;
                        note(*other, &mut left);
                    }
                    values[*other as usize] = values[*other as usize].sub_mul(factor, *value);
                }
            }
            let mut upper: Row<F> = Vec::with_capacity(right.len());
            let mut pivot = F::ZERO;
            for column in right {
                present[column as usize] = false;
                if column == place {
                    pivot = values[column as usize];
                } else if values[column as usize] != F::ZERO {
                    upper.push((column, values[column as usize]));
                }
            }
            entries += lower.len() + upper.len();
            if entries > effort.most_entries {
                return Err(EliminationError::TooLarge);
            }
            // Rows that are short are eliminated fast.
            since += 64 + lower.len() * upper.len();
            if since > 1 << 16 {
                since = 0;
                effort.budget.check()?;
            }
            triangles.pivots.push(pivot.inverse().ok_or(EliminationError::Singular)?);
            triangles.lower.push(lower);
            triangles.upper.push(upper);
        }
        Ok(triangles)
    }

    /// The solution for this right-hand side.
    pub(crate) fn solve(&self, right: &[F]) -> Vec<F> {
        let mut values: Vec<F> = self.order.iter().map(|variable| right[*variable as usize]).collect();
        for place in 0..values.len() {
            let sum = self.lower[place].iter().fold(values[place], |sum, (c, l)| sum.sub_mul(*l, values[*c as usize]));
            values[place] = sum;
        }
        for place in (0..values.len()).rev() {
            let sum = self.upper[place].iter().fold(values[place], |sum, (c, u)| sum.sub_mul(*u, values[*c as usize]));
            values[place] = sum.mul(self.pivots[place]);
        }
        let mut solution = vec![F::ZERO; values.len()];
        for (place, variable) in self.order.iter().enumerate() {
            solution[*variable as usize] = values[place];
        }
        solution
    }
}

/// The exact solution of a system with integer coefficients, as numerators over one common
/// denominator in lowest terms.
///
/// Dixon's method: the solution is lifted digit by digit in base 2^61 - 1, fractions are
/// reconstructed from the digits and then **checked by substitution**, so that what is returned
/// solves the system whatever the number of digits was.
pub(crate) fn solve_exactly(
    rows: &[Row<IBig>],
    right: &[IBig],
    effort: Effort<'_>,
) -> Result<(Vec<IBig>, UBig), EliminationError> {
    let residues: Vec<Row<Residue>> =
        rows.iter().map(|row| row.iter().map(|(column, value)| (*column, Residue::of(value))).collect()).collect();
    let order = elimination_order(rows, effort);
    let triangles = match Triangles::new(&residues, &order, effort) {
        Ok(triangles) => triangles,
        // The prime divides a pivot, one chance in 10^18: go without it.
        Err(EliminationError::Singular) if rows.len() * (rows.len() + 1) <= effort.most_entries => {
            return eliminate_rationally(rows, right);
        }
        Err(EliminationError::Singular) => return Err(EliminationError::TooLarge),
        Err(error) => return Err(error),
    };
    let mut rest: Vec<IBig> = right.to_vec();
    let mut lifted: Vec<UBig> = vec![UBig::ZERO; right.len()];
    let mut modulus = UBig::ONE;
    let mut digits = 0usize;
    let mut next_try = 2;
    loop {
        effort.budget.check()?;
        // Every digit takes a word of each number: lifted, left over, and reconstructed.
        if digits.saturating_mul(rows.len()) / 2 > effort.most_entries {
            return Err(EliminationError::TooLarge);
        }
        let digit = triangles.solve(&rest.iter().map(Residue::of).collect::<Vec<_>>());
        for (sum, digit) in lifted.iter_mut().zip(&digit) {
            *sum += &modulus * UBig::from(digit.0);
        }
        modulus *= UBig::from(PRIME);
        digits += 1;
        for (row, rest) in rows.iter().zip(&mut rest) {
            let taken =
                row.iter().fold(IBig::ZERO, |sum, (column, value)| sum + value * IBig::from(digit[*column as usize].0));
            *rest = (&*rest - taken) / IBig::from(PRIME);
        }
        if digits >= next_try {
            next_try = digits + digits / 2 + 1;
            if let Some(solution) = reconstruct(&lifted, &modulus)
                && solves(rows, right, &solution)
            {
                return Ok(solution);
            }
        }
    }
}

/// Fractions with a common denominator that are congruent to `lifted`.
fn reconstruct(lifted: &[UBig], modulus: &UBig) -> Option<(Vec<IBig>, UBig)> {
    use dashu_base::SquareRoot;
    let bound = (modulus >> 1).sqrt();
    let half = modulus >> 1;
    let mut denominator = UBig::ONE;
    for value in lifted {
        let scaled = value * &denominator % modulus;
        if scaled <= bound || modulus - &scaled <= bound {
            continue;
        }
        // Euclid's algorithm, stopped half-way.
        let (mut a, mut b) = (modulus.clone(), scaled);
        let (mut x, mut y) = (IBig::ZERO, IBig::ONE);
        while b > bound {
            let (quotient, rest) = a.div_rem(&b);
            a = b;
            b = rest;
            let next = x - IBig::from(quotient) * &y;
            x = y;
            y = next;
        }
        denominator *= y.unsigned_abs();
        if denominator > bound {
            return None;
        }
    }
    let numerators = lifted
        .iter()
        .map(|value| {
            let scaled = value * &denominator % modulus;
            if scaled > half { IBig::from(scaled) - IBig::from(modulus.clone()) } else { IBig::from(scaled) }
        })
        .collect();
    Some((numerators, denominator))
}

fn solves(rows: &[Row<IBig>], right: &[IBig], (numerators, denominator): &(Vec<IBig>, UBig)) -> bool {
    let denominator = IBig::from(denominator.clone());
    rows.iter().zip(right).all(|(row, right)| {
        let left = row.iter().fold(IBig::ZERO, |sum, (column, value)| sum + value * &numerators[*column as usize]);
        left == right * &denominator
    })
}

/// Gauss-Jordan elimination with fractions: slow, and never wrong.
fn eliminate_rationally(rows: &[Row<IBig>], right: &[IBig]) -> Result<(Vec<IBig>, UBig), EliminationError> {
    use crate::rational::Rational;
    let count = rows.len();
    let mut matrix: Vec<Vec<Rational>> = rows
        .iter()
        .zip(right)
        .map(|(row, right)| {
            let mut dense = vec![Rational::ZERO; count + 1];
            for (column, value) in row {
                dense[*column as usize] = dense[*column as usize].clone() + Rational::from(value.clone());
            }
            dense[count] = Rational::from(right.clone());
            dense
        })
        .collect();
    for column in 0..count {
        let pivot =
            (column..count).find(|row| matrix[*row][column] != Rational::ZERO).ok_or(EliminationError::Singular)?;
        matrix.swap(column, pivot);
        let scale = matrix[column][column].clone();
        for value in &mut matrix[column] {
            *value = &*value / &scale;
        }
        let pivot_row = matrix[column].clone();
        for (row, values) in matrix.iter_mut().enumerate() {
            if row != column && values[column] != Rational::ZERO {
                let factor = values[column].clone();
                for (value, pivot) in values.iter_mut().zip(&pivot_row) {
                    *value = &*value - &factor * pivot;
                }
            }
        }
    }
    let common = matrix.iter().fold(UBig::ONE, |common, row| lcm(&common, row[count].denominator()));
    let numerators =
        matrix.iter().map(|row| row[count].numerator() * IBig::from(&common / row[count].denominator())).collect();
    Ok((numerators, common))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integers(rows: &[&[i64]]) -> Vec<Row<IBig>> {
        rows.iter()
            .map(|row| {
                row.iter().enumerate().filter(|(_, v)| **v != 0).map(|(c, v)| (c as u32, IBig::from(*v))).collect()
            })
            .collect()
    }

    #[test]
    fn a_pivot_that_the_prime_divides() {
        let rows = integers(&[&[PRIME as i64, 1], &[0, 1]]);
        let right = [IBig::ONE, IBig::from(3)];
        let (numerators, denominator) =
            solve_exactly(&rows, &right, Effort { most_entries: 100, budget: &Budget::unlimited() }).unwrap();
        assert_eq!((numerators, denominator), (vec![IBig::from(-2), IBig::from(3 * i128::from(PRIME))], PRIME.into()));
    }

    #[test]
    fn a_singular_system() {
        let rows = integers(&[&[1, 1], &[2, 2]]);
        assert_eq!(
            solve_exactly(&rows, &[IBig::ONE, IBig::ONE], Effort { most_entries: 100, budget: &Budget::unlimited() }),
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
            let lifted = solve_exactly(&rows, &right, effort).unwrap();
            prop_assert!(solves(&rows, &right, &lifted));
            let plain = eliminate_rationally(&rows, &right).unwrap();
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
