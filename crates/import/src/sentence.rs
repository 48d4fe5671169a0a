//! Sentences that are plain enough to be understood without a person: nothing is guessed.

use std::sync::LazyLock;

use regex::Regex;

/// More words than this of a book are never written in a row.
pub(crate) const MOST_WORDS: usize = 8;

/// A pattern that is part of the program.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is right")
}

macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$doc])* static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));)*
        #[cfg(test)]
        fn all_patterns() -> Vec<&'static Regex> {
            vec![$(&$name),*]
        }
    };
}

patterns! {
    TURN = r"(?i)[,;]?\s*(?:and |then |now |by |you (?:must|may|can) )*(?:immediately )?(?:turn|turning|go)(?: immediately)? to (?:section )?\d+\b.*$";
    BETWEEN = r"(-?\d+)\s*-\s*(-?\d+)";
    AT_MOST = r"(?i)(-?\d+)(?: points?)? or (?:less|lower|below|under|fewer)|(?i:(?:less|lower) than or equal to) (\d+)";
    AT_LEAST = r"(?i)(-?\d+)(?: points?)? or (?:more|higher|above|over|greater)";
    BELOW = r"(?i)\b(?:below|less than|lower than|under) (\d+)";
    ABOVE = r"(?i)\b(?:above|more than|higher than|greater than|over) (\d+)";
    LISTED = r"^(?:a |an )?(?:\d+, )*\d+,? or \d+$";
    EXACTLY = r"^(?:exactly |a |an )?(-?\d+)$";
    /// What stands before the numbers of a range.
    ASKS_NUMBER = r"(?i)^(?:or |but |and )?if (?:the (?:number|total|result|score)(?: that)?(?: you have)?(?: picked| chosen)?|it|your? (?:total score|total|number|score|result)|you (?:have )?(?:pick|picked|chosen|choose|score|scored)(?: a (?:number|total|score))?(?: that)?|you have a total(?: score)?|the number picked|the number you (?:have )?(?:picked|chosen|pick|choose)|the number that you have (?:picked|chosen))(?: (?:is|are|of|between|which is|score is))?(?: now)?(?: a)?(?: number)?(?: of)? ";
    RANDOM = r"(?i)\bpick (?:a|another) number from the Random Number Table";
    ONLY_RANDOM = r"(?i)^(?:now |you must now |to (?:see|determine|find out|discover)[^.]*?, )?pick a number from the Random Number Table\b(?:\W+to (?:see|determine|find out|discover)[^.]*)?\.?$";
    ZERO_AS_TEN = r"(?i)\b0 (?:=|equals|counts as|is counted as|is|as) (?:a )?(?:10|ten)\b";
    PLUS = r"(?i)^if you (?:have|possess) (?:the )?(?:Kai )?Disciplines? of (?:either )?([A-Z][A-Za-z ]+?)(?: \(any weapon\))?,? ?(?:you (?:may|can|must) )?(add|deduct|subtract) (\d+) (?:points? )?(?:to|from) (?:the|this|your)(?: \w+)*(?: number| total| score)?(?: (?:that )?you have (?:picked|chosen))?\.?$";
    LOSE = r"(?i)^(?:you |now |must |have |and )*(?:lose|lost|deduct) (\d+|one|two|three) ENDURANCE points?(?: from your current total)?\.?$";
    RESTORE = r"(?i)^(?:you |may |now )*(?:restore|regain|gain) (\d+|one|two|three) ENDURANCE points?(?: to your current total)?\.?$";
    RESTORE_ALL = r"(?i)^(?:you |may )*restore all (?:of your |your )?lost ENDURANCE points(?: to your original score)?\.?$";
    MEAL = r"(?i)^(?:you are (?:very )?(?:hungry|tired)[a-z ]*,? and )?(?:you )?(?:must )?(?:now )?(?:must )?(?:now )?eat a Meal(?: here| now)?(?: or lose 3 ENDURANCE points)?\.?$";
    FOUND_GOLD = r"(?i)^(?:you )?(?:find|discover|take|receive) (\d+) Gold Crowns?\.?$";
    WAY_EFFECT = r"(?i)^(?:if [^,]*, )?(?:you )?(lose|restore|deduct|gain) (\d+|one|two|three) ENDURANCE points?$";
    PENALTY = r"(?i)(?:deduct|reduce|subtract)[^.]*?\b(\d+) points?[^.]*?COMBAT SKILL|(?:reduce|lower) your COMBAT SKILL by (\d+) points?|deduct (\d+) points? from your COMBAT SKILL";
    ADVANTAGE = r"(?i)add (\d+) points? to your COMBAT SKILL";
    PLAIN_MODIFIER = r"(?i)^(?:[A-Z][^,.]*, )?(?:you may |you must |you should )?(?:add|deduct|reduce|subtract) (?:your COMBAT SKILL by )?(\d+) points?(?: (?:to|from) your COMBAT SKILL)?(?: (?:during|for(?: the duration of)?) (?:this|the) (?:fight|combat|battle)| and fight [^.]*)?(?:,? as [^.]*|,? but remember [^.]*)?\.?$";
    UNLESS_MINDSHIELD = r"(?i)^deduct (\d+) points? from your COMBAT SKILL unless you (?:have|possess) (?:the )?Kai Discipline of Mindshield(?:, for [^.]*)?\.?$";
    FIRST_ROUND = r"(?i)add (\d+) points? to (?:your )?COMBAT SKILL\s+(?:for|in) the first round(?:\s+of (?:this )?combat)? only";
    IMMUNE = r"(?i)immune to (?:[A-Za-z ]+(?:,|and|or) )*Mindblast|Mindblast (?:has no effect|is ineffective)";
    UNDEAD = r"(?i)\bundead\b";
    BARE = r"(?i)\b(?:bare hands|unarmed|bare handed)\b";
    EVADE = r"(?i)\b(?:evade|escape|avoid combat|run away|flee)\b";
    AFTER_ROUNDS = r"(?i)after (?:the )?(\w+) rounds? of combat|after (?:the )?(\w+) rounds?|after the (first|second|third) round";
    WIN = r"(?i)\b(?:if you win|if you kill|if you defeat|if you are victorious|if you survive|if you slay)\b";
    ROUNDS_AT_MOST = r"(?i)^if you (?:win|kill|defeat)[^,]*?(?:within|in|lasts?(?: for)?) (\w+) rounds?(?: of combat)?(?: or (?:less|fewer))?$";
    STILL = r"(?i)^if (?:you are|the combat is|the fight is) still (?:fighting|going on)? ?after (\w+) rounds?(?: of combat)?$";
    LONGER = r"(?i)^if you win and the (?:fight|combat|battle) lasts longer than (\w+) rounds?(?: of combat)?$";
    LOSE_ANY = r"(?i)^if you lose any\s+ENDURANCE points?(?: at all)?(?: during| in) (?:the|this) (?:combat|fight)$";
    WITHOUT_LOSS = r"(?i)^if you (?:kill|win|defeat)[^,]* without losing any ENDURANCE points?$";
    DISCIPLINE = r"(?i)^(?:or )?if you (have|possess|wish to use|possess and wish to use|have and wish to use|wish to demonstrate) (?:the |your )?Kai Disciplines? of (?:either )?(Camouflage|Hunting|Sixth Sense|Tracking|Healing|Weaponskill|Mindshield|Mindblast|Animal Kinship|Mind Over Matter)(?: (or) (Camouflage|Hunting|Sixth Sense|Tracking|Healing|Weaponskill|Mindshield|Mindblast|Animal Kinship|Mind Over Matter))?\b(.*)$";
    RANK = r"(?i)^if you have reached the Kai rank of (Novice|Intuite|Doan|Acolyte|Initiate|Aspirant|Guardian|Warmarn|Savant|Master)(?: or higher)?(?: \([^)]*\))?$";
    NOT_THAT = r"(?i)^(?:or |but )?if (?:not\b|you (?:do not|don't|have neither|possess neither|possess none|have none|have no))(.*)$";
    HAS_GOLD = r"(?i)^if you have (?:at least )?(\d+) Gold Crowns?(?: or more)?(.*)$";
    PAYS = r"(?i)\bpay (?:the |him|her|them|[a-z ]+?)?\s?(\d+|one|two|three) (?:Gold )?Crowns?$";
    HAS_ITEM = r"^If you (?:have|possess) (?:a|an|the|some|your) ((?:[A-Z][\w']*)(?: (?:of |the )*[A-Z][\w']*)*)( and wish [^,]*)?$";
    RULES = r"ENDURANCE|COMBAT SKILL|Gold Crowns?|Meals?\b|Backpack|Weapons?\b|Action Chart|Special Items?|Disciplines?\b|Random Number Table|Belt Pouch|Equipment";
    LABEL_HEAD = r"(?i)^(?:or |but |and )*(?:if )?(?:you )?(?:(?:now )?(?:wish|want|decide|choose|prefer|would prefer|would rather|'d rather|would like|can|may|must|will)(?: to| instead to)? |will |do you (?:wish to )?)?";
}

