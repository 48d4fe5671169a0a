//! What a hero can do that the author may not have meant.

use std::collections::BTreeSet;

use budget::{Budget, Stopped};

use super::walks::{Far, Who};
use crate::book::{Book, NodeKind, Rule, Target, VariableKind, VariableRef, every_node};
use crate::solve::{Question, SolveBookError};
use crate::syntax::Problem;

/// Loops in which a hero gets something without end; of those from which play never comes to an end more is said
/// elsewhere.
pub(super) fn endless_gains(
    book: &Book,
    question: &Question,
    who: Who,
    can_end: &Far,
    budget: &Budget<'_>,
    problems: &mut Vec<Problem>,
) -> Result<(), Stopped> {
    let loops = match question.outlook(book, budget) {
        Ok(outlook) => outlook.loops,
        Err(SolveBookError::Stopped(stopped)) => return Err(stopped),
        // What keeps the book from being made ready is told when it is to be solved.
        Err(_) => return Ok(()),
    };
    let kept = kept(book);
    for own in loops.into_iter().filter(|own| !kept.contains(own.what.as_str())) {
        let first = own.got_in.first().filter(|section| can_end.contains_key(section));
        let Some(section) = first.and_then(|section| book.sections.get(section)) else { continue };
        let round: Vec<String> = own.sections.iter().map(|section| book.section_text(*section)).collect();
        let message = format!("{} can be got here again and again, at no cost", own.what);
        let hero = if who == Who::This { "this hero" } else { "the book's own hero" };
        let help = format!(
            "round by {}, as {hero}: let it be got once (a flag), or let the way round cost something",
            round.join(", ")
        );
        problems.push(Problem::warning(section.span.clone(), message).help(help));
    }
    Ok(())
}

/// The items that are of no more use for being got again: they are not used up, nor sold.
fn kept(book: &Book) -> BTreeSet<&str> {
    if let Some(system) = &book.system {
        let mut spent = BTreeSet::new();
        for action in &system.actions {
            every_node(&action.body, &mut |node| {
                if let NodeKind::Rule(rule) = &node.kind
                    && let Rule::Change(Target::Variable(VariableRef::Own(own)), _) = &**rule
                {
                    spent.insert(*own);
                }
            });
        }
        let items = system.variables.iter().enumerate().filter(|(_, own)| own.kind == VariableKind::Item);
        return items.filter(|(own, _)| !spent.contains(own)).map(|(_, own)| own.name.as_str()).collect();
    }
    let mut sold = BTreeSet::new();
    for section in book.sections.values() {
        every_node(&section.body, &mut |node| {
            if let NodeKind::Shop(trades) = &node.kind {
                sold.extend(trades.iter().filter(|trade| !trade.buy && trade.price > 0).map(|trade| trade.item));
            }
        });
    }
    let items = book
        .items
        .iter()
        .enumerate()
        .filter(|(item, own)| !(own.food || own.heals.is_some() || own.strengthens > 0 || sold.contains(item)));
    items.map(|(_, own)| own.name.as_str()).collect()
}
