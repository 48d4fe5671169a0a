//! Elimination without fractions: for small systems, and always exact.

use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};

use super::system::{Effort, EliminationError, Row};

/// The solution of a system as numerators over one denominator, which need not be the smallest.
///
/// Bareiss's elimination, in the form of Jordan: every intermediate number is a determinant of rows of the system, so
/// each division is even and numbers stay as short as possible. On the right-hand side a step takes time proportional
/// to its length, where lifting takes its square.
pub(super) fn eliminate(
    rows: &[Row<IBig>],
    right: &[IBig],
    effort: Effort<'_>,
) -> Result<(Vec<IBig>, UBig), EliminationError> {
    let count = rows.len();
    let mut matrix: Vec<Vec<IBig>> = rows
        .iter()
        .zip(right)
        .map(|(row, right)| {
            let mut dense = vec![IBig::ZERO; count + 1];
            for (column, value) in row {
                dense[*column as usize] += value;
            }
            dense[count].clone_from(right);
            dense
        })
        .collect();
    let mut last = IBig::ONE;
    for column in 0..count {
        effort.budget.check()?;
        let found = (column..count).find(|row| matrix[*row][column] != IBig::ZERO);
        matrix.swap(column, found.ok_or(EliminationError::Singular)?);
        let pivot_row = matrix[column].clone();
        let pivot = &pivot_row[column];
        for (row, values) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = std::mem::take(&mut values[column]);
            for (value, above) in values.iter_mut().zip(&pivot_row).skip(column + 1) {
                // Most entries of a sparse row are zero.
                if *value != IBig::ZERO || (factor != IBig::ZERO && *above != IBig::ZERO) {
                    *value = (&*value * pivot - &factor * above) / &last;
                }
            }
            if row < column {
                values[row].clone_from(pivot);
            }
        }
        last.clone_from(pivot);
    }
    let sign = if last.is_negative() { Sign::Negative } else { Sign::Positive };
    let numerators = matrix.into_iter().map(|mut row| sign * row.pop().unwrap_or(IBig::ZERO)).collect();
    Ok((numerators, last.unsigned_abs()))
}

#[cfg(test)]
mod tests;
