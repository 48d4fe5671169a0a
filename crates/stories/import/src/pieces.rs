//! The nodes at the top of a book in our language, as pieces of its text: heads are taken over, sections replaced.

use gamebook::SectionNumber;

/// A node at the top of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// Its name, such as `section`.
    pub name: &'t str,
    /// The number after the name, where there is one.
    pub number: Option<SectionNumber>,
    /// All of it, without the comments before it.
    pub text: &'t str,
}

impl<'t> Piece<'t> {
    /// The text in its braces.
    pub fn body(&self) -> &'t str {
        let start = self.text.find('{').map_or(self.text.len(), |at| at + 1);
        let end = self.text.rfind('}').unwrap_or(self.text.len()).max(start);
        &self.text[start..end]
    }
}

/// The nodes of a book in their order. Text that is not a book gives some pieces, too; reading the whole book reports the
/// errors.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut depth = 0usize;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let mut ends = None;
        match c {
            '/' if next == Some('/') => {
                while characters.peek().is_some_and(|(_, next)| *next != '\n') {
                    characters.next();
                }
            }
            '"' => {
                start = start.or(Some(at));
                while let Some((_, inner)) = characters.next() {
                    match inner {
                        '\\' => drop(characters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    ends = Some(at + 1);
                }
            }
            '\n' | ';' if depth == 0 => ends = Some(at),
            c if !c.is_whitespace() => start = start.or(Some(at)),
            _ => {}
        }
        if let (Some(end), Some(begin)) = (ends, start) {
            found.extend(piece(&text[begin..end]));
            start = None;
        }
    }
    if let Some(begin) = start {
        found.extend(piece(&text[begin..]));
    }
    found
}

fn piece(text: &str) -> Option<Piece<'_>> {
    let text = text.trim();
    let mut words = text.split(|c: char| c.is_whitespace() || c == '{').filter(|word| !word.is_empty());
    let name = words.next()?;
    Some(Piece { name, number: words.next().and_then(|word| word.parse().ok()), text })
}

#[cfg(test)]
mod tests;
