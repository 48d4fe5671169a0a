//! Analyses of a text: problems, definitions of sections, and odds.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use budget::{Budget, Limits};
use gamebook::{Problem, Question, ReadError, SectionLink, Severity, section_links};
use lsp_types::{Diagnostic, DiagnosticSeverity};
use mdp::ExploreOptions;

use super::document::Text;
use crate::arguments::engine_args::Run;
use crate::ending;
use crate::gamebook::check;
use crate::gamebook::glance::glance;
use crate::gamebook::input::book_file::BookText;
use crate::memory;
use crate::output::Failure;
use crate::shown::{Escapes, shown};

/// The most problems that are reported.
const MOST_PROBLEMS: usize = 500;

/// Does `work` within limits, until it is outdated. A panic is an error.
pub fn within<T>(
    limits: Limits,
    outdated: &AtomicBool,
    work: impl FnOnce(&Budget<'_>) -> Result<T, Failure>,
) -> Result<T, String> {
    let watch = |_| if outdated.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let budget = Budget::new(limits).watched(&watch).metered(memory::used);
    ending::caught(|| work(&budget)).map_err(|failure| match failure {
        Failure::BadInput(report) | Failure::Failed(report) => report.to_string(),
        Failure::Reported(_) | Failure::Interrupted(_) => "stopped".into(),
    })
}

/// The problems of a text.
pub fn problems(name: &str, text: &Text, budget: &Budget<'_>) -> Result<Vec<Diagnostic>, Failure> {
    let written = BookText { name: name.into(), text: text.text.clone() };
    let (mut problems, _) = check::problems(&written, &|_, _| Ok(Vec::new()), budget)?;
    problems.sort_by_key(|problem| (problem.severity, problem.span.start));
    problems.truncate(MOST_PROBLEMS);
    Ok(problems.iter().map(|problem| diagnostic(text, problem)).collect())
}

fn diagnostic(text: &Text, problem: &Problem) -> Diagnostic {
    let severity = match problem.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    };
    let message = match &problem.help {
        Some(help) => format!("{}\n{help}", problem.message),
        None => problem.message.clone(),
    };
    let (range, message) = (text.range(&problem.span), shown(&message, Escapes::Text));
    Diagnostic { range, severity: Some(severity), source: Some("bestplay".into()), message, ..Diagnostic::default() }
}

/// The definition of the section that is named at a byte.
pub fn definition(text: &Text, at: usize, budget: &Budget<'_>) -> Result<Option<SectionLink>, Failure> {
    let links = section_links(&text.text, budget)?;
    let named = named_at(&links, at).map(|link| link.name.clone());
    Ok(named.and_then(|name| links.into_iter().find(|link| link.section.is_some() && link.name == name)))
}

/// The link at a byte.
fn named_at(links: &[SectionLink], at: usize) -> Option<&SectionLink> {
    links.iter().find(|link| link.span.start <= at && at <= link.span.end)
}

/// The odds of the book's own hero if he begins in the section that is named at a byte, or that contains it; with the span of
/// the name.
pub fn odds(
    name: &str,
    text: &Text,
    at: usize,
    time: Duration,
    budget: &Budget<'_>,
) -> Result<Option<(String, std::ops::Range<usize>)>, Failure> {
    let links = section_links(&text.text, budget)?;
    let inside = |link: &&SectionLink| link.section.as_ref().is_some_and(|own| own.contains(&at));
    let Some(link) = named_at(&links, at).or_else(|| links.iter().find(inside)) else { return Ok(None) };
    let shown = format!("**Section {}**", link.name);
    let written = BookText { name: name.into(), text: text.text.clone() };
    if written.is_series() {
        return Ok(None);
    }
    let book = match written.read(budget) {
        Ok((book, _)) => book,
        Err(ReadError::Stopped(stopped)) => return Err(stopped.into()),
        Err(ReadError::Problems(problems)) => {
            return Ok(Some((
                format!("{shown}: no odds before the book can be played ({problems})"),
                link.span.clone(),
            )));
        }
    };
    let Some(section) = book.section_named(&link.name) else {
        return Ok(Some((format!("{shown} is not written yet"), link.span.clone())));
    };
    let question = Question { start: section, ..Question::new(&book) };
    let run = Run { options: &ExploreOptions::default(), budget };
    let [best, random] = glance(&book, &question, time, run)?;
    let hero = if section == book.start { "the book's own hero" } else { "the book's own hero, as he sets out," };
    let draft = book.draft.warning().map(|warning| format!("\n- {warning}")).unwrap_or_default();
    let text =
        format!("{shown}: {hero} wins from here\n- with best play: {best}\n- answering at random: {random}{draft}");
    Ok(Some((text, link.span.clone())))
}
