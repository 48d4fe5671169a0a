//! Gamebooks.

use gamebook::{check as look, read_within};

use crate::{Corpus, Target, Verdict, budget};

/// A book is refused, or it can be looked over for mistakes.
pub const TARGET: Target = Target {
    name: "book",
    corpus: &[
        Corpus { folder: "crates/gamebook/tests/books", ending: "crossing.kdl" },
        Corpus { folder: "crates/gamebook/tests/books", ending: "hundred-mistakes.kdl" },
        Corpus { folder: "crates/gamebook/tests/books", ending: "over.kdl" },
        Corpus { folder: "crates/fuzz/corpus/book", ending: ".kdl" },
    ],
    words: &[
        "section 1 {\n",
        "}\n",
        "goto 2\n",
        "victory\n",
        "death \"text\"\n",
        "pick {",
        "when 0 4 {",
        "else {",
        "each ",
        "fight ",
        "combat-skill 15",
        "endurance 25",
        "hero {",
        "choice \"text\" {",
        "if ",
        "\"",
        "//",
        "/*",
        "*/",
        "=",
    ],
    longest: 20_000,
    check,
};

#[expect(clippy::unnecessary_wraps, reason = "all targets have one type")]
fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let budget = budget();
    let Ok((book, _)) = read_within(&text, &budget) else { return Ok(Verdict::Refused) };
    // What it finds is for the author.
    let _ = look(&book, &budget);
    Ok(Verdict::Accepted)
}
