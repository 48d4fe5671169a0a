//! Positions and plays of Slay the Spire, as JSON: of files, and of requests to the pages.

use slay_the_spire::{Position, Record};

use crate::{Corpus, Target, Verdict};

/// A position or a play is refused, or read.
pub const TARGET: Target = Target {
    name: "position",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/position", ending: ".json" }],
    words: &[
        "\"turn\":",
        "\"health\":",
        "\"enemy\":",
        "\"hand\":",
        "\"strike\"",
        "\"defend\"",
        "\"bash\"",
        "\"draw\":",
        "\"discard\":",
        "\"start\":",
        "\"turns\":",
        "\"play\":",
        "\"cultist_hp\":",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "null",
        "true",
        "1e9",
        "-1",
    ],
    longest: 4_000,
    check,
};

#[expect(clippy::unnecessary_wraps, reason = "all targets have one type")]
fn check(input: &[u8]) -> Result<Verdict, String> {
    let position = serde_json::from_slice::<Position>(input).is_ok();
    let record = serde_json::from_slice::<Record>(input).is_ok();
    Ok(if position || record { Verdict::Accepted } else { Verdict::Refused })
}
