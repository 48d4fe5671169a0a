//! Saved solutions.

use std::hash::Hasher;
use std::path::Path;

use mdp::{ExploreOptions, Identity};
use siphasher::sip128::{Hasher128, SipHasher13};
use slay_the_spire::{Objective, Plays, Position, SavedFight, Setup, SolvedFight};

use crate::{Corpus, Target, Verdict, budget, root};

/// A file is refused, or it can be asked for advice: as it is, and with its hashes made right, so that the damage behind
/// them is looked at.
pub const TARGET: Target = Target { name: "saved", corpus: &[Corpus::Made(made)], words: &[], longest: 20_000, check };

const POSITION: &str = r#"{"turn":0,"health":10,"enemy":{"health":5},"hand":{"strike":5}}"#;

/// How a file begins: what it is, the version of its format, two hashes. Then its contents come.
const IS: &[u8] = b"bestplay solution\n";
const HASH: usize = 16;

/// Small fights, solved for either objective.
fn made() -> Result<Vec<Vec<u8>>, String> {
    let setups = [
        r#"{"cultist_hp":"5","hp":10,"deck":{"strike":5}}"#,
        r#"{"cultist_hp":"9-11","hp":9,"deck":{"strike":2,"defend":2,"bash":1}}"#,
        r#"{"cultist_hp":"20","hp":8,"deck":{"strike":3,"defend":3}}"#,
    ];
    let mut files = Vec::new();
    for setup in setups {
        let setup: Setup = serde_json::from_str(setup).map_err(|error| error.to_string())?;
        for (objective, plays) in [(Objective::Health, Plays::All), (Objective::Survival, Plays::Promising)] {
            let solved = SolvedFight::new(&setup, objective, plays, &ExploreOptions::default());
            let solved = solved.map_err(|error| error.to_string())?;
            let mut file = Vec::new();
            solved.save(&mut file, None).map_err(|error| error.to_string())?;
            files.push(file);
        }
    }
    Ok(files)
}

/// Does something with a path at which nothing is left afterwards.
fn in_a_file<T>(with: impl FnOnce(&Path) -> Result<T, String>) -> Result<T, String> {
    let folder = root().join("target/fuzz");
    let path = folder.join(format!("saved-{}.part", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let done = with(&path);
    // What is left over is of no use.
    let _ = std::fs::remove_file(&path);
    done
}

/// The file with right hashes of what it is about and of its contents.
fn sealed(input: &[u8]) -> Option<Vec<u8>> {
    let (version, hashed) = input.strip_prefix(IS)?.split_first()?;
    let contents = hashed.get(2 * HASH..)?;
    let (identity, _) = postcard::take_from_bytes::<Identity>(contents).ok()?;
    let mut hasher = SipHasher13::new();
    hasher.write(contents);
    let hash = hasher.finish128().as_u128();
    Some([IS, &[*version], &identity.hash().to_le_bytes(), &hash.to_le_bytes(), contents].concat())
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let position: Position = serde_json::from_str(POSITION).map_err(|error| error.to_string())?;
    let reads = |file: &[u8]| {
        in_a_file(|path| {
            std::fs::write(path, file).map_err(|error| format!("{}: {error}", path.display()))?;
            let Ok(saved) = SavedFight::load(path, Some(&budget())) else { return Ok(false) };
            // It may be about another fight.
            let _ = saved.advise(&position);
            Ok(true)
        })
    };
    let is_read = reads(input)?;
    let is_read = match sealed(input) {
        Some(file) if !is_read => reads(&file)?,
        _ => is_read,
    };
    Ok(if is_read { Verdict::Accepted } else { Verdict::Refused })
}
