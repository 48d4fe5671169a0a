//! A mark after each letter beyond ASCII, in all that the runtime reads.
//!
//! Where the runtime meets glue, it looks for a line break from one byte after the last letter on: within a letter of
//! several bytes it panics. So every letter that it could find there is followed by a mark of one byte. Texts that are
//! equal stay so, and so do their parts and their order: names, paths and lists get marks, too, and nothing compares a
//! text with marks and one without.

/// A sign of one byte that is no blank, and that JSON writes as it is.
const MARK: char = '\u{7f}';

/// Whether a story, in JSON, needs marks. One that has the sign itself gets none.
pub(crate) fn are_needed(json: &str) -> bool {
    !json.is_ascii() && json.contains("\"<>\"") && !json.contains(MARK)
}

/// The text with marks.
pub(crate) fn with_marks(text: &str) -> String {
    let mut marked = String::with_capacity(text.len() * 3 / 2);
    for letter in text.chars() {
        marked.push(letter);
        if !letter.is_ascii() && !letter.is_whitespace() {
            marked.push(MARK);
        }
    }
    marked
}

/// The text without marks.
pub(crate) fn without_marks(mut text: String) -> String {
    text.retain(|letter| letter != MARK);
    text
}
