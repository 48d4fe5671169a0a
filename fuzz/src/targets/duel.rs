//! What the options of Fighting Fantasy say.

use fighting_fantasy::{Chance, Enemy, Strategy};

use crate::{Corpus, Target, Verdict};

/// An enemy, a chance or a strategy is refused, or read.
pub const TARGET: Target = Target {
    name: "duel",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/duel", ending: ".txt" }],
    words: &["/", "1/36", "12/24", "%", "always", "never", "if", "<", ">", "luck", "stamina", "skill", ","],
    longest: 200,
    check: |input| Ok(check(input)),
};

fn check(input: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(input);
    let read = text.parse::<Enemy>().is_ok() || text.parse::<Chance>().is_ok() || text.parse::<Strategy>().is_ok();
    if read { Verdict::Accepted } else { Verdict::Refused }
}
