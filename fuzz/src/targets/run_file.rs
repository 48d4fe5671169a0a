//! Records of runs of Slay the Spire, and its saves, plain and disguised.

use slay_the_spire::{RunFile, RunRequest};

use crate::{Corpus, Target, Verdict};

/// A file is refused with a message, or read as a request, which may be impossible with a message. What is modelled
/// whole reads the same when things may be left out, and so does its disguise.
pub const TARGET: Target = Target {
    name: "run",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/run", ending: "" }],
    words: &[
        "\"event\":",
        "\"character_chosen\":",
        "\"IRONCLAD\"",
        "\"ascension_level\":",
        "\"master_deck\":",
        "\"cards\":",
        "\"id\":",
        "\"upgrades\":",
        "\"relics\":",
        "\"relic_counters\":",
        "\"potions\":",
        "\"floor_reached\":",
        "\"floor_num\":",
        "\"act_num\":",
        "\"current_health\":",
        "\"max_health\":",
        "\"current_hp_per_floor\":",
        "\"max_hp_per_floor\":",
        "\"damage_taken\":",
        "\"metric_damage_taken\":",
        "\"enemies\":",
        "\"Bash+1\"",
        "\"Searing Blow+3\"",
        "\"Strike_R\"",
        "\"2 Louse\"",
        "\"Pen Nib\"",
        "+255",
        "1e308",
        "-0.5",
        "9999",
        "EEcK",
        "==",
        "{",
        "}",
        "[",
        "]",
        ",",
        "null",
    ],
    longest: 4_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(Verdict::Refused) };
    let read = request(text, true)?;
    if text.trim_start().starts_with('{') && request(&disguised(text.trim()), true)? != read {
        return Err("disguised it is read otherwise".into());
    }
    let Some(read) = read else { return Ok(Verdict::Refused) };
    let whole = request(text, false)?;
    if whole.is_some_and(|whole| whole != read) {
        return Err("nothing is left out, and it is read otherwise".into());
    }
    // What the file says may still be impossible: a deck of too many cards, more health than there can be.
    let (hero, encounters) = (read.0.hero(), read.0.encounters());
    let health = hero.as_ref().map_or(Ok(0), |hero| read.0.health(hero));
    let errors = [hero.err(), encounters.err(), health.err()];
    if errors.iter().flatten().any(|error| error.to_string().is_empty()) {
        return Err("impossible without a word".into());
    }
    Ok(if errors.iter().all(Option::is_none) { Verdict::Accepted } else { Verdict::Refused })
}

/// The request of a file, and what was assumed; `None` where it is refused.
fn request(text: &str, leaves_out: bool) -> Result<Option<(slay_the_spire::FightRequest, Vec<String>)>, String> {
    match RunFile::read(text).and_then(|run| run.request(leaves_out)) {
        Ok(RunRequest { request, assumed }) => Ok(Some((request, assumed))),
        Err(error) if error.is_empty() => Err("refused without a word".into()),
        Err(_) => Ok(None),
    }
}

/// The text as a save has it: combined with a word, and in base 64.
fn disguised(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = text.bytes().zip(b"key".iter().cycle()).map(|(byte, key)| byte ^ key).collect();
    let digits = bytes.chunks(3).flat_map(|three| {
        let number = (0..3).fold(0, |sum, place| sum << 8 | usize::from(*three.get(place).unwrap_or(&0)));
        (0..=three.len()).map(move |place| char::from(DIGITS[number >> (18 - 6 * place) & 63]))
    });
    digits.collect()
}
