//! What the search knows of a node with a health.

/// What is known of a before node with a health.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// It is worth no more; infinite where nothing is known.
    pub upper: f64,
    pub mark: u8,
    /// How many turns were looked ahead from there.
    pub ahead: u8,
}

impl Before {
    pub(super) const UNKNOWN: Self = Self { upper: f64::INFINITY, mark: NEW, ahead: 0 };
}

/// What is known of an after node with a health.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After {
    /// It is worth no more; infinite where the bound of the graph is the best one.
    pub upper: f64,
    /// How many turns at least were looked ahead from all that can be rolled there, or one of the numbers below.
    pub ahead: u8,
}

impl After {
    pub(super) const UNKNOWN: Self = Self { upper: f64::INFINITY, ahead: 0 };
    /// All that can be rolled there is known: no turn shows anything new.
    pub(crate) const KNOWN: u8 = u8::MAX - 1;
    /// And nothing of it was inferred.
    pub(crate) const PROVED: u8 = u8::MAX;
}

/// Marks: what is known of a place.
pub(super) const NEW: u8 = 0;
pub(super) const ACTIVE: u8 = 1;
/// All that follows on its best choices is known.
pub(super) const SOLVED: u8 = 2;
/// Its value follows from those with other healths.
pub(super) const INFERRED: u8 = 3;
/// All that follows on its best choices comes to an end, and nothing of it was inferred.
pub(super) const PROVED: u8 = 4;

/// Whether this mark says that a value is known.
pub(super) fn is_known(mark: u8) -> bool {
    matches!(mark, SOLVED | INFERRED | PROVED)
}
