//! The expressions of the mechanics in our language.

use std::sync::LazyLock;

use regex::Regex;

use crate::target::Target;

/// A number: `[RANDOM] + 5`. `random` is the name of the number picked last. Nothing where our language has
/// no word for a part of it.
pub(crate) fn formula(text: &str, random: &str, target: Target) -> Option<String> {
    let text = text.trim().trim_start_matches('+').trim();
    if let Ok(number) = text.parse::<i32>() {
        return Some(number.to_string());
    }
    let translated = translate(text, random, target)?;
    if translated.contains(['<', '>', '=', '!', '&', '|', '%']) {
        return None;
    }
    // A sign at the beginning has nothing to its left.
    Some(match translated.trim().strip_prefix('-') {
        Some(rest) => format!("0 - {}", rest.trim()),
        None => translated.trim().to_string(),
    })
}

/// A condition: `[MONEY] >= 10 && [MEALS] == 0`.
pub(crate) fn condition(text: &str, random: &str, target: Target) -> Option<String> {
    let squeezed: String = text.split_whitespace().collect();
    match squeezed.as_str() {
        _ if target.is_system() => {}
        "[COMBATSENDURANCELOST]>0" | "[COMBATSENDURANCELOST]>=1" => return Some("wounded".into()),
        "[COMBATSENDURANCELOST]==0" => return Some("not wounded".into()),
        _ => {}
    }
    let translated = translate(text, random, target)?;
    if translated.contains('%') && !target.is_system() {
        return None;
    }
    let translated = without_remainders(&translated)?;
    let translated = translated.replace("===", "=").replace("==", "=").replace("&&", " and ").replace("||", " or ");
    Some(translated.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn translate(text: &str, random: &str, target: Target) -> Option<String> {
    let mut translated = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let close = open + rest[open..].find(']')?;
        let word = match &rest[open + 1..close] {
            "RANDOM" => random,
            word => target.number(word)?,
        };
        translated.push_str(plain(&rest[..open])?);
        translated.push_str(word);
        rest = &rest[close + 1..];
    }
    translated.push_str(plain(rest)?);
    Some(translated)
}

/// Remainders, written with divisions: `r % 2` is `(r - 2 * down(r / 2))`.
fn without_remainders(text: &str) -> Option<String> {
    static REMAINDER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([a-z][a-z0-9.-]*) % ([1-9]\d*)").expect("the pattern is right"));
    let plain = REMAINDER.replace_all(text, "($1 - $2 * down($1 / $2))").into_owned();
    (!plain.contains('%')).then_some(plain)
}

/// What stands between the words: no words of its own.
fn plain(text: &str) -> Option<&str> {
    text.chars().all(|c| c.is_ascii_digit() || " +-*()<>=!&|%".contains(c)).then_some(text)
}

#[cfg(test)]
mod tests;
