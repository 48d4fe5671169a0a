//! Choices that are never or always right under optimal play.

use std::ops::Range;

use crate::book::Book;
use crate::solve::Guide;
use crate::terms::SectionNumber;

/// One of the author's choices, judged over all visits of optimal play.
#[derive(Clone, Debug)]
pub struct ChoiceVerdict {
    /// The section.
    pub section: SectionNumber,
    /// Its label.
    pub label: String,
    /// The section to which it leads without another question.
    pub to: Option<SectionNumber>,
    /// The probability that optimal play is ever offered it.
    pub offered: f64,
    /// The probability of winning with it, averaged over the offers; `None` if it is unknown for some.
    pub win: Option<f64>,
    /// Its span in the file, if it has a label.
    pub span: Option<Range<usize>>,
}

/// The verdicts on the choices of a book.
pub(super) struct Verdicts {
    pub(super) never_right: Vec<ChoiceVerdict>,
    pub(super) always_right: Vec<ChoiceVerdict>,
}

pub(super) fn verdicts(book: &Book, guide: &Guide) -> Verdicts {
    let mut verdicts = Verdicts { never_right: Vec::new(), always_right: Vec::new() };
    for (section, own) in &guide.sections {
        for question in own.questions.iter().filter(|question| question.about.is_none()) {
            // A right choice is only interesting if an alternative is wrong.
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

/// The span of the first choice with a label in a section.
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
