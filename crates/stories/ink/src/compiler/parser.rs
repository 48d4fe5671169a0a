//! The text of a file and the place in it: what all rules of ink's grammar are made of.

use std::rc::Rc;

use super::syntax::{Declarations, Flow, PointId, Position};
use crate::source::SourceError;

/// The deepest nesting of braces, brackets and levels of choices.
pub(super) const DEEPEST: usize = 200;
/// The rules that follow each other for one brace or bracket.
const RULES: usize = 4;
/// The most rules that are tried for each character, and for short texts in all: texts within texts are tried several
/// times.
const TRIES: usize = 1_000;

/// `None` if the text does not follow the rule, which leaves the place as it was.
pub(super) type Parsed<T> = Result<Option<T>, SourceError>;

/// Reads one file.
pub(super) struct Parser<'p> {
    pub(super) file: Rc<str>,
    signs: Vec<char>,
    pub(super) at: usize,
    /// Whether the text of a choice is read, a text in quotes, a tag.
    pub(super) in_choice: bool,
    pub(super) in_quotes: bool,
    pub(super) in_tag: bool,
    depth: usize,
    tries: usize,
    pub(super) points: &'p mut PointId,
    pub(super) declarations: &'p mut Declarations,
    pub(super) include: &'p mut dyn FnMut(&str) -> Result<String, String>,
    /// The files that are being read, the story first.
    pub(super) open_files: Vec<Rc<str>>,
    /// The knots of included files.
    pub(super) included_flows: Vec<Flow>,
}

impl<'p> Parser<'p> {
    pub(super) fn new(
        text: &str,
        open_files: Vec<Rc<str>>,
        points: &'p mut PointId,
        declarations: &'p mut Declarations,
        include: &'p mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Self {
        let file = open_files.last().cloned().unwrap_or_else(|| "".into());
        // Editors on Windows begin a file with this sign.
        let signs = without_comments(text.trim_start_matches('\u{feff}'));
        Self {
            file,
            signs,
            at: 0,
            in_choice: false,
            in_quotes: false,
            in_tag: false,
            depth: 0,
            tries: 0,
            points,
            declarations,
            include,
            open_files,
            included_flows: Vec::new(),
        }
    }

    pub(super) fn position(&self) -> Position {
        Position { file: self.file.clone(), line: self.line() }
    }

    fn line(&self) -> usize {
        1 + self.signs[..self.at.min(self.signs.len())].iter().filter(|sign| **sign == '\n').count()
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, SourceError> {
        Err(SourceError::new(&self.file, Some(self.line()), message))
    }

    /// What stands here, for a message.
    pub(super) fn here(&self) -> String {
        let rest: String =
            self.signs[self.at..].iter().take_while(|sign| !matches!(sign, '\n' | '\r')).take(30).collect();
        if rest.trim().is_empty() { "the end of the line".to_owned() } else { format!("\"{}\"", rest.trim()) }
    }

    /// Follows a rule one level deeper.
    pub(super) fn nested<T>(
        &mut self,
        rule: impl FnOnce(&mut Self) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        self.tries += 1;
        if self.depth == DEEPEST * RULES {
            return self.error(format!("brackets and braces within more than {DEEPEST} others"));
        }
        if self.tries > TRIES * (self.signs.len() + TRIES) {
            return self.error("texts within texts of too many levels");
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Follows a rule, or goes back to where it began.
    pub(super) fn attempt<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (at, in_tag, points) = (self.at, self.in_tag, *self.points);
        let result = rule(self)?;
        if result.is_none() {
            (self.at, self.in_tag) = (at, in_tag);
            *self.points = points;
        }
        Ok(result)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.signs.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.at += 1;
        Some(sign)
    }

    pub(super) fn is_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(place, sign)| self.signs.get(self.at + place) == Some(&sign))
    }

    /// Steps over a text.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let found = self.is_at(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str, what: &str) -> Result<(), SourceError> {
        if self.skip(text) {
            return Ok(());
        }
        self.error(format!("{what} needs {text} where {} stands", self.here()))
    }

    /// Steps over blanks.
    pub(super) fn blanks(&mut self) -> bool {
        let begin = self.at;
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        self.at > begin
    }

    /// Steps over a text with blanks around it.
    pub(super) fn skip_spaced(&mut self, text: &str) -> bool {
        let begin = self.at;
        self.blanks();
        if self.skip(text) {
            self.blanks();
            return true;
        }
        self.at = begin;
        false
    }

    /// Steps over the end of a line.
    pub(super) fn line_break(&mut self) -> bool {
        let begin = self.at;
        self.blanks();
        self.skip("\r");
        if self.skip("\n") {
            return true;
        }
        self.at = begin;
        false
    }

    pub(super) fn empty_lines(&mut self) {
        while self.line_break() {}
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.signs.len()
    }

    /// Steps over the end of a line, or of the file.
    pub(super) fn line_end(&mut self) -> bool {
        let begin = self.at;
        if self.line_break() {
            return true;
        }
        self.blanks();
        if self.is_end() {
            return true;
        }
        self.at = begin;
        false
    }

    pub(super) fn expect_line_end(&mut self) -> Result<(), SourceError> {
        if self.line_end() {
            return Ok(());
        }
        self.error(format!("the line should end where {} stands", self.here()))
    }

    /// A name: letters, digits and `_`, not digits alone.
    pub(super) fn name(&mut self) -> Option<String> {
        let is_of_name = |sign: &&char| sign.is_alphanumeric() || **sign == '_';
        let name: String = self.signs[self.at..].iter().take_while(is_of_name).collect();
        if name.chars().all(|sign| sign.is_ascii_digit()) {
            return None;
        }
        self.at += name.chars().count();
        Some(name)
    }

    /// Steps over this name.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let begin = self.at;
        if self.name().as_deref() == Some(word) {
            return true;
        }
        self.at = begin;
        false
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Result<String, SourceError> {
        match self.name() {
            Some(name) => Ok(name),
            None => self.error(format!("{what} needs a name where {} stands", self.here())),
        }
    }

    /// The text to the end of the line.
    pub(super) fn rest_of_line(&mut self) -> String {
        let rest: String = self.signs[self.at..].iter().take_while(|sign| !matches!(sign, '\n' | '\r')).collect();
        self.at += rest.chars().count();
        rest
    }

    /// The number of the next choice or gather.
    pub(super) fn point(&mut self) -> PointId {
        *self.points += 1;
        *self.points - 1
    }
}

/// The characters of a text without its comments; the lines stay as many.
fn without_comments(text: &str) -> Vec<char> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find('/') {
        let (before, after) = rest.split_at(begin);
        result.extend(before.chars());
        if after.starts_with("//") {
            rest = &after[after.find(['\n', '\r']).unwrap_or(after.len())..];
        } else if let Some(comment) = after.strip_prefix("/*") {
            let end = comment.find("*/").map_or(after.len(), |end| end + 4);
            result.extend(after[..end].chars().filter(|sign| *sign == '\n'));
            rest = &after[end..];
        } else {
            result.push('/');
            rest = &after[1..];
        }
    }
    result.extend(rest.chars());
    result
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_leave_their_lines() {
        let text: String = without_comments("a // b\nc /* d\ne */ f\n/ * g\nh /* i").into_iter().collect();
        assert_eq!(text, "a \nc \n f\n/ * g\nh ");
    }
}
