//! A problem of a book in JSON.

use gamebook::{Problem, Severity};
use serde::Serialize;

use crate::diagnostic::Source;

/// A problem with its position in the text.
#[derive(Serialize)]
pub struct ProblemJson<'a> {
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'a str,
}

/// Longer marked texts, in bytes, are not quoted.
const LONGEST_QUOTE: usize = 1000;

impl<'a> ProblemJson<'a> {
    pub fn new(source: &'a Source, problem: &'a Problem) -> Self {
        let Source { text, lines, .. } = source;
        let span = source.within(problem.span.clone());
        let [(line, column), (end_line, end_column)] = [span.start, span.end].map(|at| lines.position(text, at));
        let quoted = text.floor_char_boundary(span.end.min(span.start + LONGEST_QUOTE)).max(span.start);
        Self {
            severity: match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            message: &problem.message,
            help: problem.help.as_deref(),
            line,
            column,
            end_line,
            end_column,
            text: &text[span.start..quoted],
        }
    }
}
