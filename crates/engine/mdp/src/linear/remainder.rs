//! The remainder of a right-hand side while its solution is lifted.

use dashu_int::{IBig, UBig};

use super::digits::digits_of;
use super::field::{PRIME, Residue};
use super::system::Row;

/// The remainder after the digits so far: the right-hand side minus the matrix times the digits, divided by the prime
/// once for each digit.
pub(super) enum Remainder {
    Large(Vec<IBig>),
    /// Numbers below 2^62, for a matrix whose rows sum to less than 2^60: then every later remainder is as small.
    Small(Small),
}

pub(super) struct Small {
    rest: Vec<i128>,
    rows: Vec<Vec<(u32, i64)>>,
    /// A factor of the right-hand side by digits, the last first, and the right-hand side: one digit at a time is added
    /// to the remainder.
    factor: Vec<u64>,
    right: Vec<i64>,
}

impl Remainder {
    pub(super) fn new(rows: &[Row<IBig>], right: &[IBig]) -> Self {
        let mut new = Self::Large(right.to_vec());
        new.shrink(rows);
        new
    }

    /// The remainder of a right-hand side times a factor.
    pub(super) fn scaled(rows: &[Row<IBig>], right: &[IBig], factor: &UBig) -> Self {
        let small_right: Option<Vec<i64>> =
            right.iter().map(|value| small(value).filter(|own| own.abs() < 1 << 60)).collect();
        match (small_right, small_rows(rows)) {
            (Some(right), Some(rows)) => {
                let factor = digits_of(factor).into_iter().rev().collect();
                let mut new = Small { rest: vec![0; rows.len()], rows, factor, right };
                new.bring();
                Self::Small(new)
            }
            _ => Self::new(rows, &right.iter().map(|value| value * IBig::from(factor.clone())).collect::<Vec<_>>()),
        }
    }

    /// Switches to small numbers where they fit.
    fn shrink(&mut self, rows: &[Row<IBig>]) {
        let Self::Large(rest) = self else { return };
        let Some(rest) = rest.iter().map(|value| small(value).map(i128::from)).collect::<Option<Vec<_>>>() else {
            return;
        };
        if let Some(rows) = small_rows(rows) {
            *self = Self::Small(Small { rest, rows, factor: Vec::new(), right: Vec::new() });
        }
    }

    pub(super) fn residues(&self) -> Vec<Residue> {
        match self {
            Self::Large(rest) => rest.iter().map(Residue::of).collect(),
            Self::Small(small) => small.rest.iter().map(|rest| Residue::of_small(*rest)).collect(),
        }
    }

    /// Subtracts another digit of the solution.
    pub(super) fn take(&mut self, rows: &[Row<IBig>], digit: &[Residue]) {
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
            Self::Small(small) => {
                for (row, rest) in small.rows.iter().zip(&mut small.rest) {
                    let taken: i128 = row
                        .iter()
                        .map(|(column, value)| i128::from(*value) * i128::from(digit[*column as usize].number()))
                        .sum();
                    *rest = divided(*rest - taken);
                }
                small.bring();
            }
        }
    }
}

impl Small {
    /// Adds the next digit of the factor.
    fn bring(&mut self) {
        if let Some(digit) = self.factor.pop() {
            for (rest, right) in self.rest.iter_mut().zip(&self.right) {
                *rest += i128::from(*right) * i128::from(digit);
            }
        }
    }
}

fn small(value: &IBig) -> Option<i64> {
    i64::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 61)
}

fn small_rows(rows: &[Row<IBig>]) -> Option<Vec<Vec<(u32, i64)>>> {
    let row = |row: &Row<IBig>| -> Option<Vec<(u32, i64)>> {
        let row: Vec<(u32, i64)> =
            row.iter().map(|(column, value)| Some((*column, small(value)?))).collect::<Option<_>>()?;
        let sum: u128 = row.iter().map(|(_, value)| u128::from(value.unsigned_abs())).sum();
        (sum < 1 << 60).then_some(row)
    };
    rows.iter().map(row).collect()
}

/// A multiple of the prime divided by it: modulo 2^128 that is a product with the inverse, -(1 + 2^61 + 2^122).
fn divided(multiple: i128) -> i128 {
    multiple.wrapping_add(multiple << 61).wrapping_add(multiple << 122).wrapping_neg()
}

#[cfg(test)]
mod tests;
