//! DRN as the only file of a tar archive, as Storm writes it where the text is to be compressed.

use std::io::Write;
use std::path::PathBuf;

use budget::{Budget, Limits};
use flate2::Compression;
use flate2::write::GzEncoder;
use model_files::{fingerprint, read, read_drn};

const DRN: &str = "@type: DTMC\n@value_type: double\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@nr_choices\n3\n@model\n\
    state 0 init\n\taction 0\n\t\t1 : 0.3333333333\n\t\t2 : 0.6666666667\nstate 1 a\n\taction 0\n\t\t1 : 1\n\
    state 2\n\taction 0\n\t\t2 : 1\n";

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

/// Reads the bytes as a file: its fingerprint, or the error.
fn read_bytes(name: &str, bytes: &[u8], budget: &Budget<'_>) -> Result<String, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("archive-{name}"));
    std::fs::write(&path, bytes).unwrap();
    let model = read(&path, budget).map_err(|error| error.to_string());
    std::fs::remove_file(&path).unwrap();
    Ok(fingerprint(&model?, budget).unwrap())
}

#[test]
fn a_text_alone_in_its_archive() {
    let budget = Budget::default();
    let right = fingerprint(&read_drn(DRN.as_bytes(), &budget).unwrap(), &budget).unwrap();
    let plain = tar(&[("m.drn", DRN.as_bytes())]);
    let long_name = format!("{}/m", "folder/".repeat(40));
    for (number, archive) in [
        plain.clone(),
        gzip(&plain),
        gzip(&tar(&[("some/folder/anything", DRN.as_bytes())])),
        tar(&[(&long_name, DRN.as_bytes())]),
        tar(&[("m.drn.gz", &gzip(DRN.as_bytes()))]),
    ]
    .into_iter()
    .enumerate()
    {
        let found = read_bytes(&format!("right-{number}"), &archive, &budget);
        assert_eq!(found.as_ref(), Ok(&right), "archive {number}");
    }
}

#[test]
fn other_archives_are_refused() {
    let budget = Budget::default();
    let error = |name: &str, bytes: &[u8]| read_bytes(name, bytes, &budget).unwrap_err();
    let two = tar(&[("a.drn", DRN.as_bytes()), ("b.drn", DRN.as_bytes())]);
    assert!(error("two", &two).contains("an archive of 2 files without an index.json"));
    let jani = tar(&[("m.jani", b"{ \"jani-version\": 1 }")]);
    assert!(error("jani", &gzip(&jani)).contains("a JANI model, not DRN"));
    // Truncated anywhere, or damaged in its header, it is not a model.
    let whole = gzip(&tar(&[("m.drn", DRN.as_bytes())]));
    for length in (0..whole.len()).step_by(7) {
        error(&format!("cut-{length}"), &whole[..length]);
    }
    let plain = tar(&[("m.drn", DRN.as_bytes())]);
    for length in (1..plain.len() - 1).step_by(97) {
        error(&format!("plain-{length}"), &plain[..length]);
    }
    let mut damaged = plain.clone();
    damaged[124] ^= 1;
    error("head", &damaged);
    let mut longer = plain;
    longer.extend(b"and more");
    assert!(error("longer", &longer).contains("something follows the end of the archive"));
}

#[test]
fn limits_hold_for_unpacked_data() {
    let more = "// ".to_string() + &"x".repeat(200 << 20) + "\n" + DRN;
    let bomb = gzip(&tar(&[("m.drn", more.as_bytes())]));
    let budget = Budget::new(Limits { max_memory: 32 << 20, ..Limits::default() });
    let error = read_bytes("bomb", &bomb, &budget).unwrap_err();
    assert!(error.contains("of memory is reached"), "{error}");
}
