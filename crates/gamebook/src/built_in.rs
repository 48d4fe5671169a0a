//! The books that come with the program.

/// The built-in books: names and texts.
///
/// ```
/// let (name, text) = gamebook::BUILT_IN[0];
/// assert_eq!(name, "fire-on-the-water");
/// assert_eq!(gamebook::read(text)?.0.sections.len(), 350);
/// # Ok::<(), gamebook::Problems>(())
/// ```
pub const BUILT_IN: [(&str, &str); 7] = [
    ("fire-on-the-water", include_str!("../../../books/fire-on-the-water.kdl")),
    ("flight-from-the-dark", include_str!("../../../books/flight-from-the-dark.kdl")),
    ("the-caverns-of-kalte", include_str!("../../../books/the-caverns-of-kalte.kdl")),
    ("the-chasm-of-doom", include_str!("../../../books/the-chasm-of-doom.kdl")),
    ("shadow-on-the-sand", include_str!("../../../books/shadow-on-the-sand.kdl")),
    ("warlock-of-firetop-mountain", include_str!("../../../books/warlock-of-firetop-mountain.kdl")),
    ("crypt-of-the-sorcerer", include_str!("../../../books/crypt-of-the-sorcerer.kdl")),
];

/// The text of a built-in book.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// The built-in series of books: names and texts.
///
/// ```
/// assert!(gamebook::BUILT_IN_SERIES.iter().all(|(_, text)| gamebook::is_series(text)));
/// ```
pub const BUILT_IN_SERIES: [(&str, &str); 1] =
    [("lone-wolf-kai", include_str!("../../../books/series/lone-wolf-kai.kdl"))];
