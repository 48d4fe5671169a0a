//! Stories of others: Twee.

use gamebook::{ReadError, check as look, read_within};
use import::twee;

use crate::{Corpus, Target, Verdict, budget};

/// A file in Twee is refused, or it becomes a book that can be read, unless it asks for more than a book holds.
pub const TWEE: Target = Target {
    name: "twee",
    corpus: &[Corpus::Files { folder: "crates/stories/import/tests/data", ending: ".twee" }],
    words: &[
        ":: Mill [win]\n",
        "[[Back->Road]]",
        "[[",
        "]]",
        "(if: $coins > 2)[",
        "](else:)[",
        "(set: $coins to it + 1)",
        "(either: 1, 2)",
        "(random: 1, 6)",
        "(link: \"a\")[(goto: \"Mill\")]",
        "<<if $coins gt 2>>",
        "<<else>>",
        "<</if>>",
        "<<set $coins += 1>>",
        "<<link \"a\" \"Mill\">><</link>>",
        "<<link \"a\">><<set $coins++>><</link>>",
        "<<linkreplace \"a\">>[[Mill]]<</linkreplace>>",
        "<<switch $coins>><<case 1 2>><<default>><</switch>>",
        "<<for _i to 0; _i lt 3; _i++>>",
        "<</for>>",
        "<<goto \"Mill\">>",
        "<<include \"Mill\">>",
        "<<run $bag.push(\"x\")>>",
        "$bag.includes(\"x\")",
        "visited(\"Mill\")",
        "(link-reveal: \"a\")[",
        "(cond: $coins is 1 or 2, 3, 4)",
        "(set: $bag to (a: \"x\"))",
        "(if: $bag contains \"x\")[[Mill]]",
        "$key[",
        "\"format\": \"Chapbook\"",
        "coins: 3\n--\n",
        "[if coins > 1]\n",
        "{embed passage: 'Mill'}",
        "<tw-storydata name=\"a\" startnode=\"1\" format=\"Harlowe\">",
        "<tw-passagedata pid=\"1\" name=\"Mill\">",
        "</tw-passagedata>",
        "\"",
        " is not ",
        "\"format\": \"SugarCube\"",
        "<!--",
    ],
    longest: 6_000,
    check: becomes_a_book,
};

fn becomes_a_book(input: &[u8]) -> Result<Verdict, String> {
    let budget = budget();
    let Ok(imported) = twee(input, &[], &budget) else { return Ok(Verdict::Refused) };
    match read_within(&imported.text, &budget) {
        Ok((book, _)) => {
            let _ = look(&book, &budget);
            Ok(Verdict::Accepted)
        }
        Err(ReadError::Problems(problems)) => {
            let first = problems.0.iter().find(|own| own.severity == gamebook::Severity::Error);
            let first = first.map_or_else(String::new, |own| {
                let line = imported.text.lines().nth(own.position(&imported.text).0 - 1).unwrap_or_default();
                format!("{}: {line}", own.message)
            });
            Err(format!("it becomes no book: {first}"))
        }
        Err(ReadError::Stopped(_)) => Ok(Verdict::Refused),
    }
}
