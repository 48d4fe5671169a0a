//! Problems of a book, with their places.

use std::fmt;
use std::ops::Range;

use super::text_lines::Lines;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// An error: the book cannot be played.
    Error,
    /// A warning: the book can be played, but probably not as intended.
    Warning,
    /// A note, which may be intended, in particular in a book of a series.
    Note,
}

/// A problem of a book file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its severity.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// A suggestion.
    pub help: Option<String>,
    /// The span in the file.
    pub span: Range<usize>,
}

impl Problem {
    /// An error with a span.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), help: None, span }
    }

    /// A warning with a span.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into(), help: None, span }
    }

    /// A note with a span.
    pub fn note(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, message: message.into(), help: None, span }
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The line and column (both from 1, in characters) of its start.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = &text[..text.floor_char_boundary(self.span.start)];
        Lines::new(before).position(before, before.len())
    }
}

/// The errors of a book that cannot be used.
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

/// The most problems reported for a book.
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

    /// Appends the problems of what follows.
    pub(crate) fn append(&mut self, next: Self) {
        let room = MOST_PROBLEMS.saturating_sub(self.list.len());
        self.list.extend(next.list.into_iter().take(room));
        self.found += next.found;
        self.errors += next.errors;
    }

    /// The number of problems.
    pub(crate) fn len(&self) -> usize {
        self.found
    }

    /// The number of errors.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Whether the limit is reached, so that no more need be found.
    pub(crate) fn is_full(&self) -> bool {
        self.found >= MOST_PROBLEMS
    }

    /// In the order of the text, with a note if there are more.
    pub(crate) fn sorted(self) -> Vec<Problem> {
        let full = self.is_full();
        let mut list = self.list;
        list.sort_by_key(|problem| problem.span.start);
        list.dedup();
        if full {
            let end = list.last().map_or(0, |last| last.span.end);
            let problem = Problem::error(end..end, format!("there are more than {MOST_PROBLEMS} problems"));
            list.push(problem.help("only these are reported: fix them first"));
        }
        list
    }
}

/// The known name nearest to a misspelt one, as a suggestion; `None` if none is near.
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
            // Among equally near ones, first one with swapped letters, then one of the same length.
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