/// The sentences of a text.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    static END: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!?\u{2026}]['\x22)]* "));
    let mut found = Vec::new();
    let mut start = 0;
    for end in END.find_iter(text) {
        found.push(text[start..end.end()].trim());
        start = end.end();
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

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

/// When a way is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The number picked is in one of these ranges; `None` is without end.
    Totals(Vec<(Option<i32>, Option<i32>)>),
    /// The fight was won (or left standing for after it).
    Won,
    /// In the fight, from this round on.
    Evading(u32),
    /// After the fight, under a condition of our language.
    AfterFight(String),
    /// The fight lasted longer than so many rounds.
    Lasting(u32),
    /// Everyone with whom the condition holds goes here.
    If(String),
    /// Everyone else goes here.
    Otherwise,
    /// Who wishes, while the condition holds.
    May(Option<String>),
}

/// A choice, as far as its sentence is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub when: When,
    /// What taking it does.
    pub effect: Option<String>,
    /// A person has to look at it.
    pub unclear: bool,
    /// A few words of it.
    pub label: String,
    /// The item that the condition asks for, as the book writes it.
    pub item: Option<String>,
}

/// What the sentence of a choice says, in a section where a number is picked or that has a fight.
pub(crate) fn way(text: &str, picks: bool, fights: bool) -> Way {
    let said = TURN.replace(text, "").trim_end_matches(['.', ',', ':', ' ']).to_string();
    let label = label(&said);
    let mut way = Way { when: When::May(None), effect: None, unclear: false, label, item: None };
    let rules = said.trim();
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
        way.when = when;
        return way;
    }
    if let Some(captures) = WAY_EFFECT.captures(rules) {
        let sign = if matches!(captures[1].to_ascii_lowercase().as_str(), "lose" | "deduct") { "-" } else { "" };
        way.effect = count(&captures[2]).map(|points| format!("endurance {sign}{points}"));
        return way;
    }
    conditions(rules, &mut way);
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
        // More is asked for than the discipline.
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

