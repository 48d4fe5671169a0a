//! Choices that are never right, and those that always are, as far as best play meets them.

use std::ops::Range;

use crate::book::Book;
use crate::solve::Guide;
use crate::terms::SectionNumber;

/// A choice of the author's, judged wherever best play comes to it.
#[derive(Clone, Debug)]
pub struct ChoiceVerdict {
    /// The section.
    pub section: SectionNumber,
    /// What the choice is called.
    pub label: String,
    /// The section to which it leads at once.
    pub to: Option<SectionNumber>,
    /// The probability that best play is ever offered it.
    pub offered: f64,
    /// The probability to win with it, on the average of when it is offered; `None` where that is not always known.
    pub win: Option<f64>,
    /// Where it stands in the file, as far as it has a label.
    pub span: Option<Range<usize>>,
}

/// The verdicts on a book.
pub(super) struct Verdicts {
    pub(super) never_right: Vec<ChoiceVerdict>,
    pub(super) always_right: Vec<ChoiceVerdict>,
}

pub(super) fn verdicts(book: &Book, guide: &Guide) -> Verdicts {
    let mut verdicts = Verdicts { never_right: Vec::new(), always_right: Vec::new() };
    for (section, own) in &guide.sections {
        for question in own.questions.iter().filter(|question| question.about.is_none()) {
            // Where something is wrong the others are right for a reason.
            let matters = question.answers.iter().any(|answer| answer.best < answer.offered);
            for answer in question.answers.iter().filter(|answer| matters && answer.offered > 0.0) {
                let verdict = || ChoiceVerdict {
                    section: *section,
                    label: answer.label.clone(),
                    to: answer.section,
                    offered: answer.ever,
                    win: answer.win,
                    span: choice_span(book, *section, &answer.label),
                };
                if answer.best <= 0.0 {
                    verdicts.never_right.push(verdict());
                } else if answer.best >= answer.offered {
                    verdicts.always_right.push(verdict());
                }
            }
        }
    }
    verdicts
}

/// Where the choice of a label stands in a section, the first of them.
fn choice_span(book: &Book, section: SectionNumber, label: &str) -> Option<Range<usize>> {
    let mut found = None;
    crate::book::every_node(&book.sections.get(&section)?.body, &mut |node| {
        if let crate::book::NodeKind::Choices(choices) = &node.kind {
            let own = choices.iter().find(|choice| {
                let before = choice.label.split('{').next().unwrap_or_default();
                choice.label == label || choice.label.contains('{') && label.starts_with(before)
            });
            found = found.take().or_else(|| own.map(|own| own.span.clone()));
        }
    });
    found
}
