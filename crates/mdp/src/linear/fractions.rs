//! Elimination with fractions: slow, and never wrong.

use dashu_int::{IBig, UBig};

use super::system::{EliminationError, Row};
use crate::distribution::lcm;
use crate::rational::Rational;

/// Gauss-Jordan elimination with fractions: slow, and never wrong.
pub(super) fn eliminate_rationally(rows: &[Row<IBig>], right: &[IBig]) -> Result<(Vec<IBig>, UBig), EliminationError> {
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
