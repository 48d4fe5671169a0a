//! Saved solutions.

use slay_the_spire::{Position, SavedFight};

use crate::{Corpus, Target, Verdict, budget, root};

/// A file is refused, or it can be asked for advice.
pub const TARGET: Target = Target {
    name: "saved",
    corpus: &[Corpus { folder: "fuzz/corpus/saved", ending: ".sol" }],
    words: &[],
    longest: 20_000,
    check,
};

const POSITION: &str = r#"{"turn":0,"health":10,"enemy":{"health":5},"hand":{"strike":5}}"#;

fn check(input: &[u8]) -> Result<Verdict, String> {
    let folder = root().join("target/fuzz");
    let path = folder.join(format!("saved-{}.part", std::process::id()));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, input));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    let loaded = SavedFight::load(&path, Some(&budget()));
    // What is left over is of no use.
    let _ = std::fs::remove_file(&path);
    let Ok(saved) = loaded else { return Ok(Verdict::Refused) };
    let position: Position = serde_json::from_str(POSITION).map_err(|error| error.to_string())?;
    // It may be about another fight.
    let _ = saved.advise(&position);
    Ok(Verdict::Accepted)
}