/// What happens at the end of a range: `Lose 2 ENDURANCE points`.
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
    // What follows in brackets names the same numbers once more.
    let parity = whole.split(' ').next().unwrap_or_default();
    if parity.eq_ignore_ascii_case("even") || parity.eq_ignore_ascii_case("odd") {
        let odd = i32::from(parity.eq_ignore_ascii_case("odd"));
        return Some((0..5).map(|half| (Some(2 * half + odd), Some(2 * half + odd))).collect());
    }
    let number = first(&EXACTLY, rest.trim())?;
    Some(vec![(Some(number), Some(number))])
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

/// A number in digits or in a word.
fn count(word: &str) -> Option<i32> {
    word.parse().ok().or_else(|| ordinal(word).and_then(|number| i32::try_from(number).ok()))
}

fn ordinal(word: &str) -> Option<u32> {
    const WORDS: [[&str; 2]; 10] = [
        ["one", "first"],
        ["two", "second"],
        ["three", "third"],
        ["four", "fourth"],
        ["five", "fifth"],
        ["six", "sixth"],
        ["seven", "seventh"],
        ["eight", "eighth"],
        ["nine", "ninth"],
        ["ten", "tenth"],
    ];
    let word = word.to_ascii_lowercase();
    let place = WORDS.iter().position(|names| names.contains(&word.as_str()));
    word.parse().ok().or_else(|| place.and_then(|place| u32::try_from(place + 1).ok()))
}

