//! What a sentence between the choices says.

use regex::Regex;

use super::patterns::{
    ADVANTAGE, BARE, FIRST_ROUND, FOUND_GOLD, IMMUNE, LOSE, MEAL, ONLY_RANDOM, PENALTY, PLAIN_MODIFIER, PLUS, RANDOM,
    RESTORE, RESTORE_ALL, RULES, UNDEAD, UNLESS_MINDSHIELD, ZERO_AS_TEN,
};
use super::words::{count, slug};

/// What a sentence between the choices says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// A number is to be picked.
    Pick,
    /// 0 counts as ten in it.
    ZeroIsTen,
    /// Something is added to it for a discipline.
    Plus(i32, String),
    /// A line of our language: what happens.
    Effect(String),
    /// A line in a fight.
    Modifier(String),
    /// Enemies are immune to mindblast.
    Immune,
    /// Enemies are undead.
    Undead,
    /// It speaks of rules, but is not plain.
    Unclear,
}

/// What a sentence says, in the order in which it says it. Nothing where it speaks of no rules.
pub(crate) fn facts(sentence: &str, fights: bool) -> Vec<Fact> {
    if let Some(captures) = PLUS.captures(sentence) {
        if let Some(condition) = disciplines(&captures[1]) {
            let sign = if captures[2].eq_ignore_ascii_case("add") { 1 } else { -1 };
            return vec![Fact::Plus(sign * count(&captures[3]).unwrap_or(0), condition)];
        }
        return vec![Fact::Unclear];
    }
    if RANDOM.is_match(sentence) {
        let mut found = vec![Fact::Pick];
        if ZERO_AS_TEN.is_match(sentence) {
            found.push(Fact::ZeroIsTen);
        } else if !ONLY_RANDOM.is_match(sentence) {
            found.push(Fact::Unclear);
        }
        return found;
    }
    if ZERO_AS_TEN.is_match(sentence) {
        return vec![Fact::ZeroIsTen];
    }
    let amount = |regex: &Regex| regex.captures(sentence).and_then(|captures| count(&captures[1]));
    if let Some(points) = amount(&LOSE) {
        return vec![Fact::Effect(format!("endurance -{points}"))];
    }
    if let Some(points) = amount(&RESTORE) {
        return vec![Fact::Effect(format!("endurance {points}"))];
    }
    if RESTORE_ALL.is_match(sentence) {
        return vec![Fact::Effect("endurance full".into())];
    }
    if MEAL.is_match(sentence) {
        return vec![Fact::Effect("eat".into())];
    }
    if let Some(crowns) = amount(&FOUND_GOLD) {
        return vec![Fact::Effect(format!("take {{ gold {crowns}; }}"))];
    }
    if fights {
        let found = of_fight(sentence);
        if !found.is_empty() {
            return found;
        }
    }
    if RULES.is_match(sentence) { vec![Fact::Unclear] } else { Vec::new() }
}

fn of_fight(sentence: &str) -> Vec<Fact> {
    let mut found = Vec::new();
    if let Some(captures) = UNLESS_MINDSHIELD.captures(sentence) {
        found.push(Fact::Modifier(format!("bonus -{} if=\"not discipline mindshield\"", &captures[1])));
    } else if let Some(captures) = FIRST_ROUND.captures(sentence) {
        found.push(Fact::Modifier(format!("bonus {} rounds=1", &captures[1])));
    } else if PLAIN_MODIFIER.is_match(sentence) && BARE.is_match(sentence) {
        found.push(Fact::Unclear);
    } else if PLAIN_MODIFIER.is_match(sentence) {
        let of =
            |captures: regex::Captures<'_>| captures.iter().skip(1).flatten().next().and_then(|m| count(m.as_str()));
        if let Some(points) = PENALTY.captures(sentence).and_then(of) {
            found.push(Fact::Modifier(format!("bonus -{points}")));
        } else if let Some(points) = ADVANTAGE.captures(sentence).and_then(of) {
            found.push(Fact::Modifier(format!("bonus {points}")));
        }
    } else if sentence.contains("COMBAT SKILL") {
        found.push(Fact::Unclear);
    }
    if IMMUNE.is_match(sentence) {
        found.push(Fact::Immune);
    }
    if UNDEAD.is_match(sentence) {
        found.push(Fact::Undead);
    }
    if BARE.is_match(sentence) && !found.contains(&Fact::Unclear) {
        found.push(Fact::Unclear);
    }
    found
}

/// The disciplines that are named, as a condition.
fn disciplines(text: &str) -> Option<String> {
    let names: Vec<String> = text.split(" or ").map(slug).collect();
    let known = |name: &String| gamebook::DISCIPLINES.iter().any(|(_, own)| own == name);
    names.iter().all(known).then(|| {
        let each: Vec<String> = names.iter().map(|name| format!("discipline {name}")).collect();
        each.join(" or ")
    })
}

#[cfg(test)]
mod tests;
