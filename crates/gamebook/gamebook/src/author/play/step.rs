//! Steps of a play as words, for recording and replaying plays.

use std::fmt;
use std::str::FromStr;

use super::chance::Rolled;
use super::{Phase, Play, PlayError};
use crate::book::Book;

/// A step of a play.
///
/// ```
/// use gamebook::{Rolled, Step};
///
/// assert_eq!("2".parse(), Ok(Step::Answer(1)));
/// assert_eq!("p3.8".parse(), Ok(Step::Rolled(Rolled::Numbers(vec![3, 8]))));
/// assert_eq!("gold:5;rope:1".parse(), Ok(Step::Correct(vec![("gold".into(), 5), ("rope".into(), 1)])));
/// assert_eq!(Step::Rolled(Rolled::Dice(vec![6, 1])).to_string(), "d6.1");
/// assert!("p3,8".parse::<Step>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The answer with this index from 0; written from 1: `2`.
    Answer(usize),
    /// The outcome of a chance: `p3.8` picked numbers, `d6.1` dice, `s7` their sums, `o2` an outcome, counted from 1.
    Rolled(Rolled),
    /// Corrections of numbers on the hero's sheet: `gold:5;rope:1`.
    Correct(Vec<(String, i32)>),
}

/// A word that is not a step of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStep(String);

impl fmt::Display for NoStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word: String = self.0.chars().take(40).collect();
        write!(f, "`{word}` is not a step of a play: write 2 for an answer, p3.8, d6.1, s7 or o2 for chance, gold:5")
    }
}

impl std::error::Error for NoStep {}

/// Parses `3.8`.
fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split('.').map(|part| part.parse().ok()).collect()
}

/// Formats `3.8`.
fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

impl FromStr for Step {
    type Err = NoStep;

    fn from_str(word: &str) -> Result<Self, NoStep> {
        let wrong = || NoStep(word.into());
        if word.contains(':') {
            let change = |part: &str| {
                let (name, number) = part.split_once(':')?;
                Some((name.to_owned(), number.parse().ok()?)).filter(|(name, _)| !name.is_empty())
            };
            return word.split(';').map(change).collect::<Option<_>>().map(Self::Correct).ok_or_else(wrong);
        }
        let from_one = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let step = match word.chars().next() {
            Some('p') => numbers(&word[1..]).map(Rolled::Numbers).map(Self::Rolled),
            Some('d') => numbers(&word[1..]).map(Rolled::Dice).map(Self::Rolled),
            Some('s') => numbers(&word[1..]).map(Rolled::Sums).map(Self::Rolled),
            Some('o') => from_one(&word[1..]).map(Rolled::Outcome).map(Self::Rolled),
            _ => from_one(word).map(Self::Answer),
        };
        step.ok_or_else(wrong)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(answer) => write!(f, "{}", answer + 1),
            Self::Rolled(Rolled::Numbers(numbers)) => write!(f, "p{}", joined(numbers)),
            Self::Rolled(Rolled::Dice(shown)) => write!(f, "d{}", joined(shown)),
            Self::Rolled(Rolled::Sums(sums)) => write!(f, "s{}", joined(sums)),
            Self::Rolled(Rolled::Outcome(place)) => write!(f, "o{}", place + 1),
            Self::Correct(changes) => {
                let changes: Vec<String> = changes.iter().map(|(name, number)| format!("{name}:{number}")).collect();
                f.write_str(&changes.join(";"))
            }
        }
    }
}

impl Play<'_> {
    /// Takes a step, and describes it in words.
    ///
    /// # Errors
    /// If the step is impossible now. A correction starts another play ([`corrected`](Self::corrected)), so it is rejected.
    pub fn take(&mut self, book: &Book, step: &Step) -> Result<String, PlayError> {
        let text = match step {
            Step::Answer(answer) => self.answers().into_iter().nth(*answer).map(|(label, _)| label),
            Step::Rolled(rolled) => self.chance().map(|chance| chance.came(book, self.fight().as_ref(), rolled)),
            Step::Correct(_) => None,
        };
        self.go_on(step)?;
        Ok(text.unwrap_or_default())
    }

    /// The same without a description.
    pub(crate) fn go_on(&mut self, step: &Step) -> Result<(), PlayError> {
        match step {
            Step::Answer(answer) => self.answer(*answer),
            Step::Rolled(rolled) => self.bring(rolled),
            Step::Correct(_) => Err(PlayError::NoQuestion),
        }
    }

    /// Whether the hero is in a fight.
    pub fn is_fighting(&self) -> bool {
        !matches!(self.phase(), Phase::Over(_)) && (self.fight().is_some() || !self.enemies().is_empty())
    }

    /// Takes the next step of a fight automatically: dice are rolled, and optimal play answers. `None` outside of fights, or if
    /// an answer is needed and there are no hints.
    pub fn fight_on(&mut self) -> Option<Step> {
        if !self.is_fighting() {
            return None;
        }
        if self.phase() == Phase::Chance {
            return self.roll().ok().map(Step::Rolled);
        }
        let best = self.best()?;
        self.answer(best).ok()?;
        Some(Step::Answer(best))
    }
}
