//! Understands the sentence of a choice.

use std::sync::LazyLock;

use regex::Regex;

use super::choice::{Way, When};
use super::patterns::{
    ABOVE, AFTER_ROUNDS, ASKS_NUMBER, AT_LEAST, AT_MOST, BELOW, BETWEEN, DISCIPLINE, EVADE, EXACTLY, HAS_GOLD,
    HAS_ITEM, LISTED, LONGER, LOSE_ANY, NOT_THAT, PAYS, RANDOM, RANK, ROUNDS_AT_MOST, RULES, STILL, TURN, WAY_EFFECT,
    WIN, WITHOUT_LOSS, pattern,
};
use super::series::of_series;
use super::words::{count, label, ordinal, slug};
use crate::target::Target;

/// The choice that a sentence offers, in a section with a picked number or a fight.
pub(crate) fn way(text: &str, picks: bool, fights: bool, target: Target) -> Way {
    let sentence = TURN.replace(text, "").trim_end_matches(['.', ',', ':', ' ']).to_string();
    let label = label(&sentence);
    let mut way = Way { when: When::May(None), effect: None, unclear: false, label, item: None };
    let rules = sentence.trim();
    if RANDOM.is_match(rules) {
        way.unclear = true;
        return way;
    }
    if picks && let Some(totals) = totals(rules) {
        way.when = When::Totals(totals);
        way.unclear = RULES.is_match(rules);
        if let Some(effect) = trailing_effect(rules) {
            way.effect = Some(effect);
            way.unclear = false;
        }
        return way;
    }
    if fights && let Some(when) = after_fight(rules, text) {
        // Not all phrasings of the round from which the hero can run are understood.
        let rounds = target.is_system() && text.contains("round");
        way.unclear = rounds && matches!(when, When::Evading(_)) && !AFTER_ROUNDS.is_match(text);
        way.when = when;
        return way;
    }
    if let Some(captures) = WAY_EFFECT.captures(rules) {
        let sign = if matches!(captures[1].to_ascii_lowercase().as_str(), "lose" | "deduct") { "-" } else { "" };
        way.effect = count(&captures[2]).map(|points| format!("endurance {sign}{points}"));
        return way;
    }
    if !(target.is_system() && of_series(rules, &mut way, target)) {
        conditions(rules, &mut way);
        // Not all phrasings of ranks and rounds are understood.
        let is_open = matches!(way.when, When::May(None));
        way.unclear |= target.is_system() && is_open && (rules.contains("rank") || fights && rules.contains("round"));
    }
    way
}

/// Conditions on what the hero knows and has.
fn conditions(rules: &str, way: &mut Way) {
    if let Some(captures) = DISCIPLINE.captures(rules) {
        let mut condition = format!("discipline {}", slug(&captures[2]));
        if let Some(second) = captures.get(4) {
            condition = format!("{condition} or discipline {}", slug(second.as_str()));
        }
        let rest = &captures[5];
        let free = captures[1].to_ascii_lowercase().contains("wish") || mentions_will(rest);
        // The sentence asks for more than the discipline.
        way.unclear = rest.starts_with(" and ") && !rest.starts_with(" and wish") || rest.contains(" Kai ");
        way.when = if free { When::May(Some(condition)) } else { When::If(condition) };
    } else if let Some(captures) = RANK.captures(rules) {
        way.when = When::If(format!("rank {}", captures[1].to_ascii_lowercase()));
    } else if let Some(captures) = HAS_GOLD.captures(rules) {
        let condition = format!("gold >= {}", &captures[1]);
        let rest = &captures[2];
        if rest.is_empty() {
            way.when = When::If(condition);
        } else {
            way.when = When::May(Some(condition));
            way.effect = rest.contains("pay").then(|| format!("lose gold {}", &captures[1]));
            way.unclear = way.effect.is_none();
        }
    } else if let Some(crowns) = PAYS.captures(rules).and_then(|captures| count(&captures[1])) {
        way.when = When::May(Some(format!("gold >= {crowns}")));
        way.effect = Some(format!("lose gold {crowns}"));
    } else if let Some(captures) = HAS_ITEM.captures(rules) {
        let condition = format!("has {}", slug(&captures[1]));
        way.item = Some(captures[1].to_string());
        way.when = if captures.get(2).is_some() { When::May(Some(condition)) } else { When::If(condition) };
    } else if let Some(captures) = NOT_THAT.captures(rules) {
        way.when = if mentions_will(&captures[1]) { When::May(None) } else { When::Otherwise };
        way.unclear = captures[1].contains("Kai rank") || captures[1].contains(" and ");
    } else {
        static HAS: LazyLock<Regex> = LazyLock::new(|| {
            pattern(r"(?i)^(?:or )?if you (?:have|possess|still|are|were|can|know|lost|ever)\b|only if")
        });
        way.unclear = RULES.is_match(rules) || HAS.is_match(rules);
    }
}

