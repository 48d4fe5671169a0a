//! Readers who do not play optimally: their exact results.
//!
//! A reader is a policy that answers every question. The book is compiled with it, so the explored model is a Markov chain,
//! reduced by every pass that does not assume optimal play.

use std::fmt;
use std::str::FromStr;

use budget::Budget;
use mdp::ExploreOptions;

use super::journey::{Journey, followed};
use super::length::{Counted, Length, PolicyGame, counted};
use super::question::Question;
use super::solve_error::SolveBookError;
use crate::book::{Book, Condition, Policy, PolicyKind, PolicyRule, Situation};
use crate::machine::Machine;
use crate::passes::Analyses;

/// A reader who follows a simple rule wherever the policy leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Each possible answer is equally likely.
    Random,
    /// The first possible answer.
    Bold,
    /// The last possible answer.
    Cautious,
}

impl Reader {
    /// All readers, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 3] = [Self::Random, Self::Bold, Self::Cautious];
    /// The names of all readers.
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

/// The results of a reader.
#[derive(Clone, Debug)]
pub struct ReaderResult {
    /// The course of his play, without final possessions. A play that never ends is not won.
    pub journey: Journey,
    /// The number of sections that he enters, including the first; `None` if play may never end.
    pub length: Option<Length>,
}

impl Reader {
    /// The results of this reader in a book.
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
    /// let fares = Reader::Random.evaluate(&book, &question, &ExploreOptions::default())?;
    /// assert_eq!(fares.journey.win.exact, Some(ratio(1, 2)));
    /// assert_eq!(fares.length.and_then(|length| length.mean.exact), Some(ratio(2, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`](crate::Solved::new).
    pub fn evaluate(
        self,
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<ReaderResult, SolveBookError> {
        let own = Budget::default();
        let machine = self.machine(book, question, true, options.budget.unwrap_or(&own))?;
        let mut journey = followed(&PolicyGame::new(&machine, None), &machine, question.exact, options)?;
        journey.finals.clear();
        let length = counted(&PolicyGame::new(&machine, Some(Counted::Sections)), question.exact, options)?;
        Ok(ReaderResult { journey, length })
    }

    /// The number of rolls of this reader: picks, throws (of any number of dice), rounds of fights, and draws. `None` if it may
    /// be infinite.
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
        counted(&PolicyGame::new(&machine, Some(Counted::Rolls)), question.exact, options)
    }

    /// The book compiled with this reader's policy. `fold` says whether fights to the end are one chance or go round by round.
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
        // Results are by section, and deaths count.
        let analyses = Analyses { merge: false, hopeless: false, sure: false, fold, ..question.analyses };
        let machine = Question { situation, analyses, ..question.clone() }.machine(book, budget)?;
        Ok(machine.entering())
    }
}
