//! What the markup of all story formats has in common: links, comments, and where things stand.

use std::collections::BTreeSet;

use super::setter::sets;
use crate::story::{Dialect, Step, expression};

/// The longest link or macro, in bytes.
pub(super) const LONGEST: usize = 1_000;

/// The text of a passage, read from left to right.
pub(super) struct Markup<'t> {
    pub(super) dialect: Dialect,
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The line of the file in which the passage's text begins.
    first_line: usize,
    /// Up to where lines are counted, and how many there are.
    counted: (usize, usize),
    /// The words that were read since the last step.
    words: String,
    /// What does not stand in the rest of the text, though it would end something.
    endless: BTreeSet<&'t str>,
}

impl<'t> Markup<'t> {
    pub(super) fn new(dialect: Dialect, text: &'t str, first_line: usize) -> Self {
        Self { dialect, text, at: 0, first_line, counted: (0, 0), words: String::new(), endless: BTreeSet::new() }
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

    /// Passes what is neither code nor link though it may look so: a comment, or words that are shown as they stand. Returns
    /// whether there was any.
    pub(super) fn passed(&mut self) -> bool {
        let kinds: &[(&str, &str, bool)] = match self.dialect {
            Dialect::SugarCube => &[
                ("<!--", "-->", false),
                ("/%", "%/", false),
                ("/*", "*/", false),
                ("{{{", "}}}", true),
                ("\"\"\"", "\"\"\"", true),
                ("<nowiki>", "</nowiki>", true),
                ("<style", "</style>", false),
            ],
            Dialect::Harlowe => &[("<!--", "-->", false), ("<style", "</style>", false)],
        };
        for (begin, end, is_shown) in kinds {
            let begins = self.rest().strip_prefix(begin).filter(|_| !self.endless.contains(end));
            let Some(inner) = begins else { continue };
            let Some(length) = inner.find(end) else {
                self.endless.insert(end);
                continue;
            };
            return self.pass(&inner[..length], begin.len() + length + end.len(), *is_shown);
        }
        let ticks = self.rest().len() - self.rest().trim_start_matches('`').len();
        if self.dialect == Dialect::Harlowe && ticks > 0 {
            let (end, inner) = self.rest().split_at(ticks);
            if self.endless.contains(end) {
                return false;
            }
            if let Some(length) = inner.find(end) {
                return self.pass(&inner[..length], 2 * ticks + length, true);
            }
            self.endless.insert(end);
        }
        false
    }

    fn pass(&mut self, inner: &str, length: usize, is_shown: bool) -> bool {
        if is_shown {
            self.words.push_str(inner);
        }
        self.at += length;
        true
    }

    /// What leads on in HTML, or as a picture, and stands here: passed, and to do.
    pub(super) fn other_link(&mut self) -> Option<Step> {
        let rest = self.rest();
        let begins = |own: &str| rest.get(..own.len()).is_some_and(|rest| rest.eq_ignore_ascii_case(own));
        let (end, what) = if rest.starts_with("[img[") || rest.starts_with("[<img[") || rest.starts_with("[>img[") {
            ("]]", "a picture that may be a link")
        } else if begins("<script") {
            ("</script>", "a script")
        } else if rest.starts_with('<') && self.is_tag_that_leads() {
            (">", "a link in HTML")
        } else {
            return None;
        };
        let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
        let is_picture_only = end == "]]" && !rest[..length].contains("][") && !rest[..length].contains("[[");
        let step = (!is_picture_only).then(|| self.todo(what));
        self.at += length;
        step
    }

    fn is_tag_that_leads(&self) -> bool {
        let tag = &self.rest()[..self.rest().floor_char_boundary(LONGEST)];
        let tag = &tag[..tag.find('>').unwrap_or(0)];
        ["data-passage", "passage-name", "onclick", "href=\"javascript"].iter().any(|own| tag.contains(own))
    }

    /// The link that begins here, with `[[`.
    pub(super) fn link(&mut self) -> Option<Step> {
        let dialect = self.dialect;
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
            let mut sets = sets(setter, line);
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
