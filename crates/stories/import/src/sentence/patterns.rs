//! What plain sentences look like.

use std::sync::LazyLock;

use regex::Regex;

/// A pattern that is part of the program.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is right")
}

macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));)*
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
    /// The same in later series.
    PLUS_LATER = r"(?i)^if you (?:have|possess) (?:the )?(?:(?:Kai )?Disciplines? of |(?:Magnakai|Grand Master) Disciplines? of |)(?:either )?([A-Z][A-Za-z -]+?)(?: \(any weapon\))?,? ?(?:you (?:may|can|must) )?(add|deduct|subtract) (\d+) (?:points? )?(?:to|from) (?:the|this|your)(?: \w+)*(?: number| total| score)?(?: (?:that )?you have (?:picked|chosen))?\.?$";
    LOSE = r"(?i)^(?:you |now |must |have |and )*(?:lose|lost|deduct) (\d+|one|two|three) ENDURANCE points?(?: from your current total)?\.?$";
    RESTORE = r"(?i)^(?:you |may |now )*(?:restore|regain|gain) (\d+|one|two|three) ENDURANCE points?(?: to your current total)?\.?$";
    RESTORE_ALL = r"(?i)^(?:you |may )*restore all (?:of your |your )?lost ENDURANCE points(?: to your original score)?\.?$";
    MEAL = r"(?i)^(?:you are (?:very )?(?:hungry|tired)[a-z ]*,? and )?(?:you )?(?:must )?(?:now )?(?:must )?(?:now )?eat a Meal(?: here| now)?(?: or lose 3 ENDURANCE points)?\.?$";
    FOUND_GOLD = r"(?i)^(?:you )?(?:find|discover|take|receive) (\d+) Gold Crowns?\.?$";
    WAY_EFFECT = r"(?i)^(?:if [^,]*, )?(?:you )?(lose|restore|deduct|gain) (\d+|one|two|three) ENDURANCE points?$";
    PENALTY = r"(?i)(?:deduct|reduce|subtract)[^.]*?\b(\d+) points?[^.]*?COMBAT SKILL|(?:reduce|lower) your COMBAT SKILL by (\d+) points?|deduct (\d+) points? from your COMBAT SKILL";
    ADVANTAGE = r"(?i)add (\d+) points? to your COMBAT SKILL";
    PLAIN_MODIFIER = r"(?i)^(?:[A-Z][^,.]*, )?(?:you may |you must |you should )?(?:add|deduct|reduce|subtract) (?:your COMBAT SKILL by )?(\d+) points?(?: (?:to|from) your COMBAT SKILL)?(?: (?:during|for(?: the duration of)?) (?:this|the) (?:fight|combat|battle)| and fight [^.]*)?(?:,? as [^.]*|,? but remember [^.]*)?\.?$";
    UNLESS_MINDSHIELD = r"(?i)^deduct (\d+) points? from your COMBAT SKILL unless you (?:have|possess) (?:the )?(?:Kai Discipline of Mindshield|Magnakai Discipline of Psi-screen|(?:(?:Grand Master )?Discipline of )?Kai-screen)(?:, for [^.]*)?\.?$";
    FIRST_ROUND = r"(?i)add (\d+) points? to (?:your )?COMBAT SKILL\s+(?:for|in) the first round(?:\s+of (?:this )?combat)? only";
    IMMUNE = r"(?i)immune to (?:[A-Za-z ]+(?:,|and|or) )*Mindblast|Mindblast (?:has no effect|is ineffective)";
    /// Something is added to a number.
    ADDS = r"(?i)\b(?:add|deduct|subtract)\b[^.]*(?:\d|\bone\b|\btwo\b|\bthree\b|\bbonus)";
    /// It holds for some only.
    CONDITIONAL = r"(?i)\b(?:if|unless)\b";
    /// An attack of the mind.
    ATTACK = r"(?i)\b(?:Mindblast|Psi-surge|Kai-surge|Kai-blast|Kai-ray|psychic (?:attacks?|powers?))\b";
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

#[cfg(test)]
mod tests;
