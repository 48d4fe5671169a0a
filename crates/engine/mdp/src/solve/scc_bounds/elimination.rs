//! The equations of a policy, solved by elimination without a subtraction.
//!
//! The pivot of a node is the probability of leaving it. It is not computed as 1 minus that of staying, but as the sum
//! of the probabilities of all other moves, including the way out (Grassmann, Taksar and Heyman 1985). So every number
//! is a sum of products and quotients of positive numbers, and has small *relative* errors however rarely play leaves
//! (O'Cinneide 1993).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::linear::{Effort, EliminationError};

/// The factors of the equations of some nodes, to be solved for any right-hand side.
pub(super) enum Factors {
    /// All entries, row by row: factors below the diagonal, probabilities above it.
    Dense {
        entries: Vec<f64>,
        pivots: Vec<f64>,
    },
    Sparse(Sparse),
}

/// Rows in the order of elimination; columns are positions in it.
pub(super) struct Sparse {
    order: Vec<u32>,
    lower: Rows,
    upper: Rows,
    pivots: Vec<f64>,
}

/// Rows of numbers that are not 0, one after another.
#[derive(Default)]
struct Rows {
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Rows {
    fn row(&self, row: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }
}

impl Factors {
    /// `None` where play leaves too rarely for floating point.
    pub(super) fn dense(rows: &[Vec<(u32, f64)>], exits: &[f64]) -> Option<Self> {
        let count = rows.len();
        let mut entries = vec![0.0; count * count];
        let mut exits = exits.to_vec();
        let mut pivots = Vec::with_capacity(count);
        for (row, line) in rows.iter().zip(entries.chunks_exact_mut(count)) {
            for (column, probability) in row {
                line[*column as usize] = *probability;
            }
        }
        for pivot in 0..count {
            let (done, rest) = entries.split_at_mut((pivot + 1) * count);
            let own = &done[pivot * count + pivot + 1..];
            let leaving = own.iter().sum::<f64>() + exits[pivot];
            if !leaving.is_normal() {
                return None;
            }
            pivots.push(leaving);
            let exit = exits[pivot];
            for (line, row_exit) in rest.chunks_exact_mut(count).zip(&mut exits[pivot + 1..]) {
                let factor = line[pivot] / leaving;
                if factor != 0.0 {
                    line[pivot] = factor;
                    line[pivot + 1..].iter_mut().zip(own).for_each(|(entry, above)| *entry += factor * above);
                    *row_exit += factor * exit;
                }
            }
        }
        Some(Self::Dense { entries, pivots })
    }

    /// The solution for a right-hand side.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let sparse = match self {
            Self::Dense { entries, pivots } => {
                let count = pivots.len();
                for row in 0..count {
                    let below = entries[row * count..row * count + row].iter();
                    right[row] += below.zip(&right).map(|(factor, value)| factor * value).sum::<f64>();
                }
                for row in (0..count).rev() {
                    let above = entries[row * count + row + 1..(row + 1) * count].iter();
                    let known: f64 = above.zip(&right[row + 1..]).map(|(entry, value)| entry * value).sum();
                    right[row] = (right[row] + known) / pivots[row];
                }
                return right;
            }
            Self::Sparse(sparse) => sparse,
        };
        let mut values: Vec<f64> = sparse.order.iter().map(|node| right[*node as usize]).collect();
        for at in 0..values.len() {
            let known = sparse.lower.row(at).iter().map(|(column, factor)| factor * values[*column as usize]);
            values[at] += known.sum::<f64>();
        }
        for at in (0..values.len()).rev() {
            let known = sparse.upper.row(at).iter().map(|(column, entry)| entry * values[*column as usize]);
            values[at] = (values[at] + known.sum::<f64>()) / sparse.pivots[at];
        }
        for (node, value) in sparse.order.iter().zip(values) {
            right[*node as usize] = value;
        }
        right
    }
}

impl Sparse {
    /// Eliminates in this order.
    pub(super) fn new(
        rows: &[Vec<(u32, f64)>],
        exits: &[f64],
        order: Vec<u32>,
        effort: Effort<'_>,
    ) -> Result<Self, EliminationError> {
        let count = rows.len();
        let mut position = vec![0u32; count];
        for (at, node) in (0..).zip(&order) {
            position[*node as usize] = at;
        }
        let mut lower = Rows { starts: vec![0], entries: Vec::new() };
        let mut upper = Rows { starts: vec![0], entries: Vec::new() };
        let mut pivots: Vec<f64> = Vec::with_capacity(count);
        let mut own_exits = Vec::with_capacity(count);
        let mut values = vec![0.0; count];
        let mut present = vec![false; count];
        let mut left: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut right: Vec<u32> = Vec::new();
        let mut since = 0;
        for (at, node) in (0u32..).zip(&order) {
            let mut exit = exits[*node as usize];
            right.clear();
            let mut add = |column: u32, value: f64, left: &mut BinaryHeap<Reverse<u32>>, right: &mut Vec<u32>| {
                values[column as usize] += value;
                if !std::mem::replace(&mut present[column as usize], true) {
                    if column < at { left.push(Reverse(column)) } else { right.push(column) }
                }
            };
            for (column, value) in &rows[*node as usize] {
                add(position[*column as usize], *value, &mut left, &mut right);
            }
            let first = lower.entries.len();
            while let Some(Reverse(column)) = left.pop() {
                let factor = std::mem::take(&mut values[column as usize]) / pivots[column as usize];
                present[column as usize] = false;
                lower.entries.push((column, factor));
                exit += factor * own_exits[column as usize];
                for (other, value) in upper.row(column as usize) {
                    values[*other as usize] += factor * value;
                    if !std::mem::replace(&mut present[*other as usize], true) {
                        if *other < at { left.push(Reverse(*other)) } else { right.push(*other) }
                    }
                }
            }
            let mut pivot = exit;
            for column in &right {
                present[*column as usize] = false;
                let value = std::mem::take(&mut values[*column as usize]);
                if *column != at {
                    pivot += value;
                    upper.entries.push((*column, value));
                }
            }
            if !pivot.is_normal() {
                return Err(EliminationError::Singular);
            }
            pivots.push(pivot);
            own_exits.push(exit);
            since += 64 + (lower.entries.len() - first) * right.len();
            lower.starts.push(lower.entries.len());
            upper.starts.push(upper.entries.len());
            if lower.entries.len() + upper.entries.len() > effort.most_entries {
                return Err(EliminationError::TooLarge);
            }
            if since > 1 << 16 {
                since = 0;
                effort.budget.check()?;
            }
        }
        Ok(Self { order, lower, upper, pivots })
    }
}
