//! The results of the search for a node with a health.

/// The results for a before node with a health.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// An upper bound of its value; infinite if nothing is known.
    pub upper: f64,
    pub status: u8,
    /// How many turns were looked ahead from there.
    pub ahead: u8,
}

impl Before {
    pub(super) const UNKNOWN: Self = Self { upper: f64::INFINITY, status: NEW, ahead: 0 };
}

/// The results for an after node with a health.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After {
    /// An upper bound of its value; infinite if the bound of the graph is the best one.
    pub upper: f64,
    /// The least number of turns looked ahead from its rolls, or one of the constants below.
    pub ahead: u8,
}

impl After {
    pub(super) const UNKNOWN: Self = Self { upper: f64::INFINITY, ahead: 0 };
    /// All its rolls are known: looking ahead shows nothing new.
    pub(crate) const KNOWN: u8 = u8::MAX - 1;
    /// In addition, nothing was inferred.
    pub(crate) const PROVED: u8 = u8::MAX;
}

/// The status of a state.
pub(super) const NEW: u8 = 0;
pub(super) const ACTIVE: u8 = 1;
/// All successors on its best choices are known.
pub(super) const SOLVED: u8 = 2;
/// Its value was inferred from those with other healths.
pub(super) const INFERRED: u8 = 3;
/// All play by its best choices ends, and nothing was inferred.
pub(super) const PROVED: u8 = 4;

/// Whether the value is known with this status.
pub(super) fn is_known(status: u8) -> bool {
    matches!(status, SOLVED | INFERRED | PROVED)
}
