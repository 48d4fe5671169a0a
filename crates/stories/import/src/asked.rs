//! What a sentence asks for that our reader does not understand, in labels of our own: so a `todo` says which test it is.

use std::sync::LazyLock;

use regex::Regex;

use crate::sentence::excerpt;

/// Words by which the rules of these books name what can be asked for.
const NAMED: &str = r"(?i:Grand Weaponmastery|Weaponmastery|Weaponskill|Animal Control|Animal Mastery|Animal Kinship|\
Mind Over Matter|Mindshield|Mindblast|Sixth Sense|Camouflage|Grand Huntmastery|Huntmastery|Hunting|Tracking|Healing|Curing|\
Invisibility|Grand Pathsmanship|Pathsmanship|Psi-surge|Psi-screen|Kai-surge|Kai-screen|Grand Nexus|Nexus|Divination|\
Deliverance|Assimilance|Telegnosis|Magi-magic|Kai-alchemy|Circle of (?:Fire|Light|Solaris|(?:the )?Spirit)|\
(?:Magna)?kai rank|Lore-circles?|Gold Crowns|COMBAT SKILL|ENDURANCE|Random Number Table|Meals?\b|Backpack|Belt Pouch)";
/// Weapons, as the rules list them.
const WEAPONS: &str = r"(?i:Short Sword|Broadsword|Quarterstaff|Warhammer|Dagger|Spear|Mace|Bow|Axe|Sword)s?\b";

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace("\\\n", "")).expect("the pattern is right")
}

static ASKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:if|unless|whether)\b"));
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?P<skill>{NAMED})(?:\s+(?:with|in)\s+(?:an?\s+|the\s+|your\s+)?(?P<weapon>{WEAPONS}))?|\b(?P<thing>{WEAPONS})"
    ))
});
static BEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:ever|never|already|previously)\b"));
/// Things are written with capitals after `a`, `the` or `your`.
static THING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:a|an|the|some|your) ((?:[A-Z][a-z'-]+)(?: (?:of )?[A-Z][a-z'-]+){0,3})"));

/// What a sentence asks for: `a test of Weaponmastery in Bow`; nothing where it asks for nothing that is known by name.
pub(crate) fn test_of(sentence: &str) -> Option<String> {
    let asked = &sentence[ASKS.find(sentence)?.start()..];
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: String| {
        if !names.iter().any(|own| own.to_lowercase().contains(&name.to_lowercase())) {
            names.push(name);
        }
    };
    for found in NAMES.captures_iter(asked) {
        match (found.name("skill"), found.name("weapon"), found.name("thing")) {
            (Some(skill), Some(weapon), _) => add(format!("{} in {}", skill.as_str(), weapon.as_str())),
            (Some(name), ..) | (_, _, Some(name)) => add(name.as_str().into()),
            _ => {}
        }
    }
    let is_general = |name: &str| {
        ["Kai", "Magnakai", "Disciplines", "Discipline", "Random", "Gold", "Action"]
            .iter()
            .any(|own| name.split(' ').next() == Some(own))
    };
    for found in THING.captures_iter(asked).filter(|found| !is_general(&found[1])) {
        add(found[1].into());
    }
    if BEEN.is_match(asked) {
        names.push("what was done before".into());
    }
    names.truncate(4);
    (!names.is_empty()).then(|| format!("a test of {}", names.join(", ")))
}

/// What a person has to look at in a sentence: which test it is, as far as that is known, and a few of its words.
pub(crate) fn unclear(sentence: &str) -> String {
    match test_of(sentence) {
        Some(test) => format!("{test}: {}", excerpt(sentence)),
        None => excerpt(sentence),
    }
}

#[cfg(test)]
mod tests;
