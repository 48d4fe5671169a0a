//! Dead ends: sections from which the book can no longer be won.

use std::collections::{BTreeMap, BTreeSet};

use budget::Stopped;

use super::found::Found;
use super::walks::{Distances, MayWin, Who, leading_to};
use crate::book::Book;
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::SectionNumber;

/// How many of the following sections are named.
const NAMED: usize = 5;

/// In larger books the search for a victory from each section is skipped: it takes quadratic time.
const FOLLOWED: usize = 500;

/// The sections at which the book becomes unwinnable: they are entered from sections from which it can still be won. Sections
/// in which play ends at once are left out as intended; those from which it never ends have a warning of their own. Dead ends
/// that follow from the text alone may be intended, too, and are only notes. `may_win` decides for the heroes who enter a
/// section.
pub(super) fn lost(
    book: &Book,
    found: &Found,
    may_win: &MayWin<'_>,
    who: Who,
    problems: &mut Vec<Problem>,
) -> Result<(), Stopped> {
    let wins = leading_to(&found.leads_to, &found.wins);
    if !wins.contains_key(&book.start) {
        return Ok(());
    }
    let mut lost = BTreeSet::new();
    let follows = found.reached.len() <= FOLLOWED;
    for section in found.reached.iter().filter(|section| !book.goals.contains(section)) {
        if !wins.contains_key(section) || follows && !may_win(*section, &wins)? {
            lost.insert(*section);
        }
    }
    let can_end = leading_to(&found.leads_to, &found.ends);
    let hopeful = found.leads_to.iter().filter(|(from, _)| !lost.contains(from));
    let entered: BTreeSet<SectionNumber> = hopeful.flat_map(|(_, to)| to.iter().copied()).collect();
    let by_text = winnable_by_text(book);
    for section in lost.intersection(&entered).filter(|section| can_end.contains_key(section)).take(MOST_PROBLEMS) {
        let (Some(own), Some(next)) = (book.sections.get(section), found.leads_to.get(section)) else { continue };
        let mut names: Vec<String> = next.iter().take(NAMED).map(|next| book.section_text(*next)).collect();
        if next.len() > NAMED {
            names.push("...".into());
        }
        let message = match (who, book.section_text(*section)) {
            (Who::Anyone, name) => format!("no hero can win from section {name} on"),
            (Who::This, name) => format!("this hero cannot win from section {name} on"),
        };
        let names = names.join(", ");
        problems.push(if by_text.contains_key(section) {
            Problem::warning(own.span.clone(), message)
                .help(format!("after {names} every way to a victory has a condition that cannot be met"))
        } else {
            Problem::note(own.span.clone(), message)
                .help(format!("it leads to {names}, and none of these to a victory"))
        });
    }
    Ok(())
}

/// The sections from which a victory would be reachable if every condition held.
fn winnable_by_text(book: &Book) -> Distances {
    let mut wins: BTreeSet<SectionNumber> = book.goals.iter().copied().collect();
    let mut leads_to = BTreeMap::new();
    for number in book.sections.keys() {
        let outline = book.outline(*number);
        if outline.victory {
            wins.insert(*number);
        }
        leads_to.insert(*number, outline.targets);
    }
    leading_to(&leads_to, &wins)
}
