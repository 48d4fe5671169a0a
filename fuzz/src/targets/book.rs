//! Gamebooks.

use gamebook::{check as look, numbers, quiet, read_beside, read_within};

use crate::{Corpus, Target, Verdict, budget};

/// A book that asks for the input as its system of rules.
const OF_A_SYSTEM: &str = "book B format=1 system=\"own.kdl\"\nstart 1\ngoal 2\nhero { }\n\
                           section 1 { goto 2; }\nsection 2 { victory; }\n";

/// A book, or a system of rules, is refused, or it can be looked over for mistakes.
pub const TARGET: Target = Target {
    name: "book",
    corpus: &[
        Corpus::Files { folder: "crates/gamebook/gamebook/tests/books", ending: "crossing.kdl" },
        Corpus::Files { folder: "crates/gamebook/gamebook/tests/books", ending: "hundred-mistakes.kdl" },
        Corpus::Files { folder: "crates/gamebook/gamebook/tests/books", ending: "over.kdl" },
        Corpus::Files { folder: "fuzz/corpus/book", ending: ".kdl" },
        Corpus::Files { folder: "crates/gamebook/systems", ending: ".kdl" },
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
        "system \"s\" format=1\n",
        " like=\"lone-wolf\"\n",
        "hunger endurance=-2\n",
        "combat-skill from=\"2d6 + 6\" start=9\n",
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

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let budget = budget();
    let of_a_system = || read_beside(OF_A_SYSTEM, &|_| Ok(text.clone().into_owned()), &budget);
    let Ok((book, _)) = read_within(&text, &budget).or_else(|_| of_a_system()) else { return Ok(Verdict::Refused) };
    // What it finds is for the author.
    if let Ok(found) = look(&book, &budget) {
        let _ = quiet(&text, found);
    }
    for own in numbers(&text, &budget).unwrap_or_default() {
        if text.get(own.span.clone()).and_then(|number| number.parse().ok()) != Some(own.value) {
            return Err(format!("the number {} is not at its span", own.name));
        }
    }
    Ok(Verdict::Accepted)
}
