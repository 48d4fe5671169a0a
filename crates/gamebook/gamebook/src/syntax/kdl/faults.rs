//! Syntax errors in words, and lines that can be skipped.

use std::ops::Range;

use super::entries::shown_name;
use super::newline::is_newline;
use crate::syntax::problem::Problem;

/// What the parser reports if it does not know what it expected.
pub(super) const SAYS_NOTHING: &str = "Expected end of document";

/// Something follows a `}` on its line.
pub(super) fn after_a_brace(text: &str, at: usize) -> Problem {
    let rest = &text[at..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';')).unwrap_or(rest.len());
    let word = shown_name(&rest[..end]);
    let help = if word.is_empty() {
        "a node has one pair of braces".into()
    } else {
        format!("a node ends with its line: write `; {word}`, or begin a new line")
    };
    Problem::error(at..at + end.max(1), "a `;` or a new line is missing after the `}` before this").help(help)
}

/// Common habits from other languages around a syntax error.
pub(super) fn slip(text: &str, at: usize, span: Range<usize>) -> Option<Problem> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let begin = text[..at]
        .rfind(|own| is_newline(own) || matches!(own, ';' | '{'))
        .map_or(0, |end| text.ceil_char_boundary(end + 1));
    let end =
        text[at..].find(|own| is_newline(own) || matches!(own, ';' | '{' | '}')).map_or(text.len(), |end| at + end);
    let line = text[begin..end].trim();
    let error = |message: &str, help: String| Some(Problem::error(span.clone(), message).help(help));
    if let Some((name, value)) = line.split_once('=')
        && !name.trim_end().contains([' ', '"'])
    {
        let (name, value) = (shown_name(name.trim_end()), shown_name(value.trim()));
        return error("nothing is set by `=`", format!("write `set {name} {value}`"));
    }
    let unquoted = line.split('"').step_by(2);
    for part in unquoted {
        if part.contains(',') {
            return error("a comma means nothing here", "leave it out: spaces stand between arguments".into());
        }
        for word in ["true", "false"] {
            if part.split([' ', '=']).any(|own| own == word) {
                return error("yes and no are written with a `#`", format!("write #{word}"));
            }
        }
    }
    None
}

pub(super) fn problem(diagnostic: &kdl::KdlDiagnostic, span: Range<usize>) -> Problem {
    let message = diagnostic.message.clone().filter(|message| message != SAYS_NOTHING);
    let message = message.unwrap_or_else(|| "this is not KDL".into());
    let help = diagnostic.help.clone().unwrap_or_else(|| {
        if message.contains('}') {
            "every `{` needs its `}`".into()
        } else {
            "values are numbers, names, \"text\", #true and #false".into()
        }
    });
    Problem::error(span, message).help(help)
}

/// The line at a position, if its braces are balanced: then it can be skipped.
pub(super) fn line_alone(text: &str, at: usize) -> Option<Range<usize>> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind(is_newline).map_or(0, |end| text.ceil_char_boundary(end + 1));
    let end = text[at..].find(is_newline).map_or(text.len(), |end| at + end);
    let line = &text[start..end];
    let braces = line.matches('{').count() == line.matches('}').count();
    let comments = line.contains("/*") || line.contains("*/") || line.contains("\"\"\"");
    (braces && !comments && !line.trim().is_empty()).then_some(start..end)
}
