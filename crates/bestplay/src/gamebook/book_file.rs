//! Books by name or file.

use std::path::Path;

use gamebook::{BUILT_IN, Book, Problems, Severity, built_in, read};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report, Severity as MietteSeverity};

use crate::output::{self, Failure};

/// A book's text, and what it is called in messages: a built-in book by name, or a file.
pub fn load(name: &str) -> Result<(String, String), Failure> {
    if let Some(text) = built_in(name) {
        return Ok((name.into(), text.into()));
    }
    let path = Path::new(name);
    if name != "-" && !path.exists() {
        let names: Vec<&str> = BUILT_IN.iter().map(|(own, _)| *own).collect();
        return Err(Failure::bad_input(
            format_args!("there is no book `{name}`"),
            format_args!("name a file, or one of the built-in books: {}", names.join(", ")),
        ));
    }
    Ok((name.into(), output::read_text(path)?))
}

/// Reads a book that is to be used: its errors end the command.
pub fn open(name: &str) -> Result<Book, Failure> {
    let (name, text) = load(name)?;
    match read(&text) {
        Ok((book, _)) => Ok(book),
        Err(problems) => Err(failure(&name, &text, &problems)),
    }
}

/// The failure of a book with errors: the first of them, each with its place.
pub fn failure(name: &str, text: &str, problems: &Problems) -> Failure {
    const SHOWN: usize = 5;
    let errors: Vec<_> = problems.0.iter().filter(|problem| problem.severity == Severity::Error).collect();
    let labels = errors.iter().take(SHOWN).map(|problem| {
        let said = match &problem.help {
            Some(help) => format!("{}: {help}", problem.message),
            None => problem.message.clone(),
        };
        LabeledSpan::new_with_span(Some(said), problem.span.start..problem.span.end.max(problem.span.start))
    });
    let message = match errors.len() {
        1 => format!("{name} has an error"),
        many => format!("{name} has {many} errors"),
    };
    let diagnostic = MietteDiagnostic::new(message)
        .with_severity(MietteSeverity::Error)
        .with_labels(labels)
        .with_help(format!("bestplay gamebook check {name} shows all of them"));
    Failure::BadInput(Report::new(diagnostic).with_source_code(NamedSource::new(name, text.to_string())))
}
