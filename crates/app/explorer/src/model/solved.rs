//! A solved model or game, state by state, whatever its states are.

use crate::question::{Problem, Run};
use mdp::{Distribution, Number, Rational, Standing, Value, enclose, exactly};

/// What was solved.
pub trait Solved: Send + Sync {
    /// How many states, choices and outcomes of choices there are.
    fn counts(&self) -> [u64; 3];

    /// Whether values are exact.
    fn is_exact(&self) -> bool;

    /// How many starts there are.
    fn starts(&self) -> usize;

    /// A start: the states in which play can begin. `None` where there are fewer starts.
    fn start(&self, start: usize) -> Option<Distribution<u32>>;

    /// A state in words.
    fn described(&self, state: u32) -> String;

    /// How play is over in a state; `None` where it goes on.
    fn end(&self, state: u32) -> Option<End>;

    /// What a state is worth; `None`: infinite.
    fn value(&self, state: u32) -> Option<Value>;

    /// How many choices a state has where play goes on.
    fn choices(&self, state: u32) -> u32;

    /// What the choices of a state are called, in order.
    fn names(&self, state: u32) -> Vec<Option<String>>;

    /// What a choice earns at once.
    fn earns(&self, state: u32, choice: u32) -> Rational;

    /// Where a choice can lead.
    fn outcomes(&self, state: u32, choice: u32) -> Result<Distribution<u32>, Problem>;

    /// What a choice is worth, if play is best from there on.
    fn worth(&self, state: u32, choice: u32) -> Worth;

    /// Whether [`Self::advise`] can take long in this state.
    fn is_open(&self, state: u32) -> bool;

    /// All choices of a state, the one to take first. Choices whose bounds overlap are compared exactly.
    fn advise(&self, state: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem>;
}

/// A choice and its value.
pub struct Advised {
    pub choice: u32,
    pub worth: Worth,
    pub standing: Standing,
}

/// The value of a state or of a choice.
#[derive(Clone, Debug)]
pub enum Worth {
    Value(Value),
    Infinite,
    /// The solution does not have it.
    Unknown,
}

impl From<Option<Value>> for Worth {
    /// `None`: infinite.
    fn from(value: Option<Value>) -> Self {
        value.map_or(Self::Infinite, Self::Value)
    }
}

impl Worth {
    /// The value of a walk that has earned this much before.
    pub fn after(self, earned: &Rational) -> Self {
        match self {
            Self::Value(value) => Self::Value(plus(value, earned)),
            other => other,
        }
    }
}

fn plus(value: Value, earned: &Rational) -> Value {
    if *earned == Rational::ZERO {
        return value;
    }
    if let Some(exact) = value.exact {
        return Value::exactly(exact + earned);
    }
    let lower = exactly(value.lower).map_or(f64::NEG_INFINITY, |lower| enclose(&(lower + earned)).0);
    let upper = exactly(value.upper).map_or(f64::INFINITY, |upper| enclose(&(upper + earned)).1);
    Value { lower, upper, exact: None }
}

/// An end of play.
pub struct End {
    pub text: String,
    /// The payoffs of a game, in order.
    pub pays: Vec<Number>,
}
