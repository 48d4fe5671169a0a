//! Reachability in a book, whatever is answered and rolled.

use std::collections::BTreeSet;

use budget::Budget;

use crate::book::Book;
use crate::passes::{Analyses, EndlessLoop, endless_loops, unwinnable};
use crate::program::{Edges, Instruction};
use crate::solve::{Question, SolveBookError};
use crate::terms::SectionNumber;

/// Reachability of sections.
pub(crate) struct Outlook {
    /// Sections that are unreachable, as far as flags and special items show.
    pub(crate) never_entered: Vec<SectionNumber>,
    /// Reachable sections from which no victory is reachable.
    pub(crate) unwinnable: Vec<SectionNumber>,
    pub(crate) loops: Vec<EndlessLoop>,
}

impl Question {
    pub(crate) fn outlook(&self, book: &Book, budget: &Budget<'_>) -> Result<Outlook, SolveBookError> {
        // Keeps all play, not only optimal play; places are specialized by possessions.
        let analyses = Analyses { merge: false, sure: false, ..Analyses::default() };
        let situation = crate::book::Situation { every_question: true, ..self.situation.clone() };
        let machine = Self { situation, analyses, ..self.clone() }.machine(book, budget)?;
        let program = &machine.program;
        let unwinnable = unwinnable(program, &Edges::successors(program).turned(budget)?, budget)?;
        let mut seen = vec![false; program.steps.len()];
        let mut open = vec![program.start];
        let (mut entered, mut winnable) = (BTreeSet::new(), BTreeSet::new());
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place as usize], true) {
                continue;
            }
            let step = &program.steps[place as usize];
            let section = program.sections[place as usize];
            if matches!(step, Instruction::Enter { .. } | Instruction::Victory) {
                entered.insert(section);
                if !unwinnable[place as usize] {
                    winnable.insert(section);
                }
            }
            step.successors(place, &mut open);
        }
        Ok(Outlook {
            never_entered: book.sections.keys().copied().filter(|own| !entered.contains(own)).collect(),
            unwinnable: entered.difference(&winnable).copied().collect(),
            loops: endless_loops(program, budget)?,
        })
    }
}
