//! A bound on what is still lost.

/// What is lost in the next turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// On average at least.
    pub least: f64,
    /// In any case at most, as far as these turns go.
    pub most: f64,
}

impl Bound {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { least: 0.0, most: 1.0 };

    /// Nothing is lost.
    pub(super) const NOTHING: Self = Self { least: 0.0, most: 0.0 };

    /// The bound of what is left to chance.
    pub(super) fn mean(items: impl IntoIterator<Item = (f64, Self)>) -> Self {
        let mut mean = Self::NOTHING;
        for (chance, bound) in items {
            mean.least += chance * bound.least;
            mean.most = mean.most.max(bound.most);
        }
        Self { least: mean.least * SAFE, ..mean }
    }

    /// What is lost at least by who has this much health.
    pub(crate) fn at(self, health: f64) -> f64 {
        if health >= self.most { self.least } else { self.least * (health / self.most) * SAFE }
    }
}

/// A factor that makes up for rounding.
pub(super) const SAFE: f64 = 1.0 - 1e-13;
