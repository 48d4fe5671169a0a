//! Distances between sections, and the heroes that a warning concerns.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use budget::Stopped;

use crate::terms::SectionNumber;

/// The heroes that a warning concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Every hero that the rules allow.
    Anyone,
    /// One hero.
    This,
}

/// The distance of sections to some that are searched for.
pub(super) type Distances = BTreeMap<SectionNumber, usize>;

/// Whether any hero who enters a section may still win.
pub(super) type MayWin<'w> = dyn Fn(SectionNumber, &Distances) -> Result<bool, Stopped> + 'w;

/// The sections from which these are reachable, including themselves, with the distance.
pub(super) fn leading_to(
    leads_to: &BTreeMap<SectionNumber, BTreeSet<SectionNumber>>,
    to: &BTreeSet<SectionNumber>,
) -> Distances {
    let mut before: BTreeMap<SectionNumber, Vec<SectionNumber>> = BTreeMap::new();
    for (from, to) in leads_to {
        for section in to {
            before.entry(*section).or_default().push(*from);
        }
    }
    let mut far: Distances = to.iter().map(|section| (*section, 0)).collect();
    let mut open: VecDeque<SectionNumber> = to.iter().copied().collect();
    while let Some(section) = open.pop_front() {
        let next = far[&section] + 1;
        for earlier in before.get(&section).into_iter().flatten() {
            if let Entry::Vacant(vacant) = far.entry(*earlier) {
                vacant.insert(next);
                open.push_back(*earlier);
            }
        }
    }
    far
}
