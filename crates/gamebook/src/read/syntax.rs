//! From text to KDL. Where a part is no KDL, the rest is read all the same.

use std::ops::Range;

use kdl::KdlDocument;

use super::{DEEPEST, LONGEST};
use crate::problem::{MOST_PROBLEMS, Problem, ProblemList};

/// How often the text is read again without the lines that are no KDL.
const ROUNDS: usize = 6;

/// The document, if there is one, and what is wrong with its syntax. Lines that are no KDL are left out.
pub(super) fn parse(text: &str) -> (Option<KdlDocument>, ProblemList) {
    let mut problems = ProblemList::default();
    if let Some(problem) = too_deep_or_long(text) {
        problems.push(problem);
        return (None, problems);
    }
    let mut rest = text.to_string();
    for _ in 0..ROUNDS {
        let error = match KdlDocument::parse_v2(&rest) {
            Ok(document) => return (Some(document), problems),
            Err(error) => error,
        };
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut all_alone = true;
        for diagnostic in error.diagnostics.iter().take(MOST_PROBLEMS) {
            let problem = problem(diagnostic, text);
            if !lines.iter().rev().take(2).any(|line| line.contains(&problem.span.start)) {
                match line_alone(&rest, problem.span.start) {
                    Some(line) => lines.push(line),
                    None => all_alone = false,
                }
            }
            problems.push(problem);
            if !all_alone && problems.is_full() {
                break;
            }
        }
        if lines.is_empty() || !all_alone || problems.is_full() {
            break;
        }
        let mut bytes = rest.into_bytes();
        lines.into_iter().for_each(|line| bytes[line].fill(b' '));
        // Whole lines were replaced: what is left is text as it was.
        rest = String::from_utf8(bytes).unwrap_or_default();
    }
    if problems.len() == 0 {
        problems.push(Problem::error(0..0, "this is no KDL document").help("see docs/book-language.md"));
    }
    (None, problems)
}

fn problem(diagnostic: &kdl::KdlDiagnostic, text: &str) -> Problem {
    let start = diagnostic.span.offset().min(text.len());
    let end = (start + diagnostic.span.len()).min(text.len());
    let message = diagnostic.message.clone().unwrap_or_else(|| "this is no KDL".into());
    let help = diagnostic.help.clone().or_else(|| diagnostic.label.clone());
    Problem::error(start..end, message)
        .help(help.unwrap_or_else(|| "values are numbers, names, \"text\", #true and #false".into()))
}

/// The line around a place, when it opens and closes as many braces: then it can be left out.
fn line_alone(text: &str, at: usize) -> Option<Range<usize>> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let line = &text[start..end];
    let braces = line.matches('{').count() == line.matches('}').count();
    let comments = line.contains("/*") || line.contains("*/") || line.contains("\"\"\"");
    (braces && !comments && !line.trim().is_empty()).then_some(start..end)
}

/// The parser goes down into braces and comments by recursion: what is too deep is refused before.
fn too_deep_or_long(text: &str) -> Option<Problem> {
    if text.len() > LONGEST {
        return Some(
            Problem::error(0..0, format!("a book of {} bytes", text.len()))
                .help(format!("up to {LONGEST} bytes are read")),
        );
    }
    let bytes = text.as_bytes();
    let (mut braces, mut comments) = (0usize, 0usize);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' | b'(' => braces += 1,
            b'}' | b')' => braces = braces.saturating_sub(1),
            b'*' if at > 0 && bytes[at - 1] == b'/' => comments += 1,
            b'/' if at > 0 && bytes[at - 1] == b'*' => comments = comments.saturating_sub(1),
            _ => {}
        }
        if braces > DEEPEST || comments > DEEPEST {
            return Some(
                Problem::error(at..at + 1, "nested too deeply")
                    .help(format!("{DEEPEST} levels of braces or comments are read")),
            );
        }
    }
    None
}
