//! What is wrong with a book, and where.

use std::fmt;
use std::ops::Range;

use super::text_lines::Lines;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The book cannot be played.
    Error,
    /// The book can be played, but probably not as it was meant.
    Warning,
    /// Good to know; in a book of a series it may well be meant.
    Note,
}

/// One problem of a book file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// The bytes of the file that are meant.
    pub span: Range<usize>,
}

impl Problem {
    /// An error at a place.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), help: None, span }
    }

    /// A warning at a place.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into(), help: None, span }
    }

    /// A note at a place.
    pub fn note(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, message: message.into(), help: None, span }
    }

    /// The same with a suggestion.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The line and column (both from 1, in characters) where it begins in the text of the book.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = &text[..text.floor_char_boundary(self.span.start)];
        Lines::new(before).position(before, before.len())
    }
}

/// A book that cannot be used: everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.iter().filter(|problem| problem.severity == Severity::Error).count();
        write!(f, "{errors} error{} in the book", if errors == 1 { "" } else { "s" })?;
        match self.0.first() {
            Some(first) => write!(f, ", the first: {}", first.message),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problems {}

/// So many problems of one book are told.
pub(crate) const MOST_PROBLEMS: usize = 1000;

/// The problems found so far. Beyond [`MOST_PROBLEMS`] they are only counted.
#[derive(Debug, Default)]
pub(crate) struct ProblemList {
    list: Vec<Problem>,
    found: usize,
    errors: usize,
}

impl ProblemList {
    pub(crate) fn push(&mut self, problem: Problem) {
        self.found += 1;
        self.errors += usize::from(problem.severity == Severity::Error);
        if self.list.len() < MOST_PROBLEMS {
            self.list.push(problem);
        }
    }

    /// Those of what follows, too.
    pub(crate) fn append(&mut self, next: Self) {
        let room = MOST_PROBLEMS.saturating_sub(self.list.len());
        self.list.extend(next.list.into_iter().take(room));
        self.found += next.found;
        self.errors += next.errors;
    }

    /// How many were found.
    pub(crate) fn len(&self) -> usize {
        self.found
    }

    /// How many of them are errors.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Whether no more are told: then nothing more needs to be looked for.
    pub(crate) fn is_full(&self) -> bool {
        self.found >= MOST_PROBLEMS
    }

    /// In the order of the text, with a note where there are more.
    pub(crate) fn sorted(self) -> Vec<Problem> {
        let full = self.is_full();
        let mut list = self.list;
        list.sort_by_key(|problem| problem.span.start);
        list.dedup();
        if full {
            let end = list.last().map_or(0, |last| last.span.end);
            let problem = Problem::error(end..end, format!("there are more than {MOST_PROBLEMS} problems"));
            list.push(problem.help("only these are told: mend them first"));
        }
        list
    }
}

/// The known name that is nearest to a misspelt one, as a suggestion; `None` when none is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const LONGEST: usize = 40;
    if name.len() > LONGEST {
        return None;
    }
    let best = known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 1 + name.len() / 3)
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min_by_key(|(distance, own)| {
            // Of those as near, one with letters changed about, then one as long.
            (*distance, !are_changed_about(name, own), own.len().abs_diff(name.len()), own.len())
        })?;
    (best.0 <= ((name.chars().count() + 1) / 3).max(1)).then(|| format!("did you mean `{}`?", best.1))
}

/// Whether two texts have the same letters.
fn are_changed_about(left: &str, right: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(left) == sorted(right)
}

#[cfg(test)]
mod tests;
