//! What is known of books that are too large to be solved in a moment.

/// Between which bounds the book's own hero wins a book by best play, read and played as the book has it.
///
/// A test of `bestplay-gamebook` computes them again: `cargo test --release -p bestplay-gamebook --test all -- --ignored
/// known_bounds`.
#[derive(Clone, Copy, Debug)]
pub struct KnownBounds {
    /// The book's name.
    pub book: &'static str,
    /// The mark of the text of which they were computed: of any other they tell nothing.
    pub mark: u64,
    /// The policy of the book that wins at least so often.
    pub policy: &'static str,
    /// A probability.
    pub at_least: f64,
    /// The kinder game of the book that is won at most so often.
    pub kinder: &'static str,
    /// A probability.
    pub at_most: f64,
    /// So many states even the policy's own game has: who allows no more for the whole need not try.
    pub beyond: u64,
}

/// What is known.
pub const KNOWN_BOUNDS: [KnownBounds; 1] = [KnownBounds {
    book: "shadow-on-the-sand",
    mark: 0xbba8_bae9_c545_d430,
    policy: "thrifty",
    at_least: 0.669_829_95,
    kinder: "baggage",
    at_most: 0.669_832_64,
    beyond: 72_000_000,
}];
