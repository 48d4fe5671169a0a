//! Reading and writing UMB. The files in `data` are written by the format's reference
//! implementation, see `data/make.py`.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use model_files::{Compression, ExplicitModel, Limits, fingerprint, layered, read, read_umb, write_umb};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn parse(bytes: &[u8]) -> Result<ExplicitModel, String> {
    read_umb(Cursor::new(bytes), &Limits::default()).map_err(|error| error.to_string())
}

#[test]
fn the_same_model_in_all_its_forms() {
    let text = read(&data("random-41.drn"), &Limits::default()).unwrap();
    for name in ["fractions.umb", "fractions-xz.umb", "fractions-plain.umb"] {
        let model = read(&data(name), &Limits::default()).unwrap();
        assert_eq!(fingerprint(&model), fingerprint(&text), "{name}");
        assert_eq!(model.normalised_choices(), 0);
    }
    // As doubles some probabilities miss 1 in sum; divided by their sum they are close to the fractions.
    let doubles = read(&data("doubles.umb"), &Limits::default()).unwrap();
    assert!(doubles.normalised_choices() > 0);
    for choice in 0..text.choice_count() {
        for ((to, exact), (also_to, close)) in text.probabilities(choice).zip(doubles.probabilities(choice)) {
            assert_eq!(to, also_to);
            assert!((exact.to_f64().value() - close.to_f64().value()).abs() < 1e-15);
        }
    }
}

#[test]
fn written_models_are_read_back() {
    let random = read(&data("random-226.drn"), &Limits::default()).unwrap();
    for model in [random, layered(2500, 7).unwrap()] {
        for compression in [Compression::None, Compression::Gzip] {
            let mut bytes = Vec::new();
            write_umb(&model, &mut bytes, compression).unwrap();
            assert_eq!(parse(&bytes).unwrap(), model);
        }
    }
}

/// The parts of a plain archive.
fn parts(model: &ExplicitModel) -> Vec<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    write_umb(model, &mut bytes, Compression::None).unwrap();
    let mut archive = tar::Archive::new(&bytes[..]);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut part = Vec::new();
        entry.read_to_end(&mut part).unwrap();
        (name, part)
    });
    entries.collect()
}

fn pack(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, part) in parts {
        let mut header = tar::Header::new_ustar();
        header.set_size(part.len() as u64);
        builder.append_data(&mut header, name, &part[..]).unwrap();
    }
    builder.into_inner().unwrap()
}

/// The error after a change to one part of a model's archive.
fn damage(part: &str, change: impl Fn(&mut Vec<u8>)) -> String {
    let model = read(&data("random-41.drn"), &Limits::default()).unwrap();
    let mut parts = parts(&model);
    let found = parts.iter_mut().find(|(name, _)| name == part).unwrap_or_else(|| panic!("no {part}"));
    change(&mut found.1);
    parse(&pack(&parts)).expect_err(part)
}

fn replace(from: &'static str, to: &'static str) -> impl Fn(&mut Vec<u8>) {
    move |part| {
        let text = String::from_utf8(part.clone()).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        *part = text.replacen(from, to, 1).into_bytes();
    }
}

fn put(index: usize, word: u64) -> impl Fn(&mut Vec<u8>) {
    move |part| part[index * 8..index * 8 + 8].copy_from_slice(&word.to_le_bytes())
}

