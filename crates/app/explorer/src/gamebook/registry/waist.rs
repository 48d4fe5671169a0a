//! Where a book can be cut in two.

use std::collections::{BTreeMap, VecDeque};

use gamebook::{Book, Outline, SectionNumber};

/// The section by which every way from the beginning to a goal comes that leaves the most sections on both sides;
/// `None` where there is none but the ends.
pub fn waist(book: &Book, outlines: &BTreeMap<SectionNumber, Outline>) -> Option<SectionNumber> {
    let reached = |without: Option<SectionNumber>| {
        // Each with the section from which it was reached first.
        let (mut found, mut waiting) = (BTreeMap::from([(book.start, book.start)]), VecDeque::from([book.start]));
        while let Some(section) = waiting.pop_front() {
            for next in outlines.get(&section).into_iter().flat_map(|outline| &outline.targets) {
                if Some(*next) != without && !found.contains_key(next) {
                    found.insert(*next, section);
                    waiting.push_back(*next);
                }
            }
        }
        found
    };
    let all = reached(None);
    let goal = book.goals.iter().find(|goal| all.contains_key(goal))?;
    // What lies on every way lies on this one.
    let way = std::iter::successors(Some(*goal), |own| (*own != book.start).then(|| all[own]));
    let cut = |section: SectionNumber| {
        let before = reached(Some(section));
        let is_waist = !book.goals.iter().any(|goal| before.contains_key(goal));
        let behind = all.len() - before.len() - 1;
        is_waist.then(|| (before.len().min(behind), section))
    };
    let inner = way.filter(|own| *own != book.start && !book.goals.contains(own));
    inner.filter_map(cut).max().map(|(_, section)| section)
}

#[cfg(test)]
mod tests;