fn mentions_will(text: &str) -> bool {
    static WILL: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:wish|want|may|can|prefer|decide|choose|rather)\b"));
    WILL.is_match(text)
}

/// The effect of a range of totals: `Lose 2 ENDURANCE points`.
fn trailing_effect(rules: &str) -> Option<String> {
    static LAST: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?:^|[.,] )(?:you )?lose (\d+) ENDURANCE points?(?: and)?$"));
    let captures = LAST.captures(rules)?;
    let others = RULES.find_iter(rules).count();
    (others == 1).then(|| format!("endurance -{}", &captures[1]))
}

fn after_fight(rules: &str, text: &str) -> Option<When> {
    let rounds = |regex: &Regex| {
        regex
            .captures(rules)
            .and_then(|captures| captures.iter().skip(1).flatten().next().and_then(|m| ordinal(m.as_str())))
    };
    if let Some(rounds) = rounds(&ROUNDS_AT_MOST) {
        return Some(When::AfterFight(format!("rounds <= {rounds}")));
    }
    if let Some(rounds) = rounds(&LONGER) {
        return Some(When::AfterFight(format!("rounds > {rounds}")));
    }
    if let Some(rounds) = rounds(&STILL) {
        return Some(When::Lasting(rounds));
    }
    if LOSE_ANY.is_match(rules) {
        return Some(When::AfterFight("wounded".into()));
    }
    if WITHOUT_LOSS.is_match(rules) {
        return Some(When::AfterFight("not wounded".into()));
    }
    if WIN.is_match(rules) && !rules.contains(" and ") {
        return Some(When::Won);
    }
    if EVADE.is_match(text) && !WIN.is_match(rules) {
        let after = AFTER_ROUNDS.captures(text);
        let after = after.and_then(|c| c.iter().skip(1).flatten().next().and_then(|m| ordinal(m.as_str())));
        return Some(When::Evading(after.map_or(1, |rounds| rounds.saturating_add(1))));
    }
    None
}

/// The totals that lead on: `0-4`, `7 or more`, `0 or 1`.
fn totals(rules: &str) -> Option<Vec<(Option<i32>, Option<i32>)>> {
    let asked = ASKS_NUMBER.find(rules)?;
    let rest = &rules[asked.end()..];
    let rest = rest.split([',', ';']).next().unwrap_or(rest);
    let whole = rules[asked.end()..].split(" then").next().unwrap_or_default().trim();
    let first = |regex: &Regex, text: &str| -> Option<i32> {
        regex.captures(text)?.iter().skip(1).flatten().next()?.as_str().parse().ok()
    };
    if let Some(captures) = BETWEEN.captures(rest) {
        return Some(vec![(captures[1].parse().ok(), captures[2].parse().ok())]);
    }
    if let Some(most) = first(&AT_MOST, rest) {
        return Some(vec![(None, Some(most))]);
    }
    if let Some(least) = first(&AT_LEAST, rest) {
        return Some(vec![(Some(least), None)]);
    }
    if let Some(limit) = first(&BELOW, rest) {
        return Some(vec![(None, Some(limit.saturating_sub(1)))]);
    }
    if let Some(limit) = first(&ABOVE, rest) {
        return Some(vec![(Some(limit.saturating_add(1)), None)]);
    }
    if LISTED.is_match(whole) {
        let numbers = whole.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
        return Some(numbers.map(|number| (Some(number), Some(number))).collect());
    }
    // The text in brackets names the same numbers again.
    let parity = whole.split(' ').next().unwrap_or_default();
    if parity.eq_ignore_ascii_case("even") || parity.eq_ignore_ascii_case("odd") {
        let odd = i32::from(parity.eq_ignore_ascii_case("odd"));
        return Some((0..5).map(|half| (Some(2 * half + odd), Some(2 * half + odd))).collect());
    }
    let number = first(&EXACTLY, rest.trim())?;
    Some(vec![(Some(number), Some(number))])
}

#[cfg(test)]
mod tests;
