//! The expressions of the mechanics in our language.

/// A number: `[RANDOM] + 5`. `random` is the name of the number picked last. Nothing where our language has
/// no word for a part of it.
pub(crate) fn formula(text: &str, random: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('+').trim();
    if let Ok(number) = text.parse::<i32>() {
        return Some(number.to_string());
    }
    let translated = translate(text, random)?;
    if translated.contains(['<', '>', '=', '!', '&', '|']) {
        return None;
    }
    // A sign at the beginning has nothing to its left.
    Some(match translated.trim().strip_prefix('-') {
        Some(rest) => format!("0 - {}", rest.trim()),
        None => translated.trim().to_string(),
    })
}

/// A condition: `[MONEY] >= 10 && [MEALS] == 0`.
pub(crate) fn condition(text: &str, random: &str) -> Option<String> {
    let squeezed: String = text.split_whitespace().collect();
    match squeezed.as_str() {
        "[COMBATSENDURANCELOST]>0" | "[COMBATSENDURANCELOST]>=1" => return Some("wounded".into()),
        "[COMBATSENDURANCELOST]==0" => return Some("not wounded".into()),
        _ => {}
    }
    let translated = translate(text, random)?;
    let translated = translated.replace("==", "=").replace("&&", " and ").replace("||", " or ");
    Some(translated.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn translate(text: &str, random: &str) -> Option<String> {
    let mut translated = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let close = open + rest[open..].find(']')?;
        let word = match &rest[open + 1..close] {
            "RANDOM" => random,
            "MONEY" | "CROWNS" => "gold",
            "ENDURANCE" => "endurance",
            "MAXENDURANCE" => "max-endurance",
            "ORIGINALCOMBATSKILL" => "combat-skill",
            "MEALS" => "meal",
            "KAILEVEL" => "disciplines",
            "BACKPACK-ITEMS-CNT-ON-ACTIONCHART" | "BACKPACK-ITEMS-ON-ACTIONCHART" => "backpack-items",
            "WEAPON-ITEMS-CNT-ON-ACTIONCHART" => "weapons",
            "COMBATSDURATION" => "rounds",
            _ => return None,
        };
        translated.push_str(plain(&rest[..open])?);
        translated.push_str(word);
        rest = &rest[close + 1..];
    }
    translated.push_str(plain(rest)?);
    Some(translated)
}

/// What stands between the words: no words of its own.
fn plain(text: &str) -> Option<&str> {
    text.chars().all(|c| c.is_ascii_digit() || " +-*()<>=!&|".contains(c)).then_some(text)
}

#[cfg(test)]
mod tests;
