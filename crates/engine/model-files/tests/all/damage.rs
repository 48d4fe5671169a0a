//! Valid files with random damage: an error or a model, never a panic, and never much memory.

use std::io::Cursor;
use std::path::Path;

use budget::{Budget, Limits};
use model_files::{Compression, Expression, read, read_drn, read_umb, write_drn, write_umb};
use proptest::prelude::*;

/// The most memory that any of the files may take.
fn limits() -> Budget<'static> {
    Budget::new(Limits { max_memory: 64 << 20, ..Limits::default() })
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

/// One change to a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(prop::sample::Index, u8),
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Repeat(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>;
    let word = prop::sample::select(vec![
        "9999999999999999999",
        "-1",
        "1e400",
        "\nstate ",
        "\naction x",
        "[",
        "\"",
        "$x",
        "é",
        "0.5",
        "1/3",
    ]);
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (place(), 1..40usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (place(), prop::collection::vec(any::<u8>(), 1..10)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (place(), word).prop_map(|(at, text)| Damage::Insert(at, text.into())),
        (place(), 1..100usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    match damage {
        Damage::Set(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Damage::Remove(at, length) => {
            let at = at.index(bytes.len());
            bytes.drain(at..(at + length).min(bytes.len()));
        }
        Damage::Insert(at, more) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, more.iter().copied());
        }
        Damage::Repeat(at, length) => {
            let at = at.index(bytes.len());
            let part = bytes[at..(at + length).min(bytes.len())].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn damaged_text(which in 0..3usize, damages in prop::collection::vec(damage(), 1..4)) {
        let mut bytes = sample(["random-41.drn", "random-226.drn", "random-3.drn"][which]);
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        if let Ok(model) = read_drn(&bytes[..], &limits()) {
            let mut text = Vec::new();
            if write_drn(&model, &mut text, &Budget::default()).is_ok() {
                // Numbers that were normalised are written as they were read.
                let again = read_drn(&text[..], &limits()).unwrap();
                prop_assert_eq!(model_files::fingerprint(&again, &Budget::default()), model_files::fingerprint(&model, &Budget::default()));
            }
        }
    }

    #[test]
    fn damaged_archives(which in 0..4usize, damages in prop::collection::vec(damage(), 1..4)) {
        let name = ["fractions-plain.umb", "fractions-plain.umb", "fractions.umb", "fractions-xz.umb"][which];
        let mut bytes = sample(name);
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        if let Ok(model) = read_umb(Cursor::new(&bytes), &limits()) {
            let mut packed = Vec::new();
            write_umb(&model, &mut packed, Compression::None, &Budget::default()).unwrap();
            prop_assert!(read_umb(Cursor::new(&packed), &limits()).is_ok());
        }
    }

    /// Damage inside of the archive's parts, with an intact archive.
    #[test]
    fn damaged_parts(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = sample("fractions-plain.umb");
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = read_umb(Cursor::new(&bytes), &limits());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_drn(&bytes[..], &limits()).is_err());
        prop_assert!(read_umb(Cursor::new(&bytes), &limits()).is_err());
    }

    #[test]
    fn any_expression(text in "[ab &|!()\"]{0,30}") {
        let model = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/random-3.drn"), &limits()).unwrap();
        let _ = Expression::parse(&text).and_then(|expression| expression.states(&model, &limits()));
    }
}
