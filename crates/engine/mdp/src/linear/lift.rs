//! Exact solutions of large systems by lifting.

use std::cell::Cell;

use budget::Budget;
use dashu_int::{IBig, UBig};

use super::digits::{Digits, digits_of};
use super::field::Residue;
use super::integers::eliminate;
use super::order::elimination_order;
use super::remainder::Remainder;
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

/// Dixon's method: the solution is lifted digit by digit in base 2^61 - 1 until its denominator can be derived from the
/// digits. With the right-hand side scaled by it the solution consists of integers, which are lifted once more, to half
/// as many digits, and **checked by substitution**: the result solves the system even if the denominator was wrong.
fn lift(rows: &[Row<IBig>], right: &[IBig], effort: Effort<'_>) -> Result<(Vec<IBig>, UBig), EliminationError> {
    let residues: Vec<Row<Residue>> =
        rows.iter().map(|row| row.iter().map(|(column, value)| (*column, Residue::of(value))).collect()).collect();
    let order = elimination_order(rows, effort);
    let triangles = match Triangles::new(&residues, &order, effort) {
        Ok(triangles) => triangles,
        // The prime divides a pivot, with a probability of one in 10^18: do without it.
        Err(EliminationError::Singular) if rows.len() * (rows.len() + 1) <= effort.most_entries => {
            return eliminate(rows, right, effort);
        }
        Err(EliminationError::Singular) => return Err(EliminationError::TooLarge),
        Err(error) => return Err(error),
    };
    let asked = Asked { budget: effort.budget, since: Cell::new(0) };
    let lift_on = |rest: &mut Remainder, digits: &mut Digits| {
        // Every digit takes a word of each number: lifted, left over, and combined.
        if digits.len().saturating_mul(rows.len()) / 2 > effort.most_entries {
            return Err(EliminationError::TooLarge);
        }
        asked.work(rows.len() * 64)?;
        let digit = triangles.solve(&rest.residues());
        rest.take(rows, &digit);
        digits.push(digit);
        Ok(())
    };
    let mut rest = Remainder::new(rows, right);
    let mut digits = Digits::default();
    let mut next_try = 2;
    loop {
        lift_on(&mut rest, &mut digits)?;
        if digits.len() < next_try {
            continue;
        }
        next_try = digits.len() + digits.len() / 4 + 1;
        asked.work(digits.len() * (rows.len() + digits.len()) * 64)?;
        let Some((denominator, largest)) = digits.denominator() else { continue };
        let mut whole = Digits::default();
        let mut rest = Remainder::scaled(rows, right, &denominator);
        // One more for the sign, one for numbers that are larger than their sums.
        for _ in 0..digits_of(&largest).len() + 2 {
            lift_on(&mut rest, &mut whole)?;
        }
        let numerators = (0..rows.len()).map(|column| {
            asked.work(whole.len() * (whole.len() + 16))?;
            Ok(whole.integer(column))
        });
        let numerators = numerators.collect::<Result<Vec<IBig>, EliminationError>>()?;
        let solution = (numerators, denominator);
        if solves(rows, right, &solution, &asked)? {
            return Ok(solution);
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

/// Checks the budget after every few thousand steps.
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
mod tests;
