//! Least squares.

/// Sums over samples of a number that is approximately a weighted sum of features.
#[derive(Clone, Debug)]
pub(crate) struct LeastSquares {
    width: usize,
    /// The sums of products of two features, the lower half row by row.
    products: Vec<f64>,
    /// The sums of products of a feature and the number.
    targets: Vec<f64>,
}

impl LeastSquares {
    /// No samples, of this many features.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, products: vec![0.0; width * width], targets: vec![0.0; width] }
    }

    /// One more sample.
    pub(crate) fn add(&mut self, features: &[f64], target: f64) {
        let present: Vec<(usize, f64)> =
            features.iter().copied().enumerate().filter(|(_, feature)| *feature != 0.0).collect();
        for (nth, (row, own)) in present.iter().enumerate() {
            self.targets[*row] += own * target;
            for (column, other) in &present[..=nth] {
                self.products[row * self.width + column] += own * other;
            }
        }
    }

    /// The weights with the least squares, where large weights are penalised, so that the solution is unique.
    pub(crate) fn weights(&self, ridge: f64) -> Vec<f64> {
        let width = self.width;
        let mut lower = self.products.clone();
        (0..width).for_each(|row| lower[row * width + row] += ridge);
        // Cholesky decomposition: the matrix as a lower triangle times its transpose.
        for row in 0..width {
            for column in 0..=row {
                let dot: f64 = (0..column).map(|k| lower[row * width + k] * lower[column * width + k]).sum();
                let rest = lower[row * width + column] - dot;
                lower[row * width + column] =
                    if row == column { rest.max(1e-9).sqrt() } else { rest / lower[column * width + column] };
            }
        }
        let mut weights = self.targets.clone();
        for row in 0..width {
            let dot: f64 = (0..row).map(|k| lower[row * width + k] * weights[k]).sum();
            weights[row] = (weights[row] - dot) / lower[row * width + row];
        }
        for row in (0..width).rev() {
            let dot: f64 = (row + 1..width).map(|k| lower[k * width + row] * weights[k]).sum();
            weights[row] = (weights[row] - dot) / lower[row * width + row];
        }
        weights
    }
}

#[cfg(test)]
mod tests;
