//! Findings about a book with a system of rules, from its program.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use budget::{Budget, Stopped};

use super::found::Found;
use super::key::Key;
use super::ranges::{Bounds, Reached, range, reached};
use super::sign_errors;
use super::walks::Who;
use crate::book::{Book, System};
use crate::lower::{CompileError, Marked, Part, lower_marked};
use crate::program::{Instruction, Label, Program, Register, Value};
use crate::solve::Question;
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::{Operator, SectionNumber};

/// The program of a book for all heroes.
pub(super) enum Lowered {
    Marked(Box<Marked>),
    /// The book is invalid.
    Wrong(Problem),
    TooLarge,
}

pub(super) fn lowered(book: &Book, system: &System, budget: &Budget<'_>) -> Result<Lowered, Stopped> {
    match lower_marked(book, system, budget) {
        Ok(marked) => Ok(Lowered::Marked(Box::new(marked))),
        Err(CompileError::Stopped(stopped)) => Err(stopped),
        Err(CompileError::Rules { section, message }) => {
            let span = book.sections.get(&section).map_or(0..0, |section| section.span.clone());
            let help = format!("it comes up in section {}", book.section_text(section));
            Ok(Lowered::Wrong(Problem::error(span, message).help(help)))
        }
        Err(_) => Ok(Lowered::TooLarge),
    }
}

/// The propagation of heroes through a program.
pub(super) struct Walk<'m> {
    pub(super) book: &'m Book,
    marked: &'m Marked,
    budget: &'m Budget<'m>,
    /// Their ranges at the start.
    sets_out: Vec<Bounds>,
}

impl<'m> Walk<'m> {
    /// For all heroes, or for one.
    pub(super) fn new(book: &'m Book, marked: &'m Marked, question: Option<&Question>, budget: &'m Budget<'m>) -> Self {
        let mut sets_out = marked.ranges.clone();
        if let Some(question) = question {
            let variables = book.system.iter().flat_map(|system| &system.variables);
            for (own, (variable, bounds)) in variables.zip(&mut sets_out).enumerate() {
                let number = question.value_of(own).unwrap_or(variable.start);
                *bounds = (number, number);
            }
        }
        Self { book, marked, budget, sets_out }
    }

    /// The reachable places; `None` if the program is too large.
    pub(super) fn reached(&self) -> Result<Option<Reached>, Stopped> {
        let program = &self.marked.program;
        reached(program, &[(program.start, &self.sets_out)], None, self.budget)
    }

    /// Whether any hero who enters a section may still win; true if that is not decided.
    pub(super) fn may_win(&self, found: &Reached, section: SectionNumber) -> Result<bool, Stopped> {
        let program = &self.marked.program;
        let enters = |place: &Label| {
            program.sections[*place as usize] == section
                && matches!(program.steps[*place as usize], Instruction::Enter { .. })
        };
        let from: Vec<_> =
            program.places().filter(enters).filter_map(|place| Some((place, found.at(place)?))).collect();
        let Some(on) = reached(program, &from, Some(&Instruction::Victory), self.budget)? else { return Ok(true) };
        Ok(from.is_empty() || program.places().any(|place| on.is_reached(place) && wins(program, place)))
    }

    /// The keys that heroes get who start with any amount of some keys and without others.
    pub(super) fn gets(&self, with: &BTreeSet<Key>, without: &BTreeSet<Key>) -> Result<Option<BTreeSet<Key>>, Stopped> {
        let program = &self.marked.program;
        let mut sets_out = self.sets_out.clone();
        for key in with {
            if let Key::Own(own) = key
                && let Some(bounds) = sets_out.get_mut(*own)
            {
                let most = program.layout.range(Register::try_from(*own).unwrap_or(Register::MAX)).1;
                *bounds = (0, if without.contains(key) { 0 } else { most });
            }
        }
        let Some(found) = reached(program, &[(program.start, &sets_out)], None, self.budget)? else { return Ok(None) };
        let mut got = BTreeSet::new();
        for (place, step) in program.places().zip(&program.steps) {
            let Some(bounds) = found.at(place) else { continue };
            step.ways(place, &mut |way| {
                let gets = way.sets.iter().filter(|(register, value)| gives(value, *register, bounds));
                got.extend(gets.map(|(register, _)| Key::Own(usize::from(*register))));
            });
        }
        Ok(Some(got))
    }

