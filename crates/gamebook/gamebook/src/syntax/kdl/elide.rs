//! Part of a text prepared for the parser: without long texts and comments, which it would parse slowly.

use std::ops::Range;

use super::long_text::LongText;
use super::segment::Pieces;

/// The placeholder for a text that was left out.
const TEXT: &str = "\"…\"";

/// A part of a text in which something was left out.
pub(crate) struct Elided<'p> {
    pub(crate) text: String,
    /// The gaps: the span of each placeholder, and the original span.
    gaps: Vec<(Range<usize>, Range<usize>)>,
    /// The texts that were left out, by the end of their placeholders.
    texts: Vec<(usize, &'p LongText)>,
    /// The position of the part in the whole text.
    start: usize,
}

impl<'p> Elided<'p> {
    /// A part of a text without long texts, comments and `besides`.
    pub(crate) fn new(text: &str, part: Range<usize>, cut: &'p Pieces, besides: Range<usize>) -> Self {
        let within = |span: &Range<usize>| part.start <= span.start && span.end <= part.end;
        let counts = |span: &Range<usize>| within(span) && !(besides.start <= span.start && span.end <= besides.end);
        let first = cut.texts.partition_point(|own| own.span.start < part.start);
        let texts = cut.texts[first..].iter().take_while(|own| own.span.start < part.end);
        let first = cut.comments.partition_point(|own| own.start < part.start);
        let comments = cut.comments[first..].iter().take_while(|own| own.start < part.end);
        let mut left_out: Vec<(Range<usize>, Option<&LongText>)> = texts
            .map(|own| (own.span.clone(), Some(own)))
            .chain(comments.map(|own| (own.clone(), None)))
            .filter(|(span, _)| counts(span))
            .collect();
        if !besides.is_empty() {
            left_out.push((besides, None));
        }
        left_out.sort_by_key(|(span, _)| span.start);
        let mut short = Self { text: String::new(), gaps: Vec::new(), texts: Vec::new(), start: part.start };
        let mut at = part.start;
        for (span, own) in left_out {
            short.text.push_str(&text[at..span.start]);
            let begin = short.text.len();
            short.text.push_str(if own.is_some() { TEXT } else { " " });
            short.texts.extend(own.map(|own| (short.text.len(), own)));
            short.gaps.push((begin..short.text.len(), span.clone()));
            at = span.end;
        }
        short.text.push_str(&text[at..part.end]);
        short
    }

    /// The original position of a position.
    pub(crate) fn place(&self, at: usize) -> usize {
        let before = self.gaps.partition_point(|(own, _)| own.start < at);
        match before.checked_sub(1).map(|last| &self.gaps[last]) {
            Some((own, whole)) if at < own.end => whole.start,
            Some((own, whole)) => whole.end + (at - own.end),
            None => self.start + at,
        }
    }

    /// The original span of a span.
    pub(crate) fn span(&self, part: Range<usize>) -> Range<usize> {
        self.place(part.start)..self.place(part.end)
    }

    /// The position of an original position.
    pub(crate) fn at(&self, place: usize) -> usize {
        let before = self.gaps.partition_point(|(_, whole)| whole.start < place);
        match before.checked_sub(1).map(|last| &self.gaps[last]) {
            Some((own, whole)) => own.end + place.saturating_sub(whole.end),
            None => place - self.start,
        }
    }

    /// The text whose placeholder ends here.
    pub(crate) fn text_ending(&self, at: usize) -> Option<&'p LongText> {
        let place = self.texts.binary_search_by_key(&at, |(end, _)| *end).ok()?;
        Some(self.texts[place].1)
    }
}
