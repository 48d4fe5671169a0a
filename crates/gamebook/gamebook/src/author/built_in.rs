//! The books that come with the crate.

pub use books::KnownBounds;

use crate::book::Book;

/// The built-in books: names and texts.
///
/// ```
/// let (name, text) = gamebook::BUILT_IN[0];
/// assert_eq!(name, "fire-on-the-water");
/// assert_eq!(gamebook::read(text)?.0.sections.len(), 350);
/// # Ok::<(), gamebook::Problems>(())
/// ```
pub const BUILT_IN: [(&str, &str); books::BOOKS.len()] = books::BOOKS;

/// The text of a built-in book.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// Known bounds of a built-in book that is too large to be solved in a moment, for its own hero. `None` for most books, and for
/// any book whose content differs from the built-in one.
pub fn known_bounds(book: &Book) -> Option<&'static KnownBounds> {
    books::KNOWN_BOUNDS.iter().find(|known| known.mark == book.mark)
}

/// The built-in series of books: names and texts.
///
/// ```
/// assert!(gamebook::BUILT_IN_SERIES.iter().all(|(_, text)| gamebook::is_series(text)));
/// ```
pub const BUILT_IN_SERIES: [(&str, &str); books::SERIES.len()] = books::SERIES;
