//! Unfinished parts of a book, and what it assumes.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use serde_json::{Map, Value, json};

/// The unfinished parts of a book: while there are any, its odds are those of the draft. And what it assumes: where that does
/// not hold, its odds are not those of the story that it was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The number of `todo`s, including those that play never reaches.
    pub todos: usize,
    /// The number of sections that are only named by `stub`.
    pub stubs: usize,
    /// The number of counters whose bounds are assumed.
    pub assumed: usize,
}

impl Draft {
    /// Whether anything is unfinished.
    pub fn is_unfinished(self) -> bool {
        self.todos + self.stubs > 0
    }

    /// A warning to show with odds of the book; `None` if it is finished and assumes nothing.
    ///
    /// ```
    /// use gamebook::Draft;
    /// assert_eq!(Draft::default().warning(), None);
    /// let draft = Draft { todos: 2, ..Draft::default() };
    /// assert_eq!(draft.warning().unwrap(), "draft: 2 todos; these odds are not the book's");
    /// let assuming = Draft { assumed: 1, ..Draft::default() };
    /// assert_eq!(assuming.warning().unwrap(), "the bounds of 1 counter are assumed: these odds hold where play stays within them");
    /// ```
    pub fn warning(self) -> Option<String> {
        match self {
            Self { todos: 0, stubs: 0, assumed: 0 } => None,
            Self { todos: 0, stubs: 0, assumed } => {
                let counters = if assumed == 1 { "counter are" } else { "counters are" };
                Some(format!(
                    "the bounds of {assumed} {counters} assumed: these odds hold where play stays within them"
                ))
            }
            _ => Some(format!("draft: {self}; these odds are not the book's")),
        }
    }

    /// The fields for answers in JSON: `draft` (true), `todos` and `stubs`, unless the book is finished; `assumed`, if it assumes
    /// anything.
    pub fn fields(self) -> Map<String, Value> {
        let unfinished = [("draft", json!(true)), ("todos", json!(self.todos)), ("stubs", json!(self.stubs))];
        let unfinished = unfinished.into_iter().filter(|_| self.is_unfinished());
        let assumed = (self.assumed > 0).then(|| ("assumed", json!(self.assumed)));
        unfinished.chain(assumed).map(|(name, value)| (name.into(), value)).collect()
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = if self.stubs == 1 { "section" } else { "sections" };
        match (self.todos, self.stubs) {
            (todos, 0) => write!(f, "{todos} todo{}", if todos == 1 { "" } else { "s" }),
            (0, stubs) => write!(f, "{stubs} {sections} not written yet"),
            (_, stubs) => {
                write!(f, "{}, {stubs} {sections} not written yet", Self { stubs: 0, ..*self })
            }
        }
    }
}

impl AddAssign for Draft {
    fn add_assign(&mut self, other: Self) {
        self.todos += other.todos;
        self.stubs += other.stubs;
        self.assumed += other.assumed;
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