#[test]
fn damage_is_told_with_its_place() {
    let index = |from, to| damage("index.json", replace(from, to));
    let expect = |found: String, start: &str| assert!(found.starts_with(start), "   found {found}\nexpected {start}");
    expect(index("\"discrete\"", "\"stochastic\""), "index.json: a model with time `stochastic`");
    expect(index("\"#players\": 1", "\"#players\": 2"), "index.json: a model with 2 players");
    expect(index("\"#observations\": 0", "\"#observations\": 3"), "index.json: a model with observations");
    expect(index("\"format-version\": 1", "\"format-version\": 9"), "index.json: version 9 of the format");
    expect(index("{", "["), "index.json: line 2, column");
    expect(
        index("\"rational\"", "\"rational-interval\""),
        "index.json: branch-probability-type: numbers of type `rational-interval`",
    );
    expect(index("\"#states\": 9", "\"#states\": 4000000000000"), "index.json: 4000000000000 states");
    let error = index("\"#states\": 9", "\"#states\": 4000000000");
    assert!(error.contains("the index asks for 4000000001 entries"), "{error}");
    expect(
        index("\"#branches\": ", "\"#branches\": 4"),
        "choice-to-branches.bin, entry 17 (byte 136): 29 (429: ranges follow each other from 0 to 429)",
    );
    expect(
        index("\"#initial-states\": 1", "\"#initial-states\": 2"),
        "state-is-initial.bin: 1 initial states (the index declares 2)",
    );
    expect(
        damage("branch-to-target.bin", put(3, 99)),
        "branch-to-target.bin, entry 3 (byte 24): target state 99 (there are 9, numbered from 0)",
    );
    expect(damage("state-to-choices.bin", put(0, 1)), "state-to-choices.bin, entry 0 (byte 0): 1 (0: ranges follow");
    expect(damage("state-to-choices.bin", put(2, 1 << 40)), "state-to-choices.bin, entry 2 (byte 16): 1099511627776 (");
    expect(damage("choice-to-branches.bin", put(3, 0)), "choice-to-branches.bin, entry 3 (byte 24): 0 (");
    expect(
        damage("branch-to-probability.bin", put(1, 0)),
        "branch-to-probability.bin, entry 0 (byte 0): a fraction with denominator 0",
    );
    expect(
        damage("branch-to-probability.bin", put(0, 3)),
        "choice-to-branches.bin, entry 0 (byte 0): this choice: the probabilities sum to",
    );
    expect(
        damage("branch-to-probability.bin", put(0, u64::MAX)),
        "choice-to-branches.bin, entry 0 (byte 0): this choice: a probability below zero",
    );
    expect(
        damage("branch-to-target.bin", |part| part.truncate(40)),
        "branch-to-target.bin: 40 bytes (the index asks for",
    );
    expect(
        damage("state-is-initial.bin", |part| part[1] = 0x80),
        "state-is-initial.bin, entry 1 (byte 1): the bit of state 15 (there are 9 states)",
    );
}

#[test]
fn parts_that_are_missing_or_twice() {
    let model = read(&data("random-41.drn"), &Limits::default()).unwrap();
    let all = parts(&model);
    for (name, _) in &all {
        let without: Vec<_> = all.iter().filter(|(other, _)| other != name).cloned().collect();
        let result = parse(&pack(&without));
        // Rewards are zero where they are left out.
        assert!(result.is_err() || name.contains("rewards"), "{name}");
        let mut twice = all.clone();
        twice.push(all.iter().find(|(other, _)| other == name).unwrap().clone());
        assert!(parse(&pack(&twice)).is_err() || name == "index.json", "{name}");
    }
    let mut reversed = all.clone();
    reversed.reverse();
    assert_eq!(parse(&pack(&reversed)).unwrap(), model);
}

#[test]
fn bombs_do_not_go_off() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut header = tar::Header::new_ustar();
    header.set_path("index.json").unwrap();
    header.set_size(1 << 40);
    header.set_cksum();
    packed.write_all(header.as_bytes()).unwrap();
    for _ in 0..64 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = packed.finish().unwrap();
    assert!(bomb.len() < 100_000);
    assert!(parse(&bomb).unwrap_err().starts_with("index.json: 1099511627776 bytes"));

    let mut bytes = Vec::new();
    write_umb(&layered(5000, 1).unwrap(), &mut bytes, Compression::Gzip).unwrap();
    let limits = Limits { unpacked_bytes: 100_000, ..Limits::default() };
    let error = read_umb(Cursor::new(&bytes), &limits).unwrap_err().to_string();
    assert!(error.contains("more than 100000 bytes"), "{error}");
}

#[test]
fn files_that_are_none() {
    for bytes in [&b""[..], b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\0", b"\xfd7zXZ\0", b"\xfd7zXZ\0\0\0\0", &[0; 600]] {
        assert!(parse(bytes).is_err());
    }
}
