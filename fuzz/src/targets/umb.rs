//! Models as UMB: what the parts of an archive say, and what the archive around them is.

use std::io::{Cursor, Write};
use std::sync::OnceLock;

use model_files::{Compression, ExplicitModel, fingerprint, read_umb, write_umb};

use crate::{Corpus, Target, Verdict, budget, root};

/// The folder of archives.
const DATA: &str = "crates/engine/model-files/tests/data";

/// The parts of an archive, damaged: the archive around them is made anew, so that they are looked at.
pub const PARTS: Target = Target {
    name: "umb-parts",
    corpus: &[Corpus::Files { folder: DATA, ending: "-plain.umb" }],
    words: &[
        "\"#states\": ",
        "\"#choices\": ",
        "\"#branches\": ",
        "\"#players\": 0",
        "rational",
        "double",
        "\"size\": 128",
        "applies-to",
        "states",
        "choices",
        "branches",
        "aps",
        "rewards",
        "index.json",
        "actions/choices/values.bin",
    ],
    longest: 40_000,
    check: check_parts,
};

/// The bytes of compressed archives, damaged: they are refused, or the same model.
pub const BYTES: Target = Target {
    name: "umb-bytes",
    corpus: &[
        Corpus::Files { folder: DATA, ending: "doubles.umb" },
        Corpus::Files { folder: DATA, ending: "fractions.umb" },
        Corpus::Files { folder: DATA, ending: "fractions-xz.umb" },
    ],
    words: &[],
    longest: 4_000,
    check: check_bytes,
};

/// The archive with right checksums: for every part its name and its content.
fn pack(input: &[u8]) -> Option<Vec<u8>> {
    let mut parts = tar::Builder::new(Vec::new());
    let mut rest = input;
    while rest.len() > 512 {
        let (header, after) = rest.split_at(512);
        let header = tar::Header::from_byte_slice(header);
        let size = usize::try_from(header.entry_size().ok()?).ok()?.min(after.len());
        let path = header.path_bytes().into_owned();
        let mut new = tar::Header::new_ustar();
        new.set_size(size as u64);
        let path = String::from_utf8(path).ok().filter(|path| !path.is_empty() && path.len() < 90)?;
        parts.append_data(&mut new, path.trim_start_matches('/').replace("..", ""), &after[..size]).ok()?;
        rest = &after[(size.div_ceil(512) * 512).min(after.len())..];
        if rest.iter().take(512).all(|byte| *byte == 0) {
            break;
        }
    }
    parts.into_inner().ok()
}

fn check_parts(input: &[u8]) -> Result<Verdict, String> {
    let budget = budget();
    let Some(archive) = pack(input) else { return Ok(Verdict::Refused) };
    let plain = read_umb(Cursor::new(&archive), &budget);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let gzip = gzip.write_all(&archive).and_then(|()| gzip.finish()).map_err(|error| error.to_string())?;
    let packed = read_umb(Cursor::new(&gzip), &budget);
    if packed.as_ref().ok() != plain.as_ref().ok() {
        return Err("compressed it is read differently".into());
    }
    let Ok(model) = plain else { return Ok(Verdict::Refused) };
    let mut written = Vec::new();
    if write_umb(&model, &mut written, Compression::None, &budget).is_ok() {
        let again = read_umb(Cursor::new(&written), &budget);
        let again = again.map_err(|error| format!("what was written is refused: {error}"))?;
        if fingerprint(&again, &budget) != fingerprint(&model, &budget) {
            return Err("written and read again it is another model".into());
        }
    }
    Ok(Verdict::Accepted)
}

fn check_bytes(input: &[u8]) -> Result<Verdict, String> {
    static MODELS: OnceLock<Vec<ExplicitModel>> = OnceLock::new();
    let models = MODELS.get_or_init(|| {
        let open = |name: &str| std::fs::File::open(root().join(DATA).join(name)).expect("the corpus is there");
        let read = |name| read_umb(open(name), &budget()).expect("the corpus is whole");
        vec![read("fractions.umb"), read("doubles.umb")]
    });
    let Ok(model) = read_umb(Cursor::new(input), &budget()) else { return Ok(Verdict::Refused) };
    // A plain archive has no checksums of what its parts hold; a compressed one could be forged only.
    let plain = input.get(257..).is_some_and(|at| at.starts_with(b"ustar"));
    if plain || models.contains(&model) { Ok(Verdict::Accepted) } else { Err("another model".into()) }
}
