//! Reading and writing UMB. The files in `data` are written by the format's reference
//! implementation, see `data/make.py`.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use budget::{Budget, Limits};
use model_files::{Compression, ExplicitModel, fingerprint, layered, read, read_umb, write_umb};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn parse(bytes: &[u8]) -> Result<ExplicitModel, String> {
    read_umb(Cursor::new(bytes), &Budget::default()).map_err(|error| error.to_string())
}

#[test]
fn the_same_model_in_all_its_forms() {
    let text = read(&data("random-41.drn"), &Budget::default()).unwrap();
    for name in ["fractions.umb", "fractions-xz.umb", "fractions-plain.umb"] {
        let model = read(&data(name), &Budget::default()).unwrap();
        assert_eq!(fingerprint(&model, &Budget::default()), fingerprint(&text, &Budget::default()), "{name}");
        assert_eq!(model.normalised_choices(), 0);
    }
    // As doubles some probabilities miss 1 in sum; divided by their sum they are close to the fractions.
    let doubles = read(&data("doubles.umb"), &Budget::default()).unwrap();
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
    let random = read(&data("random-226.drn"), &Budget::default()).unwrap();
    for model in [random, layered(2500, 7).unwrap()] {
        for compression in [Compression::None, Compression::Gzip] {
            let mut bytes = Vec::new();
            write_umb(&model, &mut bytes, compression, &Budget::default()).unwrap();
            assert_eq!(parse(&bytes).unwrap(), model);
        }
    }
}

/// The parts of a plain archive.
fn parts(model: &ExplicitModel) -> Vec<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    write_umb(model, &mut bytes, Compression::None, &Budget::default()).unwrap();
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
    let model = read(&data("random-41.drn"), &Budget::default()).unwrap();
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
fn damage_is_reported_with_its_position() {
    let index = |from, to| damage("index.json", replace(from, to));
    let expect = |found: String, start: &str| assert!(found.starts_with(start), "   found {found}\nexpected {start}");
    expect(index("\"discrete\"", "\"stochastic\""), "index.json: a Markov automaton (time `stochastic`)");
    expect(index("\"#players\": 1", "\"#players\": 2"), "index.json: a stochastic game of 2 players");
    expect(index("\"#observations\": 0", "\"#observations\": 3"), "index.json: a partially observable MDP");
    expect(index("\"format-version\": 1", "\"format-version\": 9"), "index.json: version 9 of the format");
    expect(index("{", "["), "index.json: line 2, column");
    expect(
        index("\"rational\"", "\"rational-interval\""),
        "index.json: branch-probability-type: numbers of type `rational-interval`",
    );
    expect(index("\"#states\": 9", "\"#states\": 4000000000000"), "index.json: 4000000000000 states");
    let error = index("\"#states\": 9", "\"#states\": 2000000000");
    assert!(error.contains("the index asks for 2000000001 entries"), "{error}");
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
fn missing_and_duplicate_parts() {
    let model = read(&data("random-41.drn"), &Budget::default()).unwrap();
    let all = parts(&model);
    for (name, _) in &all {
        let without: Vec<_> = all.iter().filter(|(other, _)| other != name).cloned().collect();
        let result = parse(&pack(&without));
        // Rewards are zero where they are left out.
        assert!(result.is_err() || name.contains("rewards"), "{name}");
        let mut twice = all.clone();
        twice.push(all.iter().find(|(other, _)| other == name).unwrap().clone());
        assert!(parse(&pack(&twice)).is_err(), "{name}");
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
    write_umb(&layered(5000, 1).unwrap(), &mut bytes, Compression::Gzip, &Budget::default()).unwrap();
    let budget = Budget::new(Limits { max_memory: 2_000_000, ..Limits::default() });
    assert!(read_umb(Cursor::new(&bytes), &budget).is_ok());
    let budget = Budget::new(Limits { max_memory: 1_000_000, ..Limits::default() });
    let error = read_umb(Cursor::new(&bytes), &budget).unwrap_err().to_string();
    assert!(error.starts_with("the limit of 1.0 MB of memory is reached"), "{error}");
}

/// A name is held while its part is read: it has a limit of its own.
#[test]
fn long_names_are_refused() {
    for kind in [tar::EntryType::GNULongName, tar::EntryType::XHeader] {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let mut header = tar::Header::new_gnu();
        header.set_path("name").unwrap();
        header.set_entry_type(kind);
        header.set_size(64 << 20);
        header.set_cksum();
        packed.write_all(header.as_bytes()).unwrap();
        packed.write_all(&vec![b'x'; 64 << 20]).unwrap();
        let error = parse(&packed.finish().unwrap()).unwrap_err();
        assert!(error.contains("a name of more than 1 MiB"), "{error}");
    }
}

/// The result of reading a file: an error, or the original model.
fn refused_or_same(bytes: &[u8], model: &ExplicitModel, what: &str) -> bool {
    match parse(bytes) {
        Ok(other) => {
            assert!(other == *model, "another model: {what}");
            false
        }
        Err(_) => true,
    }
}

#[test]
fn damaged_archives_are_never_another_model() {
    for name in ["fractions.umb", "doubles.umb", "fractions-xz.umb"] {
        let bytes = std::fs::read(data(name)).unwrap();
        let model = parse(&bytes).unwrap();
        let mut refused = 0;
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            refused += usize::from(refused_or_same(&damaged, &model, &format!("{name}, bit {bit}")));
        }
        // What gzip stores about the file's name and time is not part of the model.
        assert!(refused > bytes.len() * 8 - 200, "{name}: {refused}");
        for length in 0..bytes.len() {
            assert!(refused_or_same(&bytes[..length], &model, name), "{name}: {length} bytes");
        }
        for more in [&b"\0"[..], b"x", &[0; 512], &bytes] {
            let longer = [&bytes[..], more].concat();
            let right = name.contains("xz") && more.len() == 512;
            assert_eq!(refused_or_same(&longer, &model, name), !right, "{name} with {} bytes more", more.len());
        }
    }
    let error = parse(&std::fs::read(data("one-bit.umb")).unwrap()).unwrap_err();
    assert!(error.starts_with("the file: it cannot be unpacked: corrupt"), "{error}");
}

/// A plain archive has checksums of names and sizes only. Everything outside of the parts' content is unchanged, or
/// refused.
#[test]
fn data_after_a_plain_archive_is_refused() {
    let bytes = std::fs::read(data("fractions-plain.umb")).unwrap();
    let model = parse(&bytes).unwrap();
    let error = parse(&[&bytes[..], b"x"].concat()).unwrap_err();
    assert!(error.contains("something follows the end of the archive"), "{error}");
    assert_eq!(parse(&[&bytes[..], &[0; 1024]].concat()).unwrap(), model);
    let archive = tar::Archive::new(&bytes[..])
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().raw_header_position())
        .collect::<Vec<_>>();
    for header in archive {
        let header = usize::try_from(header).unwrap();
        for bit in (header * 8..(header + 512) * 8).step_by(5) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            refused_or_same(&damaged, &model, &format!("bit {bit}"));
        }
    }
    for length in (0..bytes.len()).step_by(64) {
        refused_or_same(&bytes[..length], &model, &format!("{length} bytes"));
    }
}

#[test]
fn files_that_are_none() {
    for bytes in [&b""[..], b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\0", b"\xfd7zXZ\0", b"\xfd7zXZ\0\0\0\0", &[0; 600]] {
        assert!(parse(bytes).is_err());
    }
}
