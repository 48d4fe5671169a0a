//! The enemies that can be met, and their probabilities.

use super::enemy::Kind;
use super::name::{self, UnknownName};
use crate::numbers::chance::Chance;

/// Groups of enemies, from the left, with their chances.
pub type Groups = Vec<(Chance, Vec<Kind>)>;

const RED: Kind = Kind::RedLouse;
const GREEN: Kind = Kind::GreenLouse;

/// The names of encounters and pools, beside those of single enemies.
pub const NAMES: &[&str] = &[
    "two-louses",
    "small-slimes",
    "gremlin-gang",
    "lots-of-slimes",
    "exordium-thugs",
    "exordium-wildlife",
    "two-fungi-beasts",
    "large-slime",
    "three-louses",
    "three-sentries",
    "weak-pool",
    "strong-pool",
    "elites",
    "bosses",
];

/// The encounters of the first three fights, with their weights.
pub(super) const WEAK: &[(u32, &str)] = &[(1, "cultist"), (1, "jaw-worm"), (1, "two-louses"), (1, "small-slimes")];
/// Those of the later fights.
pub(super) const STRONG: &[(u32, &str)] = &[
    (2, "gremlin-gang"),
    (2, "lots-of-slimes"),
    (2, "red-slaver"),
    (3, "exordium-thugs"),
    (3, "exordium-wildlife"),
    (4, "blue-slaver"),
    (4, "looter"),
    (4, "two-fungi-beasts"),
    (4, "large-slime"),
    (4, "three-louses"),
];
/// The elites.
pub(super) const ELITES: &[(u32, &str)] = &[(1, "gremlin-nob"), (1, "lagavulin"), (1, "three-sentries")];

/// The groups that can be met under a name: an enemy, an encounter, or a pool of encounters.
///
/// # Errors
/// When the name is unknown.
///
/// ```
/// use slay_the_spire::groups;
///
/// assert_eq!(groups("jaw-worm")?.len(), 1);
/// assert_eq!(groups("two-louses")?.len(), 3); // two red, two green, one of each
/// # Ok::<(), slay_the_spire::UnknownName>(())
/// ```
pub fn groups(text: &str) -> Result<Groups, UnknownName> {
    let name = name::normal(text);
    let one = |kind: Kind| vec![(1, vec![kind])];
    let found: Vec<(u32, Vec<Kind>)> = match name.as_str() {
        "two-louses" => louses(2),
        "three-louses" => louses(3),
        "small-slimes" => {
            vec![(1, vec![Kind::SpikeSlimeS, Kind::AcidSlimeM]), (1, vec![Kind::AcidSlimeS, Kind::SpikeSlimeM])]
        }
        "gremlin-gang" => gremlins(),
        "lots-of-slimes" => {
            let (s, a) = (Kind::SpikeSlimeS, Kind::AcidSlimeS);
            vec![(1, vec![s, s, s, a, a])]
        }
        "exordium-thugs" => pairs(&first_of_thugs()),
        "exordium-wildlife" => {
            let wild = [Kind::FungiBeast, Kind::JawWorm];
            let second = first_of_thugs();
            wild.iter().flat_map(|wild| second.iter().map(|(weight, kind)| (*weight, vec![*wild, *kind]))).collect()
        }
        "two-fungi-beasts" => vec![(1, vec![Kind::FungiBeast; 2])],
        "large-slime" => vec![(1, vec![Kind::AcidSlimeL]), (1, vec![Kind::SpikeSlimeL])],
        "three-sentries" => vec![(1, vec![Kind::Sentry; 3])],
        "weak-pool" => return pool(WEAK),
        "strong-pool" => return pool(STRONG),
        "bosses" => return pool(&[(1, "slime-boss"), (1, "the-guardian"), (1, "hexaghost")]),
        "elites" => return pool(ELITES),
        _ => match name.parse() {
            Ok(kind) => one(kind),
            Err(error) if NAMES.iter().any(|known| strsim::jaro_winkler(known, &name) > 0.85) => {
                let _: UnknownName = error;
                return Err(UnknownName::new("encounter", &name, NAMES.iter().copied()));
            }
            Err(error) => return Err(error),
        },
    };
    let total: u32 = found.iter().map(|(weight, _)| weight).sum();
    Ok(found.into_iter().map(|(weight, kinds)| (Chance::new(weight.into(), total.into()), kinds)).collect())
}

/// Encounters with their weights.
pub(super) fn pool(encounters: &[(u32, &str)]) -> Result<Groups, UnknownName> {
    let total: u32 = encounters.iter().map(|(weight, _)| weight).sum();
    let mut all = Vec::new();
    for (weight, name) in encounters {
        let share = Chance::new((*weight).into(), total.into());
        all.extend(groups(name)?.into_iter().map(|(chance, kinds)| (share.and(chance), kinds)));
    }
    Ok(all)
}

/// A number of louses, each red or green; their order does not matter.
fn louses(count: usize) -> Vec<(u32, Vec<Kind>)> {
    let ways = |red: usize| match (count, red) {
        (2, 1) => 2,
        (3, 1 | 2) => 3,
        _ => 1,
    };
    let group = |red: usize| [vec![RED; red], vec![GREEN; count - red]].concat();
    (0..=count).rev().map(|red| (ways(red), group(red))).collect()
}

/// The first of the thugs, the second of the wildlife: a louse, a spike slime or an acid slime.
fn first_of_thugs() -> [(u32, Kind); 4] {
    [(1, RED), (1, GREEN), (2, Kind::SpikeSlimeM), (2, Kind::AcidSlimeM)]
}

fn pairs(firsts: &[(u32, Kind)]) -> Vec<(u32, Vec<Kind>)> {
    let seconds = [(2, Kind::Cultist), (1, Kind::RedSlaver), (1, Kind::BlueSlaver), (2, Kind::Looter)];
    let pair = |(first_weight, first): (u32, Kind), (weight, second): (u32, Kind)| {
        (first_weight * weight, vec![first, second])
    };
    firsts.iter().flat_map(|first| seconds.iter().map(move |second| pair(*first, *second))).collect()
}

/// Four gremlins, drawn from eight; sorted, with the number of ways to draw them. Their order does not matter: the
/// Shield Gremlin chooses among all others with equal probability.
fn gremlins() -> Vec<(u32, Vec<Kind>)> {
    let kinds = [
        (Kind::MadGremlin, 2usize),
        (Kind::SneakyGremlin, 2),
        (Kind::FatGremlin, 2),
        (Kind::ShieldGremlin, 1),
        (Kind::GremlinWizard, 1),
    ];
    let mut gangs: Vec<(u32, Vec<Kind>)> = vec![(1, Vec::new())];
    for (kind, most) in kinds {
        gangs = gangs
            .into_iter()
            .flat_map(|(ways, gang)| {
                (0..=most).map(move |count| {
                    let more = if count == 1 && most == 2 { 2 } else { 1 };
                    (ways * more, [gang.clone(), vec![kind; count]].concat())
                })
            })
            .filter(|(_, gang)| gang.len() <= 4)
            .collect();
    }
    gangs.retain(|(_, gang)| gang.len() == 4);
    gangs
}
