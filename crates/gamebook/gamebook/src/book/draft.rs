//! Unfinished parts of a book.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use serde_json::{Map, Value, json};

/// The unfinished parts of a book: while there are any, its odds are those of the draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The number of `todo`s, including those that play never reaches.
    pub todos: usize,
    /// The number of sections that are only named by `stub`.
    pub stubs: usize,
}

impl Draft {
    /// Whether anything is unfinished.
    pub fn is_unfinished(self) -> bool {
        self != Self::default()
    }

    /// A warning to show with odds of the book; `None` if it is finished.
    ///
    /// ```
    /// use gamebook::Draft;
    /// assert_eq!(Draft::default().warning(), None);
    /// assert_eq!(Draft { todos: 2, stubs: 0 }.warning().unwrap(), "draft: 2 todos; these odds are not the book's");
    /// ```
    pub fn warning(self) -> Option<String> {
        self.is_unfinished().then(|| format!("draft: {self}; these odds are not the book's"))
    }

    /// The fields for answers in JSON: `draft` (true), `todos` and `stubs`; none if the book is finished.
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
