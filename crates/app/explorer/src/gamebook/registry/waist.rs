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
mod tests {
    use super::*;
    use crate::gamebook::OfferedBook;

    fn waist_of(sections: &str) -> Option<SectionNumber> {
        let head =
            "book \"Waist\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nhero { combat-skill 15; endurance 20; }\n";
        OfferedBook::new("waist", &format!("{head}{sections}\nsection 9 {{ victory; }}")).unwrap().waist()
    }

    /// A section with a choice of these.
    fn section(number: u32, to: &[u32]) -> String {
        let choices = to.iter().map(|to| format!("choice \"to {to}\" {{ goto {to}; }}; ")).collect::<Vec<_>>().concat();
        format!("section {number} {{ {choices}}}\n")
    }

    #[test]
    fn every_way_comes_by() {
        // 4 and 7 are on every way; 4 has more on both sides.
        let ways = [
            (1, vec![2, 3]),
            (2, vec![4, 3]),
            (3, vec![4, 2]),
            (4, vec![5, 6]),
            (5, vec![7, 4]),
            (6, vec![7, 5]),
            (7, vec![9, 8]),
            (8, vec![7, 1]),
        ];
        let text: String = ways.iter().map(|(number, to)| section(*number, to)).collect();
        assert_eq!(waist_of(&text), Some(4));
        // Each way leaves something out.
        let text: String = [(1, vec![2, 3]), (2, vec![9, 3]), (3, vec![9, 2])]
            .iter()
            .map(|(number, to)| section(*number, to))
            .collect();
        assert_eq!(waist_of(&text), None);
    }
}
