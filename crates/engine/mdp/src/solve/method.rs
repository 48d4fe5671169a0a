//! How strongly connected components are solved.

/// How bounds of strongly connected components are found. The bounds hold whichever is taken, and are as tight; this
/// decides how long it takes, and is there for tests and measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Whichever is estimated to be the least work: sweeps until their speed is known; then elimination if it is cheap, sweeps
    /// that are put together, or elimination at any price, where the sweeps that are still needed would take longer;
    /// fractions where all fail or rounding makes the bounds wide.
    #[default]
    Cheapest,
    /// Sweeps only, alone or put together, until values come to rest.
    Sweeps,
    /// Elimination only.
    Elimination,
    /// Fractions only.
    Fractions,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cheapest, Self::Sweeps, Self::Elimination, Self::Fractions];
}
