//! Diagnostics: what is wrong, where in a file, and a suggestion.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstream::ColorChoice;
use gamebook::{Lines, Severity};

use crate::shown::{self, Escapes, shown};

/// A message with a place in a file and a suggestion.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    severity: Severity,
    message: String,
    help: Option<String>,
    place: Option<MarkedLine>,
    /// The problems that this one sums up.
    causes: Vec<Diagnostic>,
}

/// A marked part of a line of a file.
#[derive(Clone, Debug)]
struct MarkedLine {
    file: String,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
    text: String,
    marked: Range<usize>,
}

impl Diagnostic {
    /// A message without a place.
    pub fn new(severity: Severity, message: impl Display) -> Self {
        let message = shown(&message.to_string(), Escapes::Text);
        Self { severity, message, help: None, place: None, causes: Vec::new() }
    }

    /// An error with a suggestion.
    pub fn error(message: impl Display, help: impl Display) -> Self {
        Self::new(Severity::Error, message).with_help(help)
    }

    /// Adds a suggestion.
    pub fn with_help(mut self, help: impl Display) -> Self {
        self.help = Some(shown(&help.to_string(), Escapes::Text)).filter(|help| !help.is_empty());
        self
    }

    /// Adds a place: the bytes of a source.
    pub fn at(mut self, source: &Source, bytes: Range<usize>) -> Self {
        self.place = Some(source.place(bytes));
        self
    }

    /// Adds the problems that it sums up.
    pub fn with_causes(mut self, causes: Vec<Self>) -> Self {
        self.causes = causes;
        self
    }

    /// The suggestion.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Formats it as lines of text, with colours if wanted.
    pub fn render(&self, colours: ColorChoice) -> String {
        let renderer = if colours == ColorChoice::Never { Renderer::plain() } else { Renderer::styled() };
        let parts = std::iter::once(self).chain(&self.causes);
        let parts: Vec<String> = parts.flat_map(Self::groups).map(|group| renderer.render(&[group])).collect();
        parts.join("\n")
    }

    /// The message with its place and the suggestion below it; without a line to show, the suggestion stands alone.
    fn groups(&self) -> Vec<Group<'_>> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let help = self.help.as_deref();
        let title = match &self.place {
            Some(place) if place.text.len() <= LONGEST_LINE => {
                let marked = AnnotationKind::Primary.span(place.marked.clone());
                let line = Snippet::source(place.text.as_str()).path(place.file.as_str()).line_start(place.line);
                let title = level.primary_title(self.message.as_str()).element(line.annotation(marked));
                return vec![title.elements(help.map(|help| Level::HELP.message(help)))];
            }
            Some(MarkedLine { file, line, column, .. }) => {
                level.primary_title(format!("{file}:{line}:{column}: {}", self.message))
            }
            None => level.primary_title(self.message.as_str()),
        };
        let help = help.map(|help| Group::with_title(Level::HELP.secondary_title(help)));
        std::iter::once(Group::with_title(title)).chain(help).collect()
    }
}

/// Longer lines, in bytes, are not shown: the place is given in numbers.
const LONGEST_LINE: usize = 240;

impl Display for Diagnostic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A text with the name of its file, for fast lookups of places.
pub struct Source {
    pub name: String,
    pub text: String,
    pub lines: Lines,
    /// The name and the text, with control characters replaced; positions in the text stay the same.
    shown_name: String,
    shown_text: String,
}

impl Source {
    pub fn new(name: String, text: String) -> Self {
        let lines = Lines::new(&text);
        let (shown_name, shown_text) = (shown::line(&name), shown::in_place(&text));
        Self { name, text, lines, shown_name, shown_text }
    }

    /// The name, safe to print.
    pub fn shown_name(&self) -> &str {
        &self.shown_name
    }

    /// A byte range clamped to the text and to characters.
    pub fn within(&self, bytes: Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(bytes.start.min(self.text.len()));
        start..self.text.ceil_char_boundary(bytes.end.clamp(start, self.text.len()))
    }

    fn place(&self, bytes: Range<usize>) -> MarkedLine {
        let bytes = self.within(bytes);
        let (line, column) = self.lines.position(&self.text, bytes.start);
        let whole = self.lines.range(&self.text, line);
        // A range of several lines is marked in its first; the end of a line is marked as an empty range.
        let start = bytes.start.min(whole.end);
        let end = bytes.end.clamp(start, whole.end.max(start));
        MarkedLine {
            file: self.shown_name.clone(),
            line,
            column,
            text: self.shown_text[whole.clone()].to_string(),
            marked: start - whole.start..end - whole.start,
        }
    }
}
