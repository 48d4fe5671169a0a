//! Sections from which nothing can be won any more.

use std::collections::{BTreeMap, BTreeSet};

use budget::Stopped;

use super::found::Found;
use super::walks::{Far, MayWin, Who, leading_to};
use crate::book::Book;
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::SectionNumber;

/// So many sections that follow are named.
const NAMED: usize = 5;

/// In a book of more sections nobody is followed from each of them to a victory: that takes as many steps as the square of
/// their number.
const FOLLOWED: usize = 500;

/// The sections where it comes about that nothing can be won any more: some way leads into them from a section from
/// which it can be won. Those in which play ends at once, or from which it never ends, are left out: the ones are meant, of
/// the others more is said elsewhere. What no word of the book leads out of may be meant, too, and is only noted. `may_win`
/// follows those who come to a section from there on.
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
            (Who::Anyone, name) => format!("nobody can win any more who comes to section {name}"),
            (Who::This, name) => format!("this hero cannot win any more once he comes to section {name}"),
        };
        let names = names.join(", ");
        problems.push(if by_text.contains_key(section) {
            Problem::warning(own.span.clone(), message)
                .help(format!("whoever comes here and on to {names} fails what every way to a victory asks for"))
        } else {
            Problem::note(own.span.clone(), message)
                .help(format!("it leads to {names}, and nothing that follows to a victory"))
        });
    }
    Ok(())
}

/// The sections from which a victory could be reached if every condition held.
fn winnable_by_text(book: &Book) -> Far {
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
