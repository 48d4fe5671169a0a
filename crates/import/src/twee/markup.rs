//! What the markup of all story formats has in common: links, comments, and where things stand.

use crate::story::{Dialect, Step, expression};

/// The longest link or macro, in bytes.
pub(super) const LONGEST: usize = 1_000;

/// The text of a passage, read from left to right.
pub(super) struct Markup<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The line of the file in which the passage's text begins.
    first_line: usize,
    /// Up to where lines are counted, and how many there are.
    counted: (usize, usize),
    /// The words that were read since the last step.
    words: String,
}

impl<'t> Markup<'t> {
    pub(super) fn new(text: &'t str, first_line: usize) -> Self {
        Self { text, at: 0, first_line, counted: (0, 0), words: String::new() }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The line of the file in which the reader is.
    pub(super) fn line(&mut self) -> usize {
        let (from, lines) = self.counted;
        let from = from.min(self.at);
        let lines = if from == self.counted.0 { lines } else { 0 };
        let begin = if from == self.counted.0 { from } else { 0 };
        let lines = lines + self.text[begin..self.at].matches('\n').count();
        self.counted = (self.at, lines);
        self.first_line + lines
    }

    pub(super) fn todo(&mut self, what: impl Into<String>) -> Step {
        Step::Todo { line: self.line(), what: what.into() }
    }

    /// Passes so many bytes of what is read.
    pub(super) fn read(&mut self, length: usize) {
        self.words.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Puts the words so far to the steps.
    pub(super) fn settle(&mut self, steps: &mut Vec<Step>) {
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            steps.push(Step::Text(words));
        }
    }

    /// Passes a comment, if one stands here.
    pub(super) fn comment(&mut self) -> bool {
        for (begin, end) in [("<!--", "-->"), ("/%", "%/"), ("/*", "*/")] {
            if self.rest().starts_with(begin) {
                let length = self.rest()[begin.len()..].find(end);
                self.at += length.map_or(self.rest().len(), |length| begin.len() + length + end.len());
                return true;
            }
        }
        false
    }

    /// The link that begins here, with `[[`.
    pub(super) fn link(&mut self, dialect: Dialect) -> Option<Step> {
        let line = self.line();
        let inner = self.rest().strip_prefix("[[")?;
        // No link goes on for lines.
        let inner = &inner[..inner.floor_char_boundary(LONGEST)];
        let inner = inner.lines().next()?;
        let end = inner.find("]]")?;
        self.at += end + 4;
        let (link, setter) = match inner[..end].split_once("][") {
            Some((link, setter)) if dialect == Dialect::SugarCube => (link, Some(setter)),
            _ => (&inner[..end], None),
        };
        let swapped = || link.split_once("<-").map(|(target, label)| (label, target));
        let found = link.rsplit_once("->").or_else(swapped).or_else(|| link.split_once('|'));
        let (label, target) = found.unwrap_or((link, link));
        let mut body = Vec::new();
        if let Some(setter) = setter {
            let mut sets = super::sugarcube::sets(setter, line);
            body.append(&mut sets);
        }
        body.push(target_of(target, dialect, line));
        Some(Step::Link { label: label.trim().into(), body })
    }
}

/// Where a link leads.
pub(super) fn target_of(target: &str, dialect: Dialect, line: usize) -> Step {
    let target = target.trim();
    if target.starts_with('$') && expression(target, dialect, None).is_ok() {
        return Step::Todo { line, what: format!("a link to where `{target}` says") };
    }
    Step::Goto { line, target: target.into() }
}

/// The text of an argument in quotes, and what follows it.
pub(super) fn in_quotes(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|own| matches!(own, '"' | '\''))?;
    let end = text[1..].find(quote)? + 1;
    Some((&text[1..end], &text[end + 1..]))
}
