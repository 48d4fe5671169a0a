//! A story in ink from a file, and the request about it.

use std::path::Path;

use ink::{Goal, ReportOptions, SourceError, Story};

use crate::arguments::engine_args::Run;
use crate::diagnostic::{Diagnostic, Source};
use crate::gamebook::input::book_file;
use crate::output::{self, Failure, Format};
use crate::shown;

/// A request about a story.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The story's file.
    pub file: &'a str,
    /// A knot or a condition that wins; by default ends with the tag `# win` do.
    pub goal: Option<&'a str>,
    /// Whether fractions are wanted.
    pub exact: bool,
    /// How the answer is written.
    pub format: Format,
}

/// Parses the text of a story and the files that it includes.
pub fn read(name: &str, text: &str) -> Result<Story, SourceError> {
    if name.to_ascii_lowercase().ends_with(".json") {
        Story::from_json(text, name)
    } else {
        Story::compile(text, name, book_file::beside(name))
    }
}

impl Asked<'_> {
    /// Reads the story; its errors end the command.
    pub fn story(&self) -> Result<Story, Failure> {
        let text = output::read_text(Path::new(self.file))?;
        let story = read(self.file, &text).map_err(|error| unreadable(&error, self.file, text))?;
        match self.goal {
            None => Ok(story),
            Some(goal) => story.with_goal(goal).map_err(|error| {
                let knots: Vec<&str> = story.knots().take(20).collect();
                let help = format!("name a knot ({}), or a condition such as \"gold >= 10\"", knots.join(", "));
                Failure::bad_input(shown::line(&error.message), shown::line(&help))
            }),
        }
    }

    /// The options for solving it.
    pub fn options<'r>(&self, run: Run<'r>) -> ReportOptions<'r> {
        ReportOptions::default().with_budget(run.budget).with_exact(self.exact)
    }
}

/// The goal of a story in words.
pub fn goal_text(story: &Story) -> String {
    match story.goal() {
        Goal::Tag => "an end with the tag # win".into(),
        Goal::Knot(knot) => format!("the knot {knot}"),
        Goal::Condition(condition) => condition.clone(),
    }
}

/// The span of a line of a text, from 1.
pub fn line_of(text: &str, line: usize) -> std::ops::Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let own = text[start.min(text.len())..].lines().next().unwrap_or_default();
    let start = start.min(text.len()) + own.len() - own.trim_start().len();
    start..start + own.trim().len()
}

fn unreadable(error: &SourceError, file: &str, text: String) -> Failure {
    let help = "fix that; docs/ink.md says what is read";
    let diagnostic = Diagnostic::error(shown::line(&error.message), help);
    let own = match error.line.filter(|_| error.file == file) {
        Some(line) => {
            let span = line_of(&text, line);
            diagnostic.at(&Source::new(file.into(), text), span)
        }
        None => Diagnostic::error(shown::line(&error.to_string()), help),
    };
    Failure::BadInput(own.into())
}
