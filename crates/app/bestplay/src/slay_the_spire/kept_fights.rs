//! `reward --resume FILE`: a file of solved fights.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;
use slay_the_spire::RewardWorth;

use crate::output::{self, Failure};

/// The first line of a file begins with this.
const KIND: &str = "bestplay slay-the-spire reward";
/// It continues with this, before the checksum of what follows.
const VERSION: &str = concat!(", fights 3, version ", env!("CARGO_PKG_VERSION"), ", sum ");

/// Solved fights by their descriptions, and their file.
pub(super) struct KeptFights {
    path: Option<PathBuf>,
    found: BTreeMap<String, RewardWorth>,
}

impl KeptFights {
    /// Reads the file, if one is named. That of another version is replaced.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is something else.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self { path: None, found: BTreeMap::new() }) };
        output::is_kept(path)?;
        let mut kept = Self { path: Some(path.into()), found: BTreeMap::new() };
        if !path.exists() {
            return Ok(kept);
        }
        let text = output::read_text(path)?;
        match read(&text) {
            Ok(found) => kept.found = found,
            Err(Wrong::Version) => {
                let name = path.display();
                output::note(&format!("{name} was written by another version of this program: it is made anew"));
            }
            Err(Wrong::Damaged) => {
                return Err(Failure::bad_input(
                    format_args!("{} is damaged, or no file that --resume wrote", path.display()),
                    "remove it, or name another file, which will be made",
                ));
            }
        }
        Ok(kept)
    }

    pub(super) fn get(&self, fight: &str) -> Option<RewardWorth> {
        self.found.get(fight).copied()
    }

    /// Adds a fight, and writes the file again.
    pub(super) fn add(&mut self, fight: String, found: RewardWorth) -> Result<(), Failure> {
        self.found.insert(fight, found);
        let Some(path) = &self.path else { return Ok(()) };
        let text = written(&self.found);
        output::write_file(path, |out| out.write_all(text.as_bytes()))
    }
}

/// Why a text is not one of these files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Version,
    Damaged,
}

fn written(found: &BTreeMap<String, RewardWorth>) -> String {
    let mut lines = String::new();
    for (fight, found) in found {
        let numbers = found.bits().map(|bits| format!("{bits:016x}")).join(" ");
        // Names of cards, relics and enemies contain no line feeds.
        let _ = writeln!(lines, "{numbers} {}", fight.replace('\n', " "));
    }
    format!("{KIND}{VERSION}{:016x}\n{lines}", sum(&lines))
}

fn read(text: &str) -> Result<BTreeMap<String, RewardWorth>, Wrong> {
    let (first, lines) = text.split_once('\n').ok_or(Wrong::Damaged)?;
    // The first version was a JSON object without a checksum.
    if !first.starts_with(KIND) {
        let is_old = serde_json::from_str::<BTreeMap<String, RewardWorth>>(text).is_ok();
        return Err(if is_old { Wrong::Version } else { Wrong::Damaged });
    }
    let own = first.strip_prefix(KIND).and_then(|rest| rest.strip_prefix(VERSION)).ok_or(Wrong::Version)?;
    if own != format!("{:016x}", sum(lines)) {
        return Err(Wrong::Damaged);
    }
    let fight = |line: &str| {
        let mut words = line.splitn(5, ' ');
        let mut bits = [0; 4];
        for own in &mut bits {
            *own = u64::from_str_radix(words.next()?, 16).ok()?;
        }
        Some((words.next()?.to_string(), RewardWorth::from_bits(bits)?))
    };
    lines.lines().map(|line| fight(line).ok_or(Wrong::Damaged)).collect()
}

fn sum(lines: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(lines.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests;
