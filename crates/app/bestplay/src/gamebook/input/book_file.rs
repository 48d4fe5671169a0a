//! Books by name or file.

use std::path::Path;

use budget::Budget;
use gamebook::{
    BUILT_IN, BUILT_IN_SERIES, Book, Problem, Problems, ReadError, SectionNumber, Severity, built_in, is_series,
    read_beside,
};

use crate::diagnostic::{Diagnostic, Source};
use crate::output::{self, Failure};
use crate::shown;

/// The text of a book or a series.
#[derive(Clone)]
pub struct BookText {
    /// Its name in messages: that of a built-in book, or a file.
    pub name: String,
    pub text: String,
}

impl BookText {
    /// Loads a built-in book or series, or a file.
    pub fn load(name: &str) -> Result<Self, Failure> {
        let built_in_series = || BUILT_IN_SERIES.iter().find(|(own, _)| *own == name).map(|(_, text)| *text);
        if let Some(text) = built_in(name).or_else(built_in_series) {
            return Ok(Self { name: name.into(), text: text.into() });
        }
        let path = Path::new(name);
        if name != "-" && !path.exists() {
            let names: Vec<&str> = BUILT_IN.iter().map(|(own, _)| *own).collect();
            return Err(Failure::bad_input(
                format_args!("there is no book `{name}`"),
                format_args!("name a file, or one of the built-in books: {}", names.join(", ")),
            ));
        }
        Ok(Self { name: name.into(), text: output::read_text(path)? })
    }

    /// Whether it is a series.
    pub fn is_series(&self) -> bool {
        is_series(&self.text)
    }

    /// Reads a book whose system of rules may be in a file beside it.
    pub fn read(&self, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
        read_beside(&self.text, &beside(&self.name), budget)
    }

    /// Reads a book; its errors end the command.
    pub fn book(&self, budget: &Budget<'_>) -> Result<Book, Failure> {
        if is_ink(&self.name) {
            return Err(Failure::bad_input(
                format_args!("`{}` is a story in ink", self.name),
                "`solve`, `report`, `check`, `advise`, `play` and `map` take it as it is; `import ink` makes a book of one with up to 5000 situations",
            ));
        }
        if self.is_series() {
            return Err(Failure::bad_input(
                format_args!("`{}` is a series of books", self.name),
                "`gamebook series`, `learn`, `sample`, `advise`, `check`, `play` and `bestplay serve` take it; or name one of its \
                 books",
            ));
        }
        match self.read(budget) {
            Ok((book, _)) => Ok(book),
            Err(ReadError::Problems(problems)) => Err(failure(&self.name, &self.text, &problems)),
            Err(ReadError::Stopped(stopped)) => Err(stopped.into()),
        }
    }
}

/// Whether a file is a story in ink, by its name.
pub fn is_ink(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    Path::new(&name).extension().is_some_and(|extension| extension == "ink") || name.ends_with(".ink.json")
}

/// Loads and reads a book.
pub fn open(name: &str, budget: &Budget<'_>) -> Result<Book, Failure> {
    BookText::load(name)?.book(budget)
}

/// Reads files beside the file `name`.
pub fn beside(name: &str) -> impl Fn(&str) -> Result<String, String> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    move |other: &str| {
        let path = folder.join(other);
        if path.is_file() {
            output::read_text(&path).map_err(|_| format!("{} is no text", path.display()))
        } else {
            Err(format!("there is no file {}", path.display()))
        }
    }
}

/// The section that an argument names.
pub fn section(book: &Book, name: &str) -> Result<SectionNumber, Failure> {
    book.section_named(name)
        .ok_or_else(|| Failure::bad_input(format_args!("there is no section {name}"), "name a section of the book"))
}

/// The sections that arguments name.
pub fn sections(book: &Book, names: &[String]) -> Result<Vec<SectionNumber>, Failure> {
    names.iter().map(|name| section(book, name)).collect()
}

/// A section in JSON: its number, or its name if it has one.
pub fn section_json(book: &Book, section: SectionNumber) -> serde_json::Value {
    match book.name_of(section) {
        Some(name) => name.into(),
        None => section.into(),
    }
}

/// The failure of a book with errors: the first of them, each with its place.
pub fn failure(name: &str, text: &str, problems: &Problems) -> Failure {
    const SHOWN: usize = 5;
    let errors: Vec<_> = problems.0.iter().filter(|problem| problem.severity == Severity::Error).collect();
    let source = Source::new(name.into(), text.into());
    let message = match errors.len() {
        1 => format!("{name} has an error"),
        many => format!("{name} has {many} errors"),
    };
    let help = format!("bestplay gamebook check {} shows all of them", source.shown_name());
    let shown = errors.iter().take(SHOWN).map(|problem| diagnostic(&source, problem)).collect();
    Failure::BadInput(Diagnostic::error(message, help).with_causes(shown).into())
}

/// A problem of a book as a diagnostic.
pub fn diagnostic(source: &Source, problem: &Problem) -> Diagnostic {
    let diagnostic = Diagnostic::new(problem.severity, shown::line(&problem.message)).at(source, problem.span.clone());
    match &problem.help {
        Some(help) => diagnostic.with_help(shown::line(help)),
        None => diagnostic,
    }
}
