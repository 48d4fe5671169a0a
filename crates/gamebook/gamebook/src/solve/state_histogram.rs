//! Histograms of states by section, for books that have too many.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::advanced::explore_prefix;
use rustc_hash::FxHashSet;

use super::question::Question;
use super::solve_error::SolveBookError;
use crate::book::Book;
use crate::machine::Machine;
use crate::program::State;
use crate::terms::SectionNumber;

/// The distribution of a book's states over sections, from a prefix of the exploration.
#[derive(Clone, Debug)]
pub struct StateHistogram {
    /// The number of states explored, in breadth-first order.
    pub looked_at: usize,
    /// The sections with most states, largest first.
    pub sections: Vec<SectionStates>,
}

/// A section with many states.
#[derive(Clone, Debug)]
pub struct SectionStates {
    /// The section. Equivalent sections share their states, which count for one of them.
    pub section: SectionNumber,
    /// The number of its states.
    pub situations: usize,
    /// The numbers that multiply its states: each with the factor by which there would be fewer states without it, largest
    /// first.
    pub multiplied_by: Vec<(String, f64)>,
}

impl StateHistogram {
    /// Explores a prefix of a book's states.
    ///
    /// ```
    /// use budget::Budget;
    /// use gamebook::{StateHistogram, Question, read};
    ///
    /// let text = r#"
    ///     book "Mine" format=1 system="none"
    ///     start 1
    ///     counter ore max=50
    ///     section 1 {
    ///         choice "dig" { roll d6 as=r; ore "r"; goto 1; }
    ///         choice "go home" { roll d100 as=r { when "r <= ore" { victory; }; else { death; }; }; }
    ///     }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let histogram = StateHistogram::new(&book, &Question::new(&book), &Budget::unlimited())?;
    /// assert_eq!(histogram.sections[0].section, 1);
    /// let (what, times) = &histogram.sections[0].multiplied_by[0];
    /// assert_eq!(what, "ore");
    /// assert!(*times > 10.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Question::machine`], or if the budget is exhausted.
    pub fn new(book: &Book, question: &Question, budget: &Budget<'_>) -> Result<Self, SolveBookError> {
        /// Enough to see the factors, few enough for a moment.
        const LOOKED_AT: usize = 100_000;
        const SECTIONS: usize = 5;
        let machine = question.machine(book, budget)?;
        let most = usize::try_from(budget.limits().max_states).unwrap_or(LOOKED_AT).min(LOOKED_AT);
        let found = explore_prefix(&machine, most, budget)?;
        let mut sections: BTreeMap<SectionNumber, Vec<State>> = BTreeMap::new();
        for state in found.iter().filter(|state| Machine::end(state).is_none()) {
            sections.entry(machine.section(state)).or_default().push(*state);
        }
        let mut sections: Vec<(SectionNumber, Vec<State>)> = sections.into_iter().collect();
        sections.sort_by_key(|(_, states)| std::cmp::Reverse(states.len()));
        sections.truncate(SECTIONS);
        let section_states = |(section, states): (SectionNumber, Vec<State>)| SectionStates {
            section,
            situations: states.len(),
            multiplied_by: multiplied_by(&machine, &states),
        };
        Ok(Self { looked_at: found.len(), sections: sections.into_iter().map(section_states).collect() })
    }
}

/// For each register that distinguishes states, the factor by which there would be fewer without it.
fn multiplied_by(machine: &Machine, states: &[State]) -> Vec<(String, f64)> {
    /// Smaller factors are not listed.
    const LEAST: f64 = 1.2;
    const MOST_LISTED: usize = 5;
    let layout = &machine.program.layout;
    // Far fewer than 2^32 states are explored.
    let count = |states: usize| f64::from(u32::try_from(states).unwrap_or(u32::MAX));
    let mut found = Vec::new();
    for register in 0..layout.registers() {
        let Ok(register) = u8::try_from(register) else { break };
        let mask = layout.mask(register);
        let without: FxHashSet<State> =
            states.iter().map(|state| state.with(&mask, &State::default().at(state.place()))).collect();
        let times = count(states.len()) / count(without.len().max(1));
        if times >= LEAST {
            found.push((layout.name(register).to_owned(), times));
        }
    }
    found.sort_by(|left, right| right.1.total_cmp(&left.1));
    found.truncate(MOST_LISTED);
    found
}
