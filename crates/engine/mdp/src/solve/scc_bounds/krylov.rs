//! Accelerated sweeps: a combination of several sweeps achieves at once what they do slowly one by one.
//!
//! A forward and a backward sweep together are `x -> M x + c`. Where play mixes well but leaves rarely, `M` has one
//! eigenvalue near 1, and the sweeps repeat nearly the same step again and again. The generalised minimal residual
//! method (Saad and Schultz 1986) computes, from a given number of sweeps, the correction with the least residual. It
//! is computed in shares of the values, so that small ones count as much as large ones.

use crate::support::id;

/// The sweeps of a component without a right-hand side, on numbers scaled by given sizes.
pub(super) struct Sweeps {
    /// Where the entries of each row begin; one more than rows.
    starts: Vec<u32>,
    entries: Vec<(u32, f64)>,
}

/// A correction, and the share of the residual that it leaves.
pub(super) struct Correction {
    pub(super) shares: Vec<f64>,
    pub(super) left: f64,
}

impl Sweeps {
    /// From rows of targets with their weights, divided by the probability of leaving the row.
    pub(super) fn new(rows: impl Iterator<Item = impl Iterator<Item = (u32, f64)>>) -> Self {
        let mut sweeps = Self { starts: vec![0], entries: Vec::new() };
        for row in rows {
            sweeps.entries.extend(row);
            sweeps.starts.push(id(sweeps.entries.len()));
        }
        sweeps
    }

    /// One forward and one backward sweep.
    fn apply(&self, shares: &mut [f64]) {
        let sum = |row: usize, shares: &[f64]| -> f64 {
            let entries = &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize];
            entries.iter().map(|(to, weight)| weight * shares[*to as usize]).sum()
        };
        for row in 0..shares.len() {
            shares[row] = sum(row, shares);
        }
        for row in (0..shares.len()).rev() {
            shares[row] = sum(row, shares);
        }
    }

    /// The correction after which sweeps hardly move the values, where one forward and one backward sweep has moved
    /// them by `residual`. Stops after `most` sweeps, or when only the share `enough` is left.
    pub(super) fn correct(&self, residual: Vec<f64>, most: usize, enough: f64) -> Correction {
        let size = norm(&residual);
        let mut basis = vec![scaled(residual, 1.0 / size)];
        // The columns of the triangle, the rotations that made it one, and the rotated right-hand side.
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut rotations: Vec<(f64, f64)> = Vec::new();
        let mut right = vec![size];
        while columns.len() < most && right[columns.len()].abs() > enough * size {
            let last = &basis[columns.len()];
            let mut next = last.clone();
            self.apply(&mut next);
            next.iter_mut().zip(last).for_each(|(next, last)| *next = last - *next);
            let mut column: Vec<f64> = Vec::with_capacity(basis.len() + 1);
            for vector in &basis {
                let along: f64 = vector.iter().zip(&next).map(|(a, b)| a * b).sum();
                next.iter_mut().zip(vector).for_each(|(next, vector)| *next -= along * vector);
                column.push(along);
            }
            let rest = norm(&next);
            for (position, (cosine, sine)) in rotations.iter().enumerate() {
                let (a, b) = (column[position], column[position + 1]);
                (column[position], column[position + 1]) = (cosine * a + sine * b, cosine * b - sine * a);
            }
            let Some(own) = column.last_mut() else { break };
            let length = own.hypot(rest);
            if length == 0.0 || !length.is_finite() {
                break;
            }
            let (cosine, sine) = (*own / length, rest / length);
            *own = length;
            rotations.push((cosine, sine));
            let before = right[columns.len()];
            right[columns.len()] = cosine * before;
            right.push(-sine * before);
            columns.push(column);
            if rest <= f64::EPSILON * length {
                break;
            }
            basis.push(scaled(next, 1.0 / rest));
        }
        let count = columns.len();
        let left = right[count].abs() / size;
        for position in (0..count).rev() {
            let known: f64 = (position + 1..count).map(|later| columns[later][position] * right[later]).sum();
            right[position] = (right[position] - known) / columns[position][position];
        }
        let mut shares = vec![0.0; basis[0].len()];
        for (vector, factor) in basis.iter().zip(&right[..count]) {
            shares.iter_mut().zip(vector).for_each(|(share, own)| *share += factor * own);
        }
        Correction { shares, left }
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|own| own * own).sum::<f64>().sqrt()
}

fn scaled(mut vector: Vec<f64>, factor: f64) -> Vec<f64> {
    for own in &mut vector {
        *own *= factor;
    }
    vector
}

#[cfg(test)]
mod tests;
