//! Makes sure that an imported book can be read: sections that our language cannot express become a `todo`.

use budget::Budget;
use gamebook::{Problem, ReadError, Severity, check, read_within};

use crate::unreadable::Unreadable;

/// The most rounds of replacing unreadable sections; each round can uncover further errors.
const MOST_ROUNDS: usize = 20;

/// A readable book with this head and these sections. A section that our language cannot express (too many enemies, numbers
/// that are too large, ...) is replaced by the result of `unknown` for the section and the problem. Returns the text, and the
/// replaced sections with their problems.
pub(crate) fn readable<K: Clone>(
    head: &str,
    mut sections: Vec<(K, String)>,
    unknown: &dyn Fn(&K, &str) -> String,
    budget: &Budget<'_>,
) -> Result<(String, Vec<(K, String)>), Unreadable> {
    let mut replaced: Vec<(usize, String)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mut text = head.to_string();
        let mut ends = Vec::new();
        for (_, section) in &sections {
            text.push_str(section);
            ends.push(text.len());
        }
        let errors = errors(&text, budget)?;
        let Some(first) = errors.first() else {
            let places = replaced.into_iter().map(|(place, what)| (sections[place].0.clone(), what));
            return Ok((text, places.collect()));
        };
        let first = first.message.clone();
        let before = replaced.len();
        for problem in errors {
            let at = problem.span.start;
            let place = ends.partition_point(|end| *end <= at);
            if at < head.len() || place >= sections.len() || replaced.iter().any(|(own, _)| *own == place) {
                continue;
            }
            let what = format!("it cannot be expressed in the book language: {}", problem.message);
            sections[place].1 = unknown(&sections[place].0, &what);
            replaced.push((place, what));
        }
        if replaced.len() == before {
            return Err(Unreadable::wrong(format!("it cannot be expressed in the book language: {first}")));
        }
    }
    Err(Unreadable::wrong("too much of it cannot be expressed in the book language".into()))
}

/// The errors that keep a text from being a book that can be played.
fn errors(text: &str, budget: &Budget<'_>) -> Result<Vec<Problem>, Unreadable> {
    let mut problems = match read_within(text, budget) {
        Ok((book, _)) => check(&book, budget).map_err(Unreadable::Stopped)?,
        Err(ReadError::Problems(problems)) => problems.0,
        Err(ReadError::Stopped(stopped)) => return Err(Unreadable::Stopped(stopped)),
    };
    problems.retain(|problem| problem.severity == Severity::Error);
    Ok(problems)
}
