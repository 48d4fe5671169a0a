//! What can still come: the next fight of Act 1, given those that were met.
//!
//! The first three fights against normal enemies are of the weak pool, all others of the strong one. None is one of the two
//! before it, and the first strong one is no larger form of the weak one before it. No elite comes twice in a row.

use std::fmt;
use std::str::FromStr;

use super::encounter::{ELITES, Groups, STRONG, WEAK, pool};
use super::name::{self, UnknownName};

/// How many fights are of the weak pool.
const WEAK_FIGHTS: usize = 3;

/// A fight of Act 1 that was met: an encounter of one of its pools.
///
/// ```
/// use slay_the_spire::Met;
///
/// // As the game calls it, too.
/// assert_eq!("2 Louse".parse::<Met>()?.to_string(), "two-louses");
/// assert!("jaw-wurm".parse::<Met>().is_err());
/// # Ok::<(), slay_the_spire::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met(&'static str);

impl FromStr for Met {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let name = match name::normal(text).as_str() {
            "2-louse" => "two-louses".to_owned(),
            "3-louse" => "three-louses".into(),
            "2-fungi-beasts" => "two-fungi-beasts".into(),
            "3-sentries" => "three-sentries".into(),
            other => other.to_owned(),
        };
        let known = || [WEAK, STRONG, ELITES].into_iter().flatten().map(|(_, name)| *name);
        known().find(|known| *known == name).map(Self).ok_or_else(|| UnknownName::new("encounter", &name, known()))
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// The groups of the next fight against normal enemies, after these.
pub(crate) fn next_fight(met: &[Met]) -> Result<Groups, UnknownName> {
    let normal: Vec<&str> = met.iter().map(|met| met.0).filter(|met| !is_elite(met)).collect();
    let last_two = &normal[normal.len().saturating_sub(2)..];
    let all = if normal.len() < WEAK_FIGHTS { WEAK } else { STRONG };
    let is_too_like = |name: &str| match (normal.len(), last_two.last()) {
        (WEAK_FIGHTS, Some(&"small-slimes")) => matches!(name, "large-slime" | "lots-of-slimes"),
        (WEAK_FIGHTS, Some(&"two-louses")) => name == "three-louses",
        _ => false,
    };
    let left: Vec<_> = all.iter().copied().filter(|(_, own)| !last_two.contains(own) && !is_too_like(own)).collect();
    pool(&left)
}

/// The groups of the next fight against an elite, after these.
pub(crate) fn next_elite(met: &[Met]) -> Result<Groups, UnknownName> {
    let last = met.iter().map(|met| met.0).rfind(|met| is_elite(met));
    let left: Vec<_> = ELITES.iter().copied().filter(|(_, own)| Some(*own) != last).collect();
    pool(&left)
}

fn is_elite(name: &str) -> bool {
    ELITES.iter().any(|(_, own)| *own == name)
}
