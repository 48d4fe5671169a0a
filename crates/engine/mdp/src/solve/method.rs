//! How strongly connected components are solved.

/// How bounds of strongly connected components are computed. The bounds hold with each method, and are equally tight;
/// the choice affects the time only, and serves tests and measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The method with the least estimated work: sweeps until their speed of convergence is known; then elimination if
    /// it is cheap, accelerated sweeps, or elimination at any cost, if the remaining sweeps would take longer;
    /// fractions where all of these fail or rounding makes the bounds wide.
    #[default]
    Cheapest,
    /// Sweeps only, plain or accelerated, until values converge.
    Sweeps,
    /// Elimination only.
    Elimination,
    /// Fractions only.
    Fractions,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::Cheapest, Self::Sweeps, Self::Elimination, Self::Fractions];
}
