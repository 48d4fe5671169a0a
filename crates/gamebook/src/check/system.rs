//! What can come up in a book with a system of rules of its own, found out from its program.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use budget::{Budget, Stopped};

use super::flow::Found;
use super::ranges::reached;
use crate::book::{Book, SectionNumber};
use crate::compile::CompileError;
use crate::problem::{MOST_PROBLEMS, Problem};
use crate::program::Instruction;
use crate::rules::System;
use crate::rules::lower::{Part, lower_marked};

/// What was found out about a book.
pub(super) enum Looked {
    Found(Found),
    /// The book cannot be played.
    Wrong(Problem),
    TooLarge,
}

pub(super) fn look(book: &Book, system: &System, budget: &Budget<'_>) -> Result<Looked, Stopped> {
    let marked = match lower_marked(book, system, budget) {
        Ok(marked) => marked,
        Err(CompileError::Stopped(stopped)) => return Err(stopped),
        Err(CompileError::Rules { section, message }) => {
            let span = book.sections.get(&section).map_or(0..0, |section| section.span.clone());
            let help = format!("it comes up in section {}", book.section_text(section));
            return Ok(Looked::Wrong(Problem::error(span, message).help(help)));
        }
        Err(_) => return Ok(Looked::TooLarge),
    };
    let program = &marked.program;
    let Some(found) = reached(program, &marked.ranges, budget)? else { return Ok(Looked::TooLarge) };
    let mut sections: BTreeSet<SectionNumber> = BTreeSet::from([book.start]);
    let mut leads_to: BTreeMap<SectionNumber, BTreeSet<SectionNumber>> = BTreeMap::new();
    let (mut ends, mut wins) = (BTreeSet::new(), BTreeSet::new());
    for (place, step) in program.places().zip(&program.steps) {
        if !found.is_reached(place) {
            continue;
        }
        let section = program.sections[place as usize];
        match step {
            Instruction::Enter { .. } => drop(sections.insert(section)),
            Instruction::Leave { section: to, .. } => drop(leads_to.entry(section).or_default().insert(*to)),
            Instruction::Death | Instruction::Stuck => drop(ends.insert(section)),
            Instruction::Victory => {
                ends.insert(section);
                wins.insert(section);
            }
            _ => {}
        }
        if found.stuck.contains(&place) {
            ends.insert(section);
        }
    }
    let mut problems = Vec::new();
    // A part of a block that is used in several places is possible if it is in one of them.
    let mut parts: BTreeMap<(usize, usize, Part), (bool, bool)> = BTreeMap::new();
    for mark in &marked.marks {
        let own = parts.entry((mark.span.start, mark.span.end, mark.part)).or_default();
        own.0 |= found.is_reached(mark.around);
        own.1 |= found.is_reached(mark.place);
    }
    for ((start, end, part), _) in parts.into_iter().filter(|(_, possible)| *possible == (true, false)) {
        problems.push(never(part, start..end));
    }
    let mut asked: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (place, span) in &marked.questions {
        let stuck = matches!(program.steps[*place as usize], Instruction::Stuck) || found.stuck.contains(place);
        if stuck && found.is_reached(*place) && asked.insert((span.start, span.end)) {
            let problem = Problem::warning(span.clone(), "a hero may find none of these choices possible");
            problems.push(problem.help("he would be stuck: add a choice for him"));
        }
    }
    problems.truncate(MOST_PROBLEMS);
    Ok(Looked::Found(Found { reached: sections, leads_to, ends, wins, problems }))
}

fn never(part: Part, span: Range<usize>) -> Problem {
    let (message, help) = match part {
        Part::Branch => {
            ("this branch is never taken", "whoever comes here fails its condition, or is caught by a branch before it")
        }
        Part::Else => ("this `else` is never reached", "whoever comes here fulfils one of the conditions before it"),
        Part::Choice => ("no hero can ever take this choice", "whoever comes here fails what it requires"),
        Part::Case => ("this case never comes up", "no sum and no hero who comes here can fulfil it"),
    };
    Problem::warning(span, message).help(help)
}
