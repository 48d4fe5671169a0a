//! The markup that all story formats have in common: links, comments, and line numbers.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::line::is_forbidden;
use crate::story::{Dialect, Expression, MOST_STEPS, Step, assignments, end_of_text, expression};

/// The longest link or macro, in bytes.
pub(super) const LONGEST: usize = 10_000;

/// After so many macros that are not closed, the search for macros in the passage ends.
pub(super) const MOST_UNCLOSED: usize = 50;

/// A macro that a story defines: its text, and the line in which that begins.
#[derive(Debug)]
pub(super) struct Widget {
    pub(super) body: String,
    pub(super) line: usize,
}

/// The macros of a story, and how many more steps macros and loops may be unrolled to.
#[derive(Debug)]
pub(super) struct Widgets {
    pub(super) by_name: BTreeMap<String, Widget>,
    room: Cell<usize>,
}

impl Default for Widgets {
    fn default() -> Self {
        Self { by_name: BTreeMap::new(), room: Cell::new(MOST_STEPS) }
    }
}

impl Widgets {
    /// Takes room for so many more steps; returns whether there was enough.
    pub(super) fn take(&self, count: usize) -> bool {
        let left = self.room.get().checked_sub(count);
        self.room.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The text of a passage, read from left to right.
pub(super) struct Markup<'t> {
    pub(super) dialect: Dialect,
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) widgets: &'t Widgets,
    /// The line of the file in which the passage's text begins.
    first_line: usize,
    /// The position up to which lines are counted, and their number.
    counted: (usize, usize),
    /// The words that were read since the last step.
    words: String,
    /// Closing marks that the rest of the text lacks, so that it is not searched for them again.
    endless: BTreeSet<&'t str>,
    /// The number of macros that are not closed.
    pub(super) unclosed: usize,
}

impl<'t> Markup<'t> {
    pub(super) fn new(dialect: Dialect, text: &'t str, first_line: usize, widgets: &'t Widgets) -> Self {
        let (counted, words, endless) = ((0, 0), String::new(), BTreeSet::new());
        Self { dialect, text, at: 0, widgets, first_line, counted, words, endless, unclosed: 0 }
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

    /// Skips so many bytes.
    pub(super) fn read(&mut self, length: usize) {
        self.words.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Adds the words so far to the steps.
    pub(super) fn flush(&mut self, steps: &mut Vec<Step>) {
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            steps.push(Step::Text(words));
        }
    }

    /// Skips text that may look like code or a link but is neither: a comment, or words that are shown verbatim. Returns
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
                ("<html>", "</html>", true),
                ("<style", "</style>", false),
            ],
            Dialect::Harlowe | Dialect::Chapbook => &[("<!--", "-->", false), ("<style", "</style>", false)],
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

    /// Reads text that is not a macro: a link in brackets, skipped text, a link of another form, or one character.
    pub(super) fn link_or_text(&mut self, steps: &mut Vec<Step>) {
        if self.rest().starts_with("[[") {
            self.flush(steps);
            if let Some(link) = self.link() {
                steps.push(link);
                return;
            }
        }
        if !self.passed() {
            self.other_link_or_sign(steps);
        }
    }

    /// Reads a link of another form, or one character.
    pub(super) fn other_link_or_sign(&mut self, steps: &mut Vec<Step>) {
        match self.other_link() {
            Some(found) => {
                self.flush(steps);
                steps.extend(found);
            }
            None => self.read(self.rest().chars().next().map_or(0, char::len_utf8)),
        }
    }

    /// The HTML or the picture that begins here and may lead to another passage; it is skipped.
    fn other_link(&mut self) -> Option<Vec<Step>> {
        let rest = self.rest();
        let begins = |own: &str| rest.get(..own.len()).is_some_and(|rest| rest.eq_ignore_ascii_case(own));
        if begins("<script") {
            let step = self.todo("a script");
            self.at += rest.find("</script>").map_or(rest.len(), |at| at + "</script>".len());
            return Some(vec![step]);
        }
        if self.dialect == Dialect::SugarCube && ["[img[", "[<img[", "[>img["].into_iter().any(begins) {
            return Some(self.picture().unwrap_or_else(|| {
                let step = self.todo("a picture that may be a link");
                self.at += 1;
                vec![step]
            }));
        }
        if !rest.starts_with('<') {
            return None;
        }
        let tag = &rest[..rest.floor_char_boundary(LONGEST)];
        let tag = &tag[..=tag.find('>')?];
        let leads =
            ["data-passage", "passage-name", "onclick", "href=\"javascript"].iter().any(|own| tag.contains(own));
        if !leads {
            return None;
        }
        let step = self.tag(tag);
        self.at += tag.len();
        Some(step.into_iter().collect())
    }

    /// A tag of HTML that may lead to another passage.
    fn tag(&mut self, tag: &str) -> Option<Step> {
        let line = self.line();
        let passage = attribute(tag, "data-passage");
        let is_plain = self.dialect == Dialect::SugarCube && !tag.contains("onclick") && !tag.contains('@');
        // Sources of pictures and sounds stand in passages, too.
        let is_source = ["<img", "<audio", "<video", "<source", "<track"].iter().any(|own| tag.starts_with(own));
        match passage {
            Some(_) if is_plain && is_source => None,
            Some(passage) if is_plain => {
                let mut body = match attribute(tag, "data-setter") {
                    Some(setter) => self.sets(&setter, line),
                    None => Vec::new(),
                };
                body.push(target_of(&passage, self.dialect, line));
                Some(Step::Link { label: passage, body })
            }
            _ => Some(self.todo("a link in HTML")),
        }
    }

