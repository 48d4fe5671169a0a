//! Sections looked for: by number or name, or by what they speak of.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::{Book, Mention, MentionKind, SectionNumber};
use serde::{Deserialize, Serialize};

use crate::ask::Question;
use crate::jobs::Run;
use crate::library::{Library, OfferedBook};
use crate::problem::Problem;

/// The longest text that is looked for, in bytes.
const LONGEST: usize = 200;
/// So many sections are told; `left_out` counts the others.
const MOST_FOUND: usize = 50;
/// So many reasons are told of each of them.
const MOST_REASONS: usize = 6;

/// Which sections are called so, or speak of it?
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

/// A text as it is compared: names have dashes where people write blanks.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(['-', '_'], " ")
}

/// What can be looked for in a book, as it is compared.
#[derive(Debug)]
pub struct Index {
    sections: BTreeMap<SectionNumber, Vec<(String, Mention)>>,
}

impl Index {
    pub fn new(book: &Book) -> Self {
        let mentions = |section: SectionNumber| {
            book.mentions(section).into_iter().map(|mention| (plain(&mention.text), mention)).collect()
        };
        Self { sections: book.sections.keys().map(|section| (*section, mentions(*section))).collect() }
    }

    /// Sections that are called so, then those of which a part of the name is so, then those that speak of it.
    fn find(&self, book: &Book, text: &str) -> FindAnswer {
        let (text, mut found) = (plain(text.trim()), Vec::new());
        let words: Vec<&str> = text.split_whitespace().collect();
        let holds = |own: &str| words.iter().all(|word| own.contains(word));
        let called = |section: &SectionNumber| plain(&book.section_text(*section));
        let named = |section: &SectionNumber| book.name_of(*section).is_some() && holds(&called(section));
        let mut told = BTreeSet::new();
        let sections = || self.sections.keys();
        for section in sections().filter(|own| called(own) == text).chain(sections().filter(|own| named(own))) {
            if told.insert(*section) {
                found.push((*section, Vec::new()));
            }
        }
        for (section, mentions) in &self.sections {
            let why: Vec<Why> = mentions.iter().filter(|(own, _)| holds(own)).map(|(_, own)| own.into()).collect();
            if !why.is_empty() && told.insert(*section) {
                found.push((*section, why));
            }
        }
        let left_out = found.len().saturating_sub(MOST_FOUND);
        let told = found.into_iter().take(MOST_FOUND).map(|(section, mut why)| {
            why.truncate(MOST_REASONS);
            Found { section, name: book.name_of(section).map(String::from), why }
        });
        FindAnswer { format: 1, found: told.collect(), left_out }
    }
}

impl FindQuestion {
    fn find(&self, offered: &OfferedBook) -> FindAnswer {
        offered.index().find(&offered.book, &self.text)
    }
}

impl Question for FindQuestion {
    type Answer = FindAnswer;

    fn check(&self, library: &Library) -> Result<(), Problem> {
        library.book(&self.book)?;
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

    fn answer(&self, _: &Run<'_>, library: &Library) -> Result<FindAnswer, Problem> {
        Ok(self.find(library.book(&self.book)?))
    }
}
