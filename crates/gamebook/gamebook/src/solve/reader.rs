//! Readers who do not play best: how they fare, exactly.
//!
//! A reader is a policy that answers every question. The book is compiled with it, so what is explored is a chain, reduced by
//! every pass that does not assume best play.

use std::fmt;
use std::str::FromStr;

use budget::Budget;
use mdp::ExploreOptions;

use super::journey::{Journey, followed};
use super::length::{Counted, Followed, Length, counted};
use super::question::Question;
use super::solve_error::SolveBookError;
use crate::book::{Book, Condition, Policy, PolicyKind, PolicyRule, Situation};
use crate::machine::Machine;
use crate::passes::Analyses;

/// A reader who answers by a rule of his own whatever his policy leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Each answer that is listed is equally likely.
    Random,
    /// The first answer that is listed.
    Bold,
    /// The last answer that is listed.
    Cautious,
}

impl Reader {
    /// Each reader, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 3] = [Self::Random, Self::Bold, Self::Cautious];
    /// Each by name.
    pub const NAMES: [&'static str; 3] = ["random", "bold", "cautious"];
}

impl FromStr for Reader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "random" => Ok(Self::Random),
            "bold" => Ok(Self::Bold),
            "cautious" => Ok(Self::Cautious),
            _ => Err(format!("there is no reader `{text}`; there are {}", Self::NAMES.join(", "))),
        }
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Bold => "bold",
            Self::Cautious => "cautious",
        })
    }
}

/// How a reader fares.
#[derive(Clone, Debug)]
pub struct Fares {
    /// Where his play leads; play without end is not won. With what he wins is not kept.
    pub journey: Journey,
    /// How many sections he enters, that of the start included; `None` where play may never end.
    pub length: Option<Length>,
}

impl Reader {
    /// How this reader fares in a book.
    ///
    /// ```
    /// use gamebook::{Question, Reader, read};
    /// use mdp::{ExploreOptions, ratio};
    ///
    /// let text = r#"
    ///     book "Doors" format=1 system="none"
    ///     start 1
    ///     section 1 { choice "left" { goto 2; }; choice "right" { death "a pit"; }; choice "on" { goto 1; }; }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let question = Question { exact: true, ..Question::new(&book) };
    /// let fares = Reader::Random.fares(&book, &question, &ExploreOptions::default())?;
    /// assert_eq!(fares.journey.win.exact, Some(ratio(1, 2)));
    /// assert_eq!(fares.length.and_then(|length| length.mean.exact), Some(ratio(2, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`](crate::Solved::new).
    pub fn fares(
        self,
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Fares, SolveBookError> {
        let own = Budget::default();
        let machine = self.machine(book, question, true, options.budget.unwrap_or(&own))?;
        let mut journey = followed(&Followed::new(&machine, None), &machine, question.exact, options)?;
        journey.finals.clear();
        let length = counted(&Followed::new(&machine, Some(Counted::Sections)), question.exact, options)?;
        Ok(Fares { journey, length })
    }

    /// How often this reader rolls: picks, throws of dice (however many at once), rounds of fights, and what is drawn.
    /// `None` where that may go on for ever.
    ///
    /// # Errors
    /// As [`Solved::new`](crate::Solved::new).
    pub fn rolls(
        self,
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Option<Length>, SolveBookError> {
        let own = Budget::default();
        let machine = self.machine(book, question, false, options.budget.unwrap_or(&own))?;
        counted(&Followed::new(&machine, Some(Counted::Rolls)), question.exact, options)
    }

    /// The book as this reader plays it: nothing is asked in it. Fights to the end are one chance, or go round by round.
    pub(crate) fn machine(
        self,
        book: &Book,
        question: &Question,
        fold: bool,
        budget: &Budget<'_>,
    ) -> Result<Machine, SolveBookError> {
        let kind = match self {
            Self::Random => PolicyKind::Random,
            Self::Bold => PolicyKind::First,
            Self::Cautious => PolicyKind::Last,
        };
        let own = || Policy { name: self.to_string(), is_default: false, rules: Vec::new() };
        let mut policy = question.situation.policy.clone().unwrap_or_else(own);
        policy.rules.push(PolicyRule { kind, section: None, event: None, when: Condition::Constant(true), span: 0..0 });
        let situation = Situation { policy: Some(policy), every_question: true, ..question.situation.clone() };
        // Where sections are told apart, and where heroes die, is wanted.
        let analyses = Analyses { merge: false, hopeless: false, sure: false, fold, ..question.analyses };
        let machine = Question { situation, analyses, ..question.clone() }.machine(book, budget)?;
        Ok(machine.entering())
    }
}
