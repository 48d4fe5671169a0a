//! Models as DRN.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use model_files::{fingerprint, read_drn, read_from, write_drn};

use crate::{Corpus, Target, Verdict, budget};

/// A model is refused, or the same when it is written and read again, or stands alone in an archive.
pub const TARGET: Target = Target {
    name: "drn",
    corpus: &[Corpus::Files { folder: "crates/engine/model-files/tests/data", ending: ".drn" }],
    words: &[
        "@type: DTMC\n",
        "@type: MDP\n",
        "@value_type: rational\n",
        "@parameters\n\n",
        "@placeholders\n$x : 1/2\n",
        "@reward_models\na b\n",
        "@nr_states\n",
        "@nr_choices\n",
        "@model\n",
        "\nstate ",
        "\n\taction ",
        "\n\t\t0 : 1",
        " : ",
        " init",
        " \"a b\"",
        "[1, 2]",
        "[0.5]",
        "$x",
        "//",
        "__NOLABEL__",
        "1e-5",
        "1e-4000",
        "-1/2",
        "1/3",
        "\r\n",
    ],
    longest: 20_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let budget = budget();
    let Ok(model) = read_drn(input, &budget) else { return Ok(Verdict::Refused) };
    let mut text = Vec::new();
    // Not all names and numbers can be written; what is written can be read.
    if write_drn(&model, &mut text, &budget).is_ok() {
        let again = read_drn(&text[..], &budget).map_err(|error| format!("what was written is refused: {error}"))?;
        if fingerprint(&again, &budget) != fingerprint(&model, &budget) {
            return Err("written and read again it is another model".into());
        }
    }
    if archived(input).and_then(|bytes| read_from(Cursor::new(bytes), &budget).ok()).as_ref() != Some(&model) {
        return Err("alone in an archive it is another model".into());
    }
    Ok(Verdict::Accepted)
}

/// The bytes of archives with one file, damaged: they are refused, or a model.
pub const ARCHIVES: Target = Target {
    name: "drn-archive",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/drn-archive", ending: ".drn.tar" }],
    words: &["ustar", "m.drn", "\0", "index.json", "@type: MDP\n", "./"],
    longest: 20_000,
    check: check_archive,
};

fn check_archive(input: &[u8]) -> Result<Verdict, String> {
    let budget = budget();
    let mut input = input.to_vec();
    if let Some(head) = input.get_mut(..512) {
        // The first checksum is right, so that what it is about is looked at.
        let mut header = tar::Header::from_byte_slice(head).clone();
        header.set_cksum();
        head.copy_from_slice(header.as_bytes());
    }
    let plain = read_from(Cursor::new(&input), &budget);
    let packed = gzip(&input).and_then(|bytes| read_from(Cursor::new(bytes), &budget).ok());
    match (plain, packed) {
        (Ok(plain), Some(packed)) if plain == packed => Ok(Verdict::Accepted),
        (Err(_), None) => Ok(Verdict::Refused),
        _ => Err("compressed it is another model".into()),
    }
}

/// The text as the only file of a compressed archive.
fn archived(text: &[u8]) -> Option<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    archive.append_data(&mut header, "m.drn", text).ok()?;
    gzip(&archive.into_inner().ok()?)
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).ok()?;
    packed.finish().ok()
}
