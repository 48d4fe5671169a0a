//! What the player need not remember in a relaxed game.

use super::Book;
use crate::terms::SectionNumber;

/// A number that the player need not remember. Such a relaxed game is won at least as often.
///
/// ```
/// use gamebook::{Question, Solved, read, read_forgets};
/// use mdp::{ExploreOptions, ratio};
///
/// let (book, _) = read(r#"
///     book "Bridge" format=1 rules="lone-wolf"
///     start 1
///     goal 4
///     hero { combat-skill 15; endurance 25; gold 3; }
///     section 1 { pick { when 0 4 { goto 2; }; else { lose gold 1; goto 2; }; }; }
///     section 2 { choice "pay" { require "gold >= 3"; goto 4; }; choice "swim" { goto 3; }; }
///     section 3 { pick { when 0 1 { goto 4; }; else { death; }; }; }
///     section 4 { victory; }
/// "#)?;
/// let mut question = Question { exact: true, ..Question::new(&book) };
/// let win = |question: &Question| Solved::new(&book, question, &ExploreOptions::default()).map(|own| own.win().exact);
/// assert_eq!(win(&question)?, Some(ratio(6, 10)));
/// question.situation.forgets = read_forgets(&book, ["gold@2"])?;
/// assert_eq!(win(&question)?, Some(ratio(1, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forget {
    /// An item, `gold`, a flag, a counter, or a variable of a system of rules.
    pub name: String,
    /// The section from which on it is forgotten, wherever that leads; `None` for the whole book.
    pub from: Option<SectionNumber>,
}

impl Forget {
    /// Its description: `gold from 67 on`.
    pub fn text(&self, book: &Book) -> String {
        let from = self.from.map(|section| format!(" from {} on", book.section_text(section))).unwrap_or_default();
        format!("{}{from}", self.name)
    }
}
