//! The findings of the propagation.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::Problem;
use crate::terms::SectionNumber;

/// The findings of the propagation.
pub(super) struct Found {
    /// The sections that some hero may enter.
    pub(super) reached: BTreeSet<SectionNumber>,
    /// The sections to which each of them may lead.
    pub(super) leads_to: BTreeMap<SectionNumber, BTreeSet<SectionNumber>>,
    /// The sections in which play may end, and those in which it may be won.
    pub(super) ends: BTreeSet<SectionNumber>,
    pub(super) wins: BTreeSet<SectionNumber>,
    pub(super) problems: Vec<Problem>,
}
