//! Readers who do not play best: how they fare, exactly.

use std::fmt;
use std::str::FromStr;

use budget::Budget;
use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, Value, explore, solve};

use crate::book::Book;
use crate::journey::{Journey, followed};
use crate::machine::{Machine, Move, Situation};
use crate::solved::{Question, SolveBookError};
use crate::state::State;

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

/// The whole game, as a reader plays it. Nothing in it presumes best play.
struct Read<'m> {
    whole: &'m Machine,
    reader: Reader,
    /// Sections that are entered are counted, and nothing else pays.
    counts: bool,
}

impl Game for Read<'_> {
    type State = State;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.whole.first())]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State>) {
        if self.counts {
            if Machine::end(state).is_some() {
                turn.end(0);
                return;
            }
            if self.whole.enters(state) {
                turn.earn(1);
            }
        }
        match self.reader {
            Reader::Random => self.whole.follow_all(state, turn),
            Reader::Bold => self.whole.follow_one(state, turn, &|_, _: &[Move]| 0),
            Reader::Cautious => self.whole.follow_one(state, turn, &|_, moves: &[Move]| moves.len().saturating_sub(1)),
        }
    }
}

/// How a reader fares.
#[derive(Clone, Debug)]
pub struct Fares {
    /// Where his play leads; play without end is not won.
    pub journey: Journey,
    /// How many sections he enters on the average, that of the start included; `None` where play may never end.
    pub length: Option<Value>,
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
    /// assert_eq!(fares.length.and_then(|length| length.exact), Some(ratio(2, 1)));
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
        let situation = Situation { every_question: true, ..question.situation.clone() };
        let asked = Question { situation, ..question.clone() };
        let machine = asked.machine(book, options.budget.unwrap_or(&own))?;
        let whole = machine.whole(true);
        let game = Read { whole: &whole, reader: self, counts: false };
        let journey = followed(&game, &whole, question.exact, options)?;
        let counted = explore(&Read { counts: true, ..game }, options)?;
        let length = solve(counted.model(), &SolveOptions::from(*options).with_exact(question.exact));
        let length = match length {
            Ok(length) => Some(length.value_of(&counted.starts()[0])),
            Err(error) if error.stopped().is_some() => return Err(error.into()),
            // What goes round for ever enters sections without end.
            Err(_) => None,
        };
        Ok(Fares { journey, length })
    }
}
