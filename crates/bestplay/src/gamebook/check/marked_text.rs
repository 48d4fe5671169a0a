//! The text of a book with what is wrong in it marked, for people and for programs.

use gamebook::{Lines, Problem, Severity};
use miette::{
    LabeledSpan, MietteDiagnostic, MietteError, MietteSpanContents, Report, Severity as MietteSeverity, SourceCode,
    SourceSpan, SpanContents,
};
use serde::Serialize;

use crate::shown;

/// A problem with its place in the text.
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

/// The text of a book, with its lines, so that a thousand problems are placed quickly.
pub struct Source {
    pub name: String,
    /// The name without what would disturb a terminal; it may be longer.
    pub shown_name: String,
    text: String,
    /// The text without what would disturb a terminal; as long as the text.
    shown: String,
    lines: Lines,
}

/// A longer line is not shown: its place is told in numbers.
const LONGEST_LINE: usize = 240;
/// More of a marked text is not quoted in JSON, in bytes.
const LONGEST_QUOTE: usize = 1000;

impl Source {
    pub fn new(name: String, text: String) -> Self {
        let lines = Lines::new(&text);
        let (shown_name, shown) = (shown::line(&name), shown::in_place(&text));
        Self { name, shown_name, text, shown, lines }
    }

    /// What a problem marks, within the text and between characters.
    fn span(&self, problem: &Problem) -> std::ops::Range<usize> {
        let start = self.text.floor_char_boundary(problem.span.start.min(self.text.len()));
        start..self.text.ceil_char_boundary(problem.span.end.clamp(start, self.text.len()))
    }

    pub fn json<'a>(&'a self, problem: &'a Problem) -> ProblemJson<'a> {
        let span = self.span(problem);
        let ((line, column), (end_line, end_column)) =
            (self.lines.position(&self.text, span.start), self.lines.position(&self.text, span.end));
        let quoted = self.text.floor_char_boundary(span.end.min(span.start + LONGEST_QUOTE)).max(span.start);
        ProblemJson {
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
            text: &self.text[span.start..quoted],
        }
    }

    /// A problem as it is shown to people.
    pub fn report(&self, problem: &Problem) -> Report {
        let span = self.span(problem);
        let line_number = self.lines.line(span.start);
        let line = self.lines.range(&self.text, line_number);
        let severity = match problem.severity {
            Severity::Error => MietteSeverity::Error,
            Severity::Warning => MietteSeverity::Warning,
            Severity::Note => MietteSeverity::Advice,
        };
        let message = shown::line(&problem.message);
        let can_be_shown = line.len() <= LONGEST_LINE;
        let message = if can_be_shown {
            message
        } else {
            let (line, column) = self.lines.position(&self.text, span.start);
            format!("{}:{line}:{column}: {message}", self.shown_name)
        };
        let mut diagnostic = MietteDiagnostic::new(message).with_severity(severity);
        if let Some(help) = &problem.help {
            diagnostic = diagnostic.with_help(shown::line(help));
        }
        if !can_be_shown {
            return Report::new(diagnostic);
        }
        // What goes on for lines is marked in its first.
        let marked = span.start..span.end.min(line.end).max(span.start);
        let diagnostic = diagnostic.with_label(LabeledSpan::new_with_span(None, marked));
        Report::new(diagnostic).with_source_code(Excerpt {
            name: self.shown_name.clone(),
            text: self.shown[line.clone()].to_string(),
            start: line.start,
            line: line_number - 1,
        })
    }
}

/// One line of a book.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    /// Where the line begins in the book.
    start: usize,
    /// Its number, from 0.
    line: usize,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Asked for a place with lines around it, the answer is the line; asked for the place alone, it is
        // the place with its column.
        let at = span.offset().checked_sub(self.start).filter(|at| self.text.is_char_boundary(*at));
        let at = at.ok_or(MietteError::OutOfBounds)?;
        let (data, span, column) = if before == 0 && after == 0 {
            (&self.text[at..], *span, self.text[..at].chars().count())
        } else {
            (&self.text[..], SourceSpan::new(self.start.into(), self.text.len()), 0)
        };
        let contents = MietteSpanContents::new_named(self.name.clone(), data.as_bytes(), span, self.line, column, 1);
        Ok(Box::new(contents))
    }
}
