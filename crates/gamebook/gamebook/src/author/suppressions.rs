//! Suppression of warnings: a comment `// quiet: why` on the line, or alone on the line before, silences the warnings of that
//! line.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::syntax::{Lines, Problem, Severity, long_texts};

/// The beginning of such a comment.
const MARK: &str = "// quiet:";

/// A comment that suppresses warnings.
struct Mark {
    span: Range<usize>,
    has_reason: bool,
    silenced: usize,
}

/// The problems without suppressed warnings and notes, and the number of those suppressed.
///
/// ```
/// let text = "section 1 // quiet: a prologue\nsection 2 { }";
/// let warning = |at: usize| gamebook::Problem::warning(at..at + 7, "never reached");
/// let (left, silenced) = gamebook::quiet(text, vec![warning(0), warning(31)]);
/// assert_eq!((left.len(), left[0].span.start, silenced), (1, 31, 1));
/// ```
pub fn quiet(text: &str, problems: Vec<Problem>) -> (Vec<Problem>, usize) {
    let lines = Lines::new(text);
    // By the line whose warnings they suppress.
    let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
    let long_texts = if text.contains(MARK) { long_texts(text) } else { Vec::new() };
    for (at, _) in text.match_indices(MARK) {
        let line = lines.line(at);
        let before = &text[lines.range(text, line).start..at];
        // Inside a text it is not a comment.
        if long_texts.iter().any(|own| own.contains(&at)) {
            continue;
        }
        if before.matches('"').count() % 2 == 1 || before.contains("//") {
            continue;
        }
        let end = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
        let has_reason = !text[at + MARK.len()..end].trim().is_empty();
        let silences = if before.trim().is_empty() { line + 1 } else { line };
        marks.insert(silences, Mark { span: at..end, has_reason, silenced: 0 });
    }
    if marks.is_empty() {
        return (problems, 0);
    }
    let mut silenced = 0;
    let mut left: Vec<Problem> = Vec::with_capacity(problems.len());
    for problem in problems {
        let mark = marks.get_mut(&lines.line(problem.span.start));
        match mark.filter(|mark| mark.has_reason && problem.severity != Severity::Error) {
            Some(mark) => {
                mark.silenced += 1;
                silenced += 1;
            }
            None => left.push(problem),
        }
    }
    for mark in marks.into_values() {
        if !mark.has_reason {
            left.push(
                Problem::warning(mark.span, "this suppression gives no reason")
                    .help("write `// quiet: why it is meant`"),
            );
        } else if mark.silenced == 0 {
            left.push(Problem::note(mark.span, "this suppression has no effect").help("remove the comment"));
        }
    }
    (left, silenced)
}
