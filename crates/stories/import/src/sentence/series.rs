//! Understands sentences about the disciplines and ranks of the later series.

use std::sync::LazyLock;

use regex::Regex;

use super::choice::{Way, When};
use super::patterns::pattern;
use super::words::slug;
use crate::target::Target;

/// With what a condition on disciplines begins.
static POSSESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:or |but |and )?if you (?:have|possess|know)(?: the| your| either)?(?: (?:Magnakai|Grand Master|Kai))?(?: (?:Disciplines?|skills?|Master(?:y|ies)) of)?(?: either)? ",
    )
});
static WISH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^,? and (?:you )?(?:wish|want|choose|decide)(?: to (?:use|call upon|employ|draw upon) (?:it|this|this skill|them|either of them|this Discipline))?$",
    )
});
static RANK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^,? and (?:you )?(?:have|has) (?:reached|attained|achieved) the (?:Kai |Magnakai )?rank of ([A-Z][A-Za-z -]*?)(?: or (?:higher|above))?((?:,? and .*)?)$",
    )
});
/// Heroes without the discipline or the rank that the sentence before asked for.
static LACKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:or |but )?if you (?:do not|don't) (?:have|possess) (?:the |this |these |either of these |any of these |any of the above |either of the above |either )?(?:(?:Magnakai|Grand Master|Kai) )?(?:Disciplines?|skills?|Master(?:y|ies))(?: of [A-Z][A-Za-z -]+?)?(?:,? or (?:if you )?(?:have|has) (?:yet|not yet) to (?:reach|attain|achieve)[^,.]*)?$",
    )
});
static IMMUNE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[^.;]*? (?:is|are) (?:also )?immune to (?:the effects of )?(?P<all>all (?:forms of )?psychic attacks?(?:,? except (?P<but>[A-Za-z -]+?))?|[A-Za-z, -]+?)(?P<not> ?\((?:but )?not [A-Za-z -]+\))?\.?$",
    )
});

/// The attacks of the mind, as the sentences call them.
const ATTACKS: [&str; 5] = ["mindblast", "psi-surge", "kai-surge", "kai-blast", "kai-ray"];

/// A condition of a choice on disciplines and ranks; nothing where it asks for none of them first.
pub(super) fn of_series(rules: &str, way: &mut Way, target: Target) -> bool {
    if LACKS.is_match(rules) {
        way.when = When::Otherwise;
        return true;
    }
    let Some(begin) = POSSESS.find(rules) else { return false };
    let rest = &rules[begin.end()..];
    let Some((first, rest)) = discipline(rest, target) else { return false };
    let (mut condition, mut rest) = (first, rest);
    for (word, both) in [(" or ", false), (" and ", true)] {
        if let Some((second, after)) = rest.strip_prefix(word).and_then(|own| discipline(own, target)) {
            condition = format!("{condition} {} {second}", if both { "and" } else { "or" });
            rest = after;
            if !both {
                condition = format!("({condition})");
            }
        }
    }
    let mut after = rest.to_string();
    if let Some(found) = RANK.captures(rest) {
        let rank = found[1].to_lowercase();
        let named = |(_, name): &(usize, &str)| rank == *name || rank.strip_prefix("kai ") == Some(*name);
        let Some((level, _)) = target.ranks().find(named) else {
            way.unclear = true;
            return true;
        };
        condition = format!("{condition} and skills >= {level}");
        after = found[2].to_string();
    }
    let is_free = WISH.is_match(&after);
    way.unclear = !(after.is_empty() || is_free);
    let condition = match condition.strip_prefix('(').and_then(|own| own.strip_suffix(')')) {
        Some(own) => own.to_string(),
        None => condition,
    };
    way.when = if is_free { When::May(Some(condition)) } else { When::If(condition) };
    true
}

/// The discipline with which a text begins, as a condition, and what follows it.
fn discipline(text: &str, target: Target) -> Option<(String, &str)> {
    let plain = text.to_lowercase().replace(' ', "-");
    let names = target.disciplines().iter().map(|(_, name)| *name).filter(|name| plain.starts_with(name));
    let name = names.max_by_key(|name| name.len())?;
    let rest = &text[name.len()..];
    // A weapon in which it is known is more than the discipline.
    let is_whole = rest.chars().next().is_none_or(|next| !next.is_alphanumeric());
    let is_known_in = name.ends_with("weaponmastery") && !rest.is_empty();
    (is_whole && !is_known_in).then(|| (name.to_string(), rest))
}

/// The attacks of the mind to which a sentence says that enemies are immune; nothing where it says something else.
pub(crate) fn immune_to(sentence: &str) -> Option<Vec<&'static str>> {
    let found = IMMUNE.captures(sentence)?;
    let named = |text: &str| -> Option<Vec<&'static str>> {
        text.split([',', '&'])
            .flat_map(|part| part.split(" and "))
            .flat_map(|part| part.split(" or "))
            .map(|part| part.trim().trim_start_matches("and ").trim())
            .filter(|part| !part.is_empty())
            .map(|part| ATTACKS.iter().find(|own| **own == slug(part)).copied())
            .collect()
    };
    if !found["all"].to_lowercase().starts_with("all ") {
        return named(&found["all"]).filter(|own| !own.is_empty());
    }
    let but = found.name("but").map_or(Some(Vec::new()), |but| named(but.as_str()))?;
    Some(ATTACKS.iter().copied().filter(|attack| !but.contains(attack)).collect())
}
