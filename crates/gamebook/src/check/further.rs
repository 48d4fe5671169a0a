//! What the book's own hero can do that its author may not have meant.

use std::collections::BTreeSet;

use budget::{Budget, Stopped};

use crate::book::{Book, SectionNumber};
use crate::problem::Problem;
use crate::rules::VariableKind;
use crate::solved::{Question, SolveBookError};

/// Loops in which the book's own hero gets something without end; of those from which play never comes to an end more is
/// said elsewhere.
pub(super) fn endless_gains(
    book: &Book,
    can_end: &BTreeSet<SectionNumber>,
    budget: &Budget<'_>,
    problems: &mut Vec<Problem>,
) -> Result<(), Stopped> {
    let loops = match Question::new(book).outlook(book, budget) {
        Ok(outlook) => outlook.loops,
        Err(SolveBookError::Stopped(stopped)) => return Err(stopped),
        // What keeps the book from being made ready is told when it is to be solved.
        Err(_) => return Ok(()),
    };
    // Of items no more are got than can be carried.
    let variables = book.system.iter().flat_map(|system| &system.variables);
    let items: BTreeSet<&str> = variables
        .filter(|own| own.kind == VariableKind::Item)
        .map(|own| own.name.as_str())
        .chain(book.items.iter().map(|item| item.name.as_str()))
        .collect();
    for own in loops.into_iter().filter(|own| !items.contains(own.what.as_str())) {
        let first = own.got_in.first().filter(|section| can_end.contains(section));
        let Some(section) = first.and_then(|section| book.sections.get(section)) else { continue };
        let round: Vec<String> = own.sections.iter().map(|section| book.section_text(*section)).collect();
        let message = format!("{} can be got here again and again, at no cost", own.what);
        let help = format!(
            "round by {}, as the book's own hero: let it be got once (a flag), or let the way round cost something",
            round.join(", ")
        );
        problems.push(Problem::warning(section.span.clone(), message).help(help));
    }
    Ok(())
}
