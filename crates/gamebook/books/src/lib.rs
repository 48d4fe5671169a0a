//! The gamebooks that come with bestplay, as numbers, targets and conditions: texts in the language that the crate
//! `bestplay-gamebook` reads. This crate knows nothing of what they mean. Start reading at [`BOOKS`], and at the texts
//! beside the sources.
//!
//! It is a crate of its own, so that `bestplay-gamebook` includes the books wherever it is built.

mod bounds;

pub use bounds::{KNOWN_BOUNDS, KnownBounds};

/// Books: names and texts.
///
/// ```
/// assert!(books::BOOKS.iter().all(|(_, text)| text.contains("format=1")));
/// ```
pub const BOOKS: [(&str, &str); 7] = [
    ("fire-on-the-water", include_str!("../fire-on-the-water.kdl")),
    ("flight-from-the-dark", include_str!("../flight-from-the-dark.kdl")),
    ("the-caverns-of-kalte", include_str!("../the-caverns-of-kalte.kdl")),
    ("the-chasm-of-doom", include_str!("../the-chasm-of-doom.kdl")),
    ("shadow-on-the-sand", include_str!("../shadow-on-the-sand.kdl")),
    ("warlock-of-firetop-mountain", include_str!("../warlock-of-firetop-mountain.kdl")),
    ("crypt-of-the-sorcerer", include_str!("../crypt-of-the-sorcerer.kdl")),
];

/// Series of books: names and texts.
///
/// ```
/// let (_, text) = books::SERIES[0];
/// assert!(text.contains("flight-from-the-dark"));
/// ```
pub const SERIES: [(&str, &str); 1] = [("lone-wolf-kai", include_str!("../series/lone-wolf-kai.kdl"))];
