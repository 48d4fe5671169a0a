//! Segmentation of a book's text into pieces that are parsed separately: each top-level line with the braces that it opens. An
//! error in one section leaves the others readable, and no text is too broken for the parser.

use std::ops::Range;

use super::long_text::LongText;
use super::newline::kdl_lines;
use super::scan::Scanner;
use crate::syntax::heads::begins;

/// The segmentation of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// The pieces with content.
    pub(crate) parts: Vec<Range<usize>>,
    /// The start of a comment or text of several lines that is never closed; what follows is in no piece.
    pub(crate) never_closed: Option<usize>,
    /// Positions after a `}` where a `;` is missing.
    pub(crate) joined: Vec<usize>,
    /// Texts that are long or have several lines, and long comments.
    pub(crate) texts: Vec<LongText>,
    pub(crate) comments: Vec<Range<usize>>,
    /// The number of words outside of texts and comments, and their length.
    pub(crate) words: usize,
    pub(crate) code: usize,
}

/// Splits a text. If braces are open at its end, one is missing: then a top-level word at the beginning of a line begins a
/// piece even inside braces.
pub(crate) fn pieces(text: &str) -> Pieces {
    let (found, depth) = cut(text, false);
    if depth == 0 { found } else { cut(text, true).0 }
}

/// Splits a text, with `heads` also inside braces; returns the number of open braces at the end.
fn cut(text: &str, heads: bool) -> (Pieces, usize) {
    let mut found = Pieces::default();
    let mut line = Scanner::new();
    let (mut begin, mut at) = (0, 0);
    for own in kdl_lines(text) {
        if line.is_between() && (line.depth == 0 || heads && begins(own)) {
            found.push(text, begin..at);
            begin = at;
            line.depth = 0;
        }
        line.read(own.as_bytes(), at);
        at += own.len();
    }
    found.never_closed = line.opened();
    if found.never_closed.is_none() {
        found.push(text, begin..at);
    }
    let Scanner { joined, texts, comments, words, code, depth, .. } = line;
    (Pieces { joined, texts, comments, words, code, ..found }, depth)
}

impl Pieces {
    fn push(&mut self, text: &str, piece: Range<usize>) {
        if !text[piece.clone()].trim().is_empty() {
            self.parts.push(piece);
        }
    }
}

/// The spans of texts that are long or have several lines.
pub(crate) fn long_texts(text: &str) -> Vec<Range<usize>> {
    pieces(text).texts.into_iter().map(|own| own.span).collect()
}

/// Splits a part of a text outside of braces into parts of at most this many bytes, if possible.
pub(crate) fn parts(text: &str, part: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let mut line = Scanner::new();
    let mut ends = Vec::new();
    let mut at = part.start;
    for own in kdl_lines(&text[part.clone()]) {
        if line.is_between() && line.depth == 0 && at > part.start {
            ends.push(at);
        }
        line.read(own.as_bytes(), at);
        ends.append(&mut line.ends);
        at += own.len();
    }
    ends.push(part.end);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut begin = part.start;
    for end in ends {
        match found.last_mut() {
            Some(last) if last.len() + (end - begin) <= most => last.end = end,
            _ => found.push(begin..end),
        }
        begin = end;
    }
    found
}

/// The outer braces of a part of a text, if there is one pair: from `{` to `}`.
pub(crate) fn outer_braces(text: &str, part: Range<usize>) -> Option<Range<usize>> {
    let mut line = Scanner::new();
    let mut at = part.start;
    for own in kdl_lines(&text[part.clone()]) {
        line.read(own.as_bytes(), at);
        at += own.len();
    }
    match &line.braces[..] {
        [only] if !only.is_empty() => Some(only.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
