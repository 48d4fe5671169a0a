//! What is found out about a book.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::Problem;
use crate::terms::SectionNumber;

/// What is known in the end.
pub(super) struct Found {
    /// The sections that some hero may enter.
    pub(super) reached: BTreeSet<SectionNumber>,
    /// Where each of them may lead.
    pub(super) leads_to: BTreeMap<SectionNumber, BTreeSet<SectionNumber>>,
    /// The sections in which play may end, and those in which it may be won.
    pub(super) ends: BTreeSet<SectionNumber>,
    pub(super) wins: BTreeSet<SectionNumber>,
    pub(super) problems: Vec<Problem>,
}
