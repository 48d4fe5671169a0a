//! What is left to write in a book.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use serde_json::{Map, Value, json};

/// What is left to do in a book: as long as there is anything, its odds are those of the draft and not of the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// How many `todo`s it has, those included to which no play comes.
    pub todos: usize,
    /// How many of its sections are only named, by `stub`.
    pub stubs: usize,
}

impl Draft {
    /// Whether anything is left to do.
    pub fn is_unfinished(self) -> bool {
        self != Self::default()
    }

    /// What is to be warning wherever odds of the book are fields; nothing of a book that is finished.
    ///
    /// ```
    /// use gamebook::Draft;
    /// assert_eq!(Draft::default().warning(), None);
    /// assert_eq!(Draft { todos: 2, stubs: 0 }.warning().unwrap(), "draft: 2 todos; these odds are not the book's");
    /// ```
    pub fn warning(self) -> Option<String> {
        self.is_unfinished().then(|| format!("draft: {self}; these odds are not the book's"))
    }

    /// What an answer in JSON says of it: `draft` (true), `todos` and `stubs`; nothing of a book that is finished.
    pub fn fields(self) -> Map<String, Value> {
        let fields = [("draft", json!(true)), ("todos", json!(self.todos)), ("stubs", json!(self.stubs))];
        fields.into_iter().filter(|_| self.is_unfinished()).map(|(name, value)| (name.into(), value)).collect()
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = if self.stubs == 1 { "section" } else { "sections" };
        match (self.todos, self.stubs) {
            (todos, 0) => write!(f, "{todos} todo{}", if todos == 1 { "" } else { "s" }),
            (0, stubs) => write!(f, "{stubs} {sections} not written yet"),
            (todos, stubs) => {
                write!(f, "{}, {stubs} {sections} not written yet", Self { todos, stubs: 0 })
            }
        }
    }
}

impl AddAssign for Draft {
    fn add_assign(&mut self, other: Self) {
        self.todos += other.todos;
        self.stubs += other.stubs;
    }
}

impl Sum for Draft {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, own| {
            sum += own;
            sum
        })
    }
}