    /// The picture that begins here, which is skipped: a link, or a picture alone. `None` where it is neither.
    pub(super) fn picture(&mut self) -> Option<Vec<Step>> {
        let line = self.line();
        let inner = &self.rest()[self.rest().find("img[")? + "img[".len()..];
        let inner = &inner[..inner.floor_char_boundary(LONGEST)];
        let inner = inner.lines().next()?;
        let inner = &inner[..inner.find("]]")?];
        self.at += self.rest().find("img[")? + "img[".len() + inner.len() + 2;
        let mut parts = inner.split("][");
        let label = parts.next()?.trim();
        let Some(target) = parts.next() else { return Some(Vec::new()) };
        let mut body = parts.next().map(|setter| self.sets(setter, line)).unwrap_or_default();
        body.push(target_of(target, self.dialect, line));
        Some(vec![Step::Link { label: label.into(), body }])
    }

    /// The assignments of a link.
    fn sets(&self, setter: &str, line: usize) -> Vec<Step> {
        match assignments(setter, self.dialect) {
            Ok(all) => all.into_iter().map(|(name, own)| Step::Set(line, name, own)).collect(),
            Err(what) => vec![Step::Todo { line, what: format!("{what}: [{setter}]") }],
        }
    }

    /// The link that begins here, with `[[`.
    pub(super) fn link(&mut self) -> Option<Step> {
        let dialect = self.dialect;
        let line = self.line();
        let inner = self.rest().strip_prefix("[[")?;
        let inner = &inner[..inner.floor_char_boundary(LONGEST)];
        // Only a link of Harlowe may span lines.
        let inner = if dialect == Dialect::Harlowe { inner } else { inner.lines().next()? };
        let end = inner.find("]]")?;
        self.at += end + 4;
        let (link, setter) = match inner[..end].split_once("][") {
            Some((link, setter)) if dialect == Dialect::SugarCube => (link, Some(setter)),
            _ => (&inner[..end], None),
        };
        let (label, target) = divided(link, dialect).unwrap_or((link, link));
        let mut body = setter.map(|setter| self.sets(setter, line)).unwrap_or_default();
        body.push(target_of(target, dialect, line));
        let words: Vec<&str> = label.split_whitespace().collect();
        Some(Step::Link { label: words.join(" "), body })
    }
}

/// The label and the target of a link that names both.
fn divided(link: &str, dialect: Dialect) -> Option<(&str, &str)> {
    let swapped = |(target, label)| (label, target);
    match dialect {
        // The last bar, else the last arrow to the right, else the first to the left.
        Dialect::Harlowe => {
            let arrow = || link.rsplit_once("->").or_else(|| link.split_once("<-").map(swapped));
            link.rsplit_once('|').or_else(arrow)
        }
        // Whichever comes first.
        _ => {
            let first = ["|", "->", "<-"].into_iter().filter_map(|own| Some((link.find(own)?, own))).min()?;
            let parts = (&link[..first.0], &link[first.0 + first.1.len()..]);
            Some(if first.1 == "<-" { swapped(parts) } else { parts })
        }
    }
}

/// The value of an attribute in a tag, with its entities resolved.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        let at = rest.find(name)?;
        let is_whole = rest[..at].ends_with(|own: char| own.is_whitespace());
        rest = &rest[at + name.len()..];
        let Some(value) = rest.trim_start().strip_prefix('=').filter(|_| is_whole) else { continue };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|own| matches!(own, '"' | '\''))?;
        return Some(unescaped(&value[1..=value[1..].find(quote)?]));
    }
}

/// A text of HTML with its entities resolved.
pub(super) fn unescaped(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&nbsp;", "\u{a0}")];
    let plain = named.iter().fold(text.to_string(), |text, (name, sign)| text.replace(name, sign));
    plain.replace("&amp;", "&")
}

/// Where a link leads.
pub(super) fn target_of(target: &str, dialect: Dialect, line: usize) -> Step {
    let target = target.trim();
    let code = match dialect {
        Dialect::Chapbook => target.strip_prefix('{').and_then(|own| own.strip_suffix('}')),
        _ => Some(target).filter(|own| own.starts_with(['$', '_', '`'])),
    };
    // Harlowe takes what stands in such a link as it is.
    let variable = code.filter(|_| dialect != Dialect::Harlowe).and_then(|own| held(own, dialect, line, false));
    let is_code = |own: &str| own.starts_with('`') || expression(own, dialect).is_ok();
    match variable {
        Some(variable) => return variable,
        None if code.is_some_and(is_code) => {
            return Step::Todo { line, what: format!("a link to where `{target}` says") };
        }
        None => {}
    }
    Step::Goto { line, target: name_of(target) }
}

/// The passage that a variable names, if the code is nothing else: gone to, or shown in place.
pub(super) fn held(code: &str, dialect: Dialect, line: usize, is_shown: bool) -> Option<Step> {
    match expression(code.trim(), dialect) {
        Ok(Expression::Variable(variable)) => Some(Step::Held { line, variable, is_shown }),
        _ => None,
    }
}

/// The name of a passage in the book.
pub(super) fn name_of(name: &str) -> String {
    name.trim().chars().filter(|own| !is_forbidden(*own)).take(200).collect()
}

/// The text of an argument in quotes, and what follows it.
pub(super) fn in_quotes(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|own| matches!(own, '"' | '\''))?;
    let end = end_of_text(text, quote)?;
    (!text[..end].contains('\\')).then(|| (&text[1..end], &text[end + 1..]))
}