/// A name as our language writes it: `Vordak Gem` is `vordak-gem`.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.replace('\'', "").chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_matches('-').chars().take(60).collect()
}

/// A few words of a choice's sentence.
fn label(said: &str) -> String {
    let rest = LABEL_HEAD.replace(said, "");
    let words: Vec<&str> = rest.split_whitespace().take(MOST_WORDS).collect();
    words.join(" ").trim_end_matches(['.', ',', ';', ':', '?', '!']).to_string()
}

/// The words around what speaks of rules in a sentence, few enough.
pub(crate) fn excerpt(sentence: &str) -> String {
    let at = RULES.find(sentence).map_or(0, |found| found.start());
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let before = sentence[..at].split_whitespace().count();
    let start = before.saturating_sub(MOST_WORDS / 2).min(words.len().saturating_sub(MOST_WORDS));
    let end = (start + MOST_WORDS).min(words.len());
    words[start..end].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_can_be_read() {
        assert!(all_patterns().iter().all(|regex| !regex.as_str().is_empty()));
    }

    fn totals_of(text: &str) -> When {
        way(text, true, false).when
    }

    #[test]
    fn ranges_of_numbers() {
        let range = |low, high| When::Totals(vec![(low, high)]);
        assert_eq!(totals_of("If you have picked a number 0-4."), range(Some(0), Some(4)));
        assert_eq!(totals_of("If the number is 5-9."), range(Some(5), Some(9)));
        assert_eq!(totals_of("If your total is now 7 or more."), range(Some(7), None));
        assert_eq!(totals_of("If it is 3 or lower."), range(None, Some(3)));
        assert_eq!(totals_of("If the number you have picked is below 5."), range(None, Some(4)));
        assert_eq!(totals_of("If you pick 0."), range(Some(0), Some(0)));
        assert_eq!(totals_of("If your total is now -3--1."), range(Some(-3), Some(-1)));
        let two = When::Totals(vec![(Some(0), Some(0)), (Some(1), Some(1))]);
        assert_eq!(totals_of("If it is 0 or 1."), two);
        let even: Vec<_> = [0, 2, 4, 6, 8].map(|number| (Some(number), Some(number))).into();
        assert_eq!(totals_of("If it is even (0, 2, 4, 6, 8)."), When::Totals(even));
        let odd: Vec<_> = [1, 3, 5, 7, 9].map(|number| (Some(number), Some(number))).into();
        assert_eq!(totals_of("If the number is odd."), When::Totals(odd));
        assert_eq!(totals_of("If you have 5 Gold Crowns."), When::If("gold >= 5".into()));
        let lost = way("If the number is 4 or lower, you slip. Lose 2 ENDURANCE points and turn to 9.", true, false);
        assert_eq!((lost.effect.as_deref(), lost.unclear), (Some("endurance -2"), false));
    }

    #[test]
    fn conditions_of_ways() {
        let when = |text: &str| way(text, false, false).when;
        let may = |condition: &str| When::May(Some(condition.into()));
        let holds = |condition: &str| When::If(condition.into());
        assert_eq!(when("If you have Kai Discipline of Tracking."), holds("discipline tracking"));
        assert_eq!(when("If you wish to use Kai Discipline of Sixth Sense."), may("discipline sixth-sense"));
        assert_eq!(
            when("If you have Kai Discipline of either Hunting or Healing."),
            holds("discipline hunting or discipline healing")
        );
        assert_eq!(when("If you do not possess this skill."), When::Otherwise);
        assert_eq!(when("If you do not wish to fight."), When::May(None));
        assert_eq!(when("If you possess a Vordak Gem."), holds("has vordak-gem"));
        assert_eq!(when("If you have a Tin Key and wish to use it."), may("has tin-key"));
        assert_eq!(when("If you have reached the Kai rank of Novice."), holds("rank novice"));
        let pays = way("If you have 7 Gold Crowns and like to pay.", false, false);
        assert_eq!((pays.when, pays.effect.as_deref()), (may("gold >= 7"), Some("lose gold 7")));
        let pays = way("If you want a bed, pay the keeper 2 Gold Crowns and turn to 3.", false, false);
        assert_eq!((pays.when, pays.effect.as_deref()), (may("gold >= 2"), Some("lose gold 2")));
        assert!(way("If you have ever seen this before.", false, false).unclear);
    }

    #[test]
    fn ways_out_of_fights() {
        let when = |text: &str| way(text, false, true).when;
        assert_eq!(when("If you win."), When::Won);
        assert_eq!(when("You may evade at any time by turning to 3."), When::Evading(1));
        assert_eq!(when("Evade after two rounds of combat."), When::Evading(3));
        assert_eq!(when("If you kill it within 4 rounds of combat."), When::AfterFight("rounds <= 4".into()));
        assert_eq!(when("If you are still fighting after 5 rounds."), When::Lasting(5));
        assert_eq!(when("If you lose any ENDURANCE point in this fight."), When::AfterFight("wounded".into()));
    }

    #[test]
    fn facts_of_sentences() {
        let effect = |line: &str| vec![Fact::Effect(line.into())];
        assert_eq!(facts("You lose 2 ENDURANCE points.", false), effect("endurance -2"));
        assert_eq!(facts("Restore 3 ENDURANCE points to your current total.", false), effect("endurance 3"));
        assert_eq!(facts("You are hungry and must eat a Meal.", false), effect("eat"));
        assert_eq!(facts("Pick a number from the Random Number Table.", false), [Fact::Pick]);
        let plus = facts("If you have Kai Discipline of Hunting, add 6 to this.", false);
        assert_eq!(plus, [Fact::Plus(6, "discipline hunting".into())]);
        assert_eq!(facts("(For this pick 0 = 10.)", false), [Fact::ZeroIsTen]);
        assert_eq!(facts("You may take the Sword, a Weapon.", false), [Fact::Unclear]);
        assert!(facts("The wind howls.", false).is_empty());
        let fight = |sentence: &str| facts(sentence, true);
        assert_eq!(
            fight("Because of the smoke, deduct 2 points from your COMBAT SKILL."),
            [Fact::Modifier("bonus -2".into())]
        );
        assert_eq!(fight("It is immune to Mindblast."), [Fact::Immune]);
    }

    #[test]
    fn few_words_are_written() {
        let long = "If you wish to walk along the very long and winding road to the far castle, turn to 3.";
        assert_eq!(way(long, false, false).label, "walk along the very long and winding road");
        let said = "a b c d e f g h i j the ENDURANCE k l m n o p q";
        assert!(excerpt(said).split(' ').count() <= MOST_WORDS && excerpt(said).contains("ENDURANCE"));
        assert_eq!(slug("Kai's Vordak  Gem"), "kais-vordak-gem");
    }
}
