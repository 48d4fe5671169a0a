//! Sparse elimination into two triangles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::field::Field;
use super::system::{Effort, EliminationError, Row};

use crate::support::id;

/// Lower and upper triangles of a matrix whose pivots are all on its diagonal. The matrices here (identity minus the
/// inner probabilities of a policy that leaves the component) are M-matrices: their pivots are positive in every order.
pub(crate) struct Triangles<F> {
    order: Vec<u32>,
    lower: Vec<Row<F>>,
    upper: Vec<Row<F>>,
    pivots: Vec<F>,
}

impl<F: Field> Triangles<F> {
    /// Eliminates the rows in this order.
    pub(crate) fn new(rows: &[Row<F>], order: &[u32], effort: Effort<'_>) -> Result<Self, EliminationError> {
        let count = rows.len();
        let mut position = vec![0u32; count];
        for (at, variable) in order.iter().enumerate() {
            position[*variable as usize] = id(at);
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
        for (at, variable) in order.iter().enumerate() {
            let at = id(at);
            let mut right: Vec<u32> = Vec::new();
            let mut note = |column: u32, left: &mut BinaryHeap<Reverse<u32>>| {
                if column < at { left.push(Reverse(column)) } else { right.push(column) }
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
                if column == at {
                    pivot = values[column as usize];
                } else if values[column as usize] != F::ZERO {
                    upper.push((column, values[column as usize]));
                }
            }
            entries += lower.len() + upper.len();
            if entries > effort.most_entries {
                return Err(EliminationError::TooLarge);
            }
            // Short rows are eliminated fast.
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
        for at in 0..values.len() {
            let sum = self.lower[at].iter().fold(values[at], |sum, (c, l)| sum.sub_mul(*l, values[*c as usize]));
            values[at] = sum;
        }
        for at in (0..values.len()).rev() {
            let sum = self.upper[at].iter().fold(values[at], |sum, (c, u)| sum.sub_mul(*u, values[*c as usize]));
            values[at] = sum.mul(self.pivots[at]);
        }
        let mut solution = vec![F::ZERO; values.len()];
        for (at, variable) in self.order.iter().enumerate() {
            solution[*variable as usize] = values[at];
        }
        solution
    }
}
