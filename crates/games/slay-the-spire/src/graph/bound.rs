//! A bound on the loss that is still to come.

/// The loss of the next turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// A lower bound of its mean.
    pub least: f64,
    /// An upper bound of it in any case, in these turns.
    pub most: f64,
}

impl Bound {
    /// No information.
    pub(crate) const NONE: Self = Self { least: 0.0, most: 1.0 };

    /// No loss.
    pub(super) const NOTHING: Self = Self { least: 0.0, most: 0.0 };

    /// The bound of a random outcome.
    pub(super) fn mean(items: impl IntoIterator<Item = (f64, Self)>) -> Self {
        let mut mean = Self::NOTHING;
        for (chance, bound) in items {
            mean.least += chance * bound.least;
            mean.most = mean.most.max(bound.most);
        }
        Self { least: mean.least * SAFE, ..mean }
    }

    /// A lower bound of the loss for a player with this much health.
    pub(crate) fn at(self, health: f64) -> f64 {
        if health >= self.most { self.least } else { self.least * (health / self.most) * SAFE }
    }
}

/// A factor that allows for rounding.
pub(super) const SAFE: f64 = 1.0 - 1e-13;
