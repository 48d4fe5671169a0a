//! The search for sections: by number, by name, or by what they mention.

use gamebook::{Mention, MentionKind, SectionNumber};
use serde::{Deserialize, Serialize};

use super::registry::{Gamebooks, OfferedBook};
use crate::question::{Problem, Question, Run};

/// The longest text to search for, in bytes.
const LONGEST: usize = 200;
/// The most sections in an answer; `left_out` counts the others.
const MOST_FOUND: usize = 50;
/// The most reasons for each of them.
const MOST_REASONS: usize = 6;

/// Asks which sections have a name or mention something.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindQuestion {
    #[serde(default)]
    book: String,
    /// Words, all of which must be found together.
    text: String,
}

/// The sections that were found.
#[derive(Serialize)]
pub struct FindAnswer {
    format: u32,
    found: Vec<Found>,
    /// Sections beyond those listed.
    left_out: usize,
}

#[derive(Serialize)]
struct Found {
    section: SectionNumber,
    /// Its name, where it has one in place of a number.
    name: Option<String>,
    /// Why it was found; empty where it is called so.
    why: Vec<Why>,
}

#[derive(Serialize)]
struct Why {
    /// `enemy`, `choice`, `gain`, `loss`, `demand`, `note` or `death`.
    kind: &'static str,
    text: String,
}

impl From<&Mention> for Why {
    fn from(mention: &Mention) -> Self {
        let kind = match mention.kind {
            MentionKind::Enemy => "enemy",
            MentionKind::Choice => "choice",
            MentionKind::Gain => "gain",
            MentionKind::Loss => "loss",
            MentionKind::Demand => "demand",
            MentionKind::Note => "note",
            MentionKind::Death => "death",
        };
        Self { kind, text: mention.text.clone() }
    }
}

impl FindQuestion {
    fn find(&self, offered: &OfferedBook) -> FindAnswer {
        let found = offered.index().find(&offered.book, &self.text);
        let left_out = found.len().saturating_sub(MOST_FOUND);
        let listed = found.into_iter().take(MOST_FOUND).map(|(section, why)| Found {
            section,
            name: offered.book.name_of(section).map(String::from),
            why: why.into_iter().take(MOST_REASONS).map(Why::from).collect(),
        });
        FindAnswer { format: 1, found: listed.collect(), left_out }
    }
}

impl Question for FindQuestion {
    type Context = Gamebooks;
    type Answer = FindAnswer;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        gamebooks.book(&self.book)?;
        if self.text.trim().is_empty() {
            return Err(Problem::impossible("nothing is looked for", "say a number, or a few words"));
        }
        if self.text.len() > LONGEST {
            let message = format_args!("a text of {} bytes", self.text.len());
            return Err(Problem::impossible(message, format_args!("say at most {LONGEST}")));
        }
        Ok(())
    }

    fn is_small(&self) -> bool {
        true
    }

    fn answer(&self, _: &Run<'_>, gamebooks: &Gamebooks) -> Result<FindAnswer, Problem> {
        Ok(self.find(gamebooks.book(&self.book)?))
    }
}
