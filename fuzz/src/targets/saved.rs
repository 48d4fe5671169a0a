//! Saved solutions.

use std::hash::Hasher;
use std::path::Path;

use mdp::{
    Distribution, ExploreOptions, Game, Identity, Rational, Saved, SolveOptions, Turn, Weight, explore, ratio, solve,
};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::{Corpus, Target, Verdict, budget, root};

/// A file is refused, or its solution can be asked: as it is, and with its hashes made right, so that the damage behind
/// them is looked at.
pub const TARGET: Target = Target { name: "saved", corpus: &[Corpus::Made(made)], words: &[], longest: 20_000, check };

/// A walk on a line of so many places, with a fair coin or a worse one, or straight back; it pays at the ends, in two ways.
struct Walk {
    places: u8,
}

impl Game for Walk {
    type State = u8;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::certain(self.places / 2), Distribution::certain(1)]
    }

    fn rules(&self, place: &u8, turn: &mut Turn<u8>) {
        match *place {
            0 => turn.end_ordered([ratio(-1, 3), Rational::ONE]),
            place if place == self.places => turn.end_ordered([Rational::ONE, Rational::ZERO]),
            place => {
                turn.chance([(place - 1, Weight(1)), (place + 1, Weight(1))]);
                turn.chance([(place - 1, Weight(u64::MAX)), (place + 1, Weight(u64::MAX - 1))]);
                turn.to(place - 1);
            }
        }
    }
}

/// How a file begins: what it is, the version of its format, two hashes. Then its contents come.
const IS: &[u8] = b"bestplay solution\n";
const HASH: usize = 16;

/// Short and longer walks.
fn made() -> Result<Vec<Vec<u8>>, String> {
    let mut files = Vec::new();
    for places in [2, 5, 9, 30] {
        let walk = Walk { places };
        for exact in [false, true] {
            let space = explore(&walk, &ExploreOptions::default()).map_err(|error| error.to_string())?;
            let options = SolveOptions::default().with_exact(exact);
            let solution = solve(space.model(), &options).map_err(|error| error.to_string())?;
            let identity = Identity { game: "walk".into(), rules: 1, parameters: format!("places={places}") };
            let mut file = Vec::new();
            let saved = Saved::new(identity, space.map(|place| *place), solution);
            saved.write(&mut file, None).map_err(|error| error.to_string())?;
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
    let reads = |file: &[u8]| {
        in_a_file(|path| {
            std::fs::write(path, file).map_err(|error| format!("{}: {error}", path.display()))?;
            let Ok(saved) = Saved::<u8>::load(path, None, Some(&budget())) else { return Ok(false) };
            for start in saved.space().starts() {
                let _ = saved.solution().value_of(start);
            }
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