    /// The findings about the book.
    pub(super) fn found(&self, reached: &Reached, who: Who) -> Found {
        let (book, marked) = (self.book, self.marked);
        let program = &marked.program;
        let mut sections: BTreeSet<SectionNumber> = BTreeSet::from([book.start]);
        let mut leads_to: BTreeMap<SectionNumber, BTreeSet<SectionNumber>> = BTreeMap::new();
        let (mut ends, mut wins) = (BTreeSet::new(), BTreeSet::new());
        for (place, step) in program.places().zip(&program.steps) {
            if !reached.is_reached(place) {
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
            if reached.stuck.contains(&place) {
                ends.insert(section);
            }
        }
        let mut problems = Vec::new();
        // A part of a block that is used in several places is possible if it is possible in one of them.
        let mut parts: BTreeMap<(usize, usize, Part), (bool, bool)> = BTreeMap::new();
        for mark in &marked.marks {
            let own = parts.entry((mark.span.start, mark.span.end, mark.part)).or_default();
            own.0 |= reached.is_reached(mark.around);
            own.1 |= reached.is_reached(mark.place);
        }
        for ((start, end, part), _) in parts.into_iter().filter(|(_, possible)| *possible == (true, false)) {
            problems.push(never(part, start..end));
        }
        let mut asked: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (place, span) in &marked.questions {
            let stuck = matches!(program.steps[*place as usize], Instruction::Stuck) || reached.stuck.contains(place);
            if stuck && reached.is_reached(*place) && asked.insert((span.start, span.end)) {
                let problem = Problem::warning(span.clone(), "a hero may find none of these choices possible");
                problems.push(problem.help("he would be stuck: add a choice for him"));
            }
        }
        for (place, value, span) in &marked.losses {
            let change = reached.at(*place).map(|bounds| range(value, bounds));
            problems.extend(change.and_then(|change| sign_errors::healing(span, change)));
        }
        problems.truncate(MOST_PROBLEMS);
        if who == Who::This {
            // Errors for all heroes are reported for all heroes only.
            problems.clear();
        }
        Found { reached: sections, leads_to, ends, wins, problems }
    }
}

/// Whether play is won at a place.
fn wins(program: &Program, place: Label) -> bool {
    program.steps[place as usize] == Instruction::Victory
}

/// Whether an assignment gives something: it is not part of what was there.
fn gives(value: &Value, register: Register, bounds: &[Bounds]) -> bool {
    match value {
        Value::Register(own) if *own == register => false,
        Value::Operation(Operator::Plus, left, right) if **left == Value::Register(register) => {
            range(right, bounds).1 > 0
        }
        Value::Operation(Operator::Minus, left, right) if **left == Value::Register(register) => {
            range(right, bounds).0 < 0
        }
        Value::Operation(Operator::Min | Operator::Max, left, right) => {
            gives(left, register, bounds) || gives(right, register, bounds)
        }
        value => range(value, bounds).1 > 0,
    }
}

fn never(part: Part, span: Range<usize>) -> Problem {
    let (message, help) = match part {
        Part::Branch => {
            ("this branch is never taken", "its condition never holds here, or an earlier branch always holds first")
        }
        Part::Else => ("this `else` is never reached", "one of the conditions before it always holds here"),
        Part::Choice => ("no hero can ever take this choice", "no hero who gets here meets its requirement"),
        Part::Case => ("this case never comes up", "no sum and no hero who gets here can meet it"),
    };
    Problem::warning(span, message).help(help)
}
