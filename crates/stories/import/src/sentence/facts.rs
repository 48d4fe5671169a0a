//! Understands the sentences between the choices.

use regex::Regex;

use super::patterns::{
    ADDS, ADVANTAGE, ATTACK, BARE, CONDITIONAL, FIRST_ROUND, FOUND_GOLD, IMMUNE, LOSE, MEAL, ONLY_RANDOM, PENALTY,
    PLAIN_MODIFIER, PLUS, PLUS_LATER, RANDOM, RESTORE, RESTORE_ALL, RULES, UNDEAD, UNLESS_MINDSHIELD, ZERO_AS_TEN,
};
use super::series::immune_to;
use super::words::{count, slug};
use crate::target::Target;

/// A fact that a sentence between the choices states.
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
    /// What is added to COMBAT SKILL in a fight.
    Modifier(Modifier),
    /// Enemies are immune to these attacks of the mind.
    Immune(Vec<&'static str>),
    /// Enemies are undead.
    Undead,
    /// The sentence has rules, but is not plain.
    Unclear,
}

/// What is added to COMBAT SKILL in a fight, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modifier {
    Always(i32),
    FirstRound(i32),
    /// Only where nothing keeps other minds away.
    Unscreened(i32),
}

/// The facts that a sentence states, in its order; none where it has no rules.
pub(crate) fn facts(sentence: &str, fights: bool, target: Target) -> Vec<Fact> {
    let plus = if target.is_system() { &PLUS_LATER } else { &PLUS };
    let adds_elsewhere = target.is_system() && (sentence.contains("COMBAT SKILL") || sentence.contains("ENDURANCE"));
    let counts = target.is_system() && (sentence.contains("every") || sentence.contains(" each "));
    if let Some(captures) = plus.captures(sentence).filter(|_| !adds_elsewhere && !counts) {
        if let Some(condition) = disciplines(&captures[1], target) {
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
        let found = of_fight(sentence, target);
        if !found.is_empty() {
            return found;
        }
    }
    let adds = target.is_system() && ADDS.is_match(sentence);
    if adds || RULES.is_match(sentence) { vec![Fact::Unclear] } else { Vec::new() }
}

fn of_fight(sentence: &str, target: Target) -> Vec<Fact> {
    let mut found = Vec::new();
    if target.is_system() && CONDITIONAL.is_match(sentence) && !UNLESS_MINDSHIELD.is_match(sentence) {
        let speaks = sentence.contains("COMBAT SKILL") || ATTACK.is_match(sentence) || BARE.is_match(sentence);
        return if speaks { vec![Fact::Unclear] } else { found };
    }
    let number = |text: &str| text.parse::<i32>().unwrap_or(0);
    if let Some(captures) = UNLESS_MINDSHIELD.captures(sentence) {
        found.push(Fact::Modifier(Modifier::Unscreened(-number(&captures[1]))));
    } else if let Some(captures) = FIRST_ROUND.captures(sentence) {
        found.push(Fact::Modifier(Modifier::FirstRound(number(&captures[1]))));
    } else if PLAIN_MODIFIER.is_match(sentence) && BARE.is_match(sentence) {
        found.push(Fact::Unclear);
    } else if PLAIN_MODIFIER.is_match(sentence) {
        let of =
            |captures: regex::Captures<'_>| captures.iter().skip(1).flatten().next().and_then(|m| count(m.as_str()));
        if let Some(points) = PENALTY.captures(sentence).and_then(of) {
            found.push(Fact::Modifier(Modifier::Always(-points)));
        } else if let Some(points) = ADVANTAGE.captures(sentence).and_then(of) {
            found.push(Fact::Modifier(Modifier::Always(points)));
        }
    } else if sentence.contains("COMBAT SKILL") {
        found.push(Fact::Unclear);
    }
    if target.is_system() {
        if let Some(attacks) = immune_to(sentence) {
            found.push(Fact::Immune(attacks));
        } else if ATTACK.is_match(sentence) {
            found.push(Fact::Unclear);
        }
    } else if IMMUNE.is_match(sentence) {
        found.push(Fact::Immune(vec!["mindblast"]));
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
fn disciplines(text: &str, target: Target) -> Option<String> {
    let each: Option<Vec<String>> = text.split(" or ").map(|name| target.knows(&slug(name))).collect();
    each.map(|each| each.join(" or "))
}

#[cfg(test)]
mod tests;
