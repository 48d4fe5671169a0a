//! The message about a book that is too large to be solved.

use std::fmt::Write;

use budget::{Budget, Reason, Stopped};
use gamebook::{Book, Question, SolveBookError, StateHistogram};

use crate::gamebook::answer::unsolved::unsolved_draft;
use crate::output::Failure;

/// The failure of a book that was not solved; if it has too many states, with the sections that have most of them.
pub fn unsolved_book(book: &Book, question: &Question, error: &SolveBookError, budget: &Budget<'_>) -> Failure {
    let failure = unsolved_draft(book.draft.warning(), error);
    match is_too_large(error).then(|| StateHistogram::new(book, question, budget)) {
        Some(Ok(histogram)) => failure.helping(&histogram_text(book, question, &histogram)),
        _ => failure,
    }
}

/// Whether there are more states than the limits allow.
pub fn is_too_large(error: &SolveBookError) -> bool {
    matches!(error, SolveBookError::Stopped(Stopped { reason: Reason::States { .. } | Reason::Memory { .. }, .. }))
}

fn histogram_text(book: &Book, question: &Question, histogram: &StateHistogram) -> String {
    let mut text = format!("where the first {} situations are, and what multiplies them:", histogram.looked_at);
    for own in &histogram.sections {
        let share = 100 * own.situations / histogram.looked_at.max(1);
        let times: Vec<String> = own.multiplied_by.iter().map(|(what, times)| format!("{what} x {times:.1}")).collect();
        let _ = write!(text, "\n  section {}: {share} %", book.section_text(own.section));
        if !times.is_empty() {
            let _ = write!(text, " ({})", times.join(", "));
        }
    }
    if question.situation.policy.is_none() {
        let follows: Vec<String> = book.policies.iter().map(|policy| format!("--policy {}", policy.name)).collect();
        if !follows.is_empty() {
            let _ = write!(text, "\nfor odds that best play is never below: gamebook solve {}", follows.join(", or "));
        }
    }
    if question.situation.forgets.is_empty() {
        let forgets: Vec<String> = book.kinder.iter().map(|own| format!("gamebook bound BOOK {}", own.name)).collect();
        let forgets = if forgets.is_empty() {
            "gamebook bound BOOK, and what multiplies them".into()
        } else {
            forgets.join(", or ")
        };
        let _ = write!(text, "\nfor odds that best play is never above: gamebook solve {forgets}");
    }
    text.push_str("\nfor odds that are simulated, without proof: gamebook sample BOOK");
    text
}
