//! Differences between two versions of a book's text, regardless of layout and comments.

use std::ops::Range;

use budget::{Budget, Stopped};

use crate::syntax::{arguments, name_span, parse_kdl};

/// A node at the top level of a book, such as a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name: `section 30`, `hero`, `items`.
    pub name: String,
    /// Its content, without comments and layout.
    pub text: String,
    /// The start of its span.
    pub span: Range<usize>,
}

/// The nodes at the top level of a book, in the order of the text.
///
/// ```
/// let budget = budget::Budget::unlimited();
/// let old = gamebook::text_pieces("section 1 { goto 2; } // on\nsection 2 { victory; }", &budget)?;
/// let new = gamebook::text_pieces("section 1 {\n    goto 2\n}\nsection 2 { death; }", &budget)?;
/// assert_eq!((old[0].name.as_str(), old[0].text == new[0].text, old[1].text == new[1].text), ("section 1", true, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the budget is exhausted.
pub fn text_pieces(text: &str, budget: &Budget<'_>) -> Result<Vec<Piece>, Stopped> {
    let parsed = parse_kdl(text, budget)?;
    let piece = |mut node: kdl::KdlNode| {
        let first = arguments(&node).next().map(|entry| match entry.value().as_string() {
            Some(name) => name.to_string(),
            None => entry.value().to_string(),
        });
        let kind = node.name().value().to_string();
        let name = first.map_or_else(|| kind.clone(), |first| format!("{kind} {first}"));
        let span = name_span(&node);
        node.autoformat_no_comments();
        Piece { name, text: node.to_string(), span }
    };
    Ok(parsed.nodes.into_iter().map(piece).collect())
}
