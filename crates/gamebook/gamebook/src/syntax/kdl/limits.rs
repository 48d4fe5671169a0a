//! Limits of parsing.

/// The largest section number.
pub(crate) const LAST_SECTION: i64 = 9999;

/// The deepest nesting of braces, and of comments.
pub(crate) const DEEPEST: usize = 64;

/// The longest book file, in bytes.
pub(crate) const LONGEST: usize = 16 << 20;

/// The longest top-level node, such as a section, in bytes.
pub(crate) const LONGEST_PIECE: usize = 1 << 20;

/// The version of the book language.
pub(crate) const FORMAT: i64 = 1;
