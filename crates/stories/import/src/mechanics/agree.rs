//! Finds the sections whose text and rules plainly differ: in disciplines, ranks or numbers. A person has to decide which of
//! them is right.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::sentence::{When, immune_to, sentences, way};
use crate::source::Block;
use crate::target::Target;
use crate::xml::Element;

/// The differences between a section's text and its rules.
pub(super) fn differences(blocks: &[Block], rules: Option<&Element>, target: Target) -> Vec<String> {
    let text = TextFacts::new(blocks, target);
    let mut asked = Asked::default();
    if let Some(rules) = rules {
        asked.look(rules, target, false);
        text.ranges(rules, &mut asked.problems);
    }
    let mut problems = std::mem::take(&mut asked.problems);
    problems.extend(text.disciplines(&asked, target));
    problems.extend(text.ranks(&asked));
    problems.extend(text.missing_in_rules(&asked, rules.is_none(), target));
    let amounts = asked.amounts.iter().filter(|amount| !text.has(**amount));
    problems.extend(amounts.map(|amount| format!("the text does not have the number {} of the rules", amount.abs())));
    let bounds = asked.bounds.iter().filter(|(low, high)| !text.has(*low) && !text.has(*high));
    problems.extend(bounds.map(|(low, _)| format!("the text does not have the number {low} of the rules")));
    problems
}

/// The text of a section, with the conditions, numbers and ranks in it.
struct TextFacts<'p> {
    blocks: &'p [Block],
    /// The whole text in small letters.
    text: String,
    /// The conditions: the parts of sentences from `if` or `unless` on.
    conditions: Vec<String>,
    numbers: BTreeSet<i32>,
    ranks: BTreeSet<usize>,
}

/// What the rules ask for, and the numbers in them.
#[derive(Default)]
struct Asked {
    /// The short names of disciplines.
    disciplines: BTreeSet<String>,
    /// Those of them that something else stands for.
    implied: BTreeSet<String>,
    /// How many disciplines are asked for.
    levels: BTreeSet<usize>,
    /// Amounts that are lost, got or added.
    amounts: BTreeSet<i32>,
    /// Numbers with which something is compared, as they can be written.
    bounds: BTreeSet<(i32, i32)>,
    problems: Vec<String>,
    does: BTreeSet<Deed>,
    /// The attacks of the mind to which enemies are immune.
    immune: BTreeSet<&'static str>,
}

/// What rules do, whatever the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    /// A number is picked.
    Pick,
    /// ENDURANCE is lost or got by a number that is not known.
    Endurance,
    /// Crowns are got or paid.
    Crowns,
    /// A Meal is due.
    Eat,
}

const NUMBERS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ORDINALS: [&str; 11] =
    ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

static COMPARED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\[(?P<name>[A-Z]+)\] ?(?P<sign>[<>=!]+) ?(?P<number>\d+)").expect("the pattern is right")
});
/// What is lost now, or got back now: not what a thing will give back to who swallows it.
static ENDURANCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)(?:\b(?:lose|deduct)|(?:^|[:;(.] ?)(?:restore|regain)) (\w+) endurance points?\b")
        .expect("the pattern is right")
});
/// Coins of other lands.
static OTHER_COIN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:nobles?|lune|kika|ren|torqs?|orla|ain)\b").expect("the pattern is right"));
static ERASE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:erase|delete|tick) (?:this|it|the|one|your|these|them|any|\d)").expect("the pattern is right")
});
static IF: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:if|unless)\b").expect("the pattern is right"));

impl<'p> TextFacts<'p> {
    fn new(blocks: &'p [Block], target: Target) -> Self {
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) | Block::Choice { text, .. } => Some(text.as_str()),
            _ => None,
        });
        let mut found = Self {
            blocks,
            text: String::new(),
            conditions: Vec::new(),
            numbers: BTreeSet::new(),
            ranks: BTreeSet::new(),
        };
        for text in texts {
            let text = text.to_lowercase();
            for sentence in sentences(&text) {
                found.conditions.extend(IF.find(sentence).map(|at| sentence[at.start()..].to_string()));
            }
            found.text.push_str(&text);
            found.text.push('\n');
        }
        let footnotes: Vec<String> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Footnote(text) => Some(text.to_lowercase()),
                _ => None,
            })
            .collect();
        for word in
            [&found.text].into_iter().chain(&footnotes).flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        {
            let place = |words: &[&str]| words.iter().position(|own| !own.is_empty() && *own == word);
            let number = place(&NUMBERS).or_else(|| place(&ORDINALS)).and_then(|place| i32::try_from(place).ok());
            found.numbers.extend(word.parse().ok().or(number));
        }
        let ranks = target.ranks();
        found.ranks.extend(ranks.filter(|(_, name)| found.text.contains(*name)).map(|(level, _)| level));
        found
    }

    /// Whether the text has a number. Small ones need no word of their own.
    fn has(&self, number: i32) -> bool {
        number.abs() <= 1 || self.numbers.contains(&number.abs())
    }

    /// Disciplines that only one side asks for.
    fn disciplines(&self, asked: &Asked, target: Target) -> Vec<String> {
        let mut problems = Vec::new();
        for (id, name) in target.disciplines() {
            let plain = name.replace('-', " ");
            let names = |text: &String| text.replace('-', " ").contains(&plain);
            let is_asked = asked.disciplines.contains(*id);
            if self.conditions.iter().any(names) && !is_asked {
                problems.push(format!("the text asks for {name}, the rules do not"));
            }
            // The higher disciplines are sometimes called by the names of the lower.
            let short = plain.strip_prefix("grand ").unwrap_or(&plain);
            if is_asked && !self.text.replace('-', " ").contains(short) && !asked.implied.contains(*id) {
                problems.push(format!("the rules ask for {name}, the text does not"));
            }
        }
        problems
    }

    /// Ranks that are not the same.
    fn ranks(&self, asked: &Asked) -> Option<String> {
        // Who is `above` a rank has one more.
        let named = |level: &usize| self.ranks.contains(level) || self.ranks.contains(&(level.saturating_sub(1)));
        let above = self.text.contains("above");
        let exact = |level: &usize| if above { named(level) } else { self.ranks.contains(level) };
        let unasked = !self.ranks.is_empty()
            && asked.levels.is_empty()
            && self.conditions.iter().any(|text| text.contains("rank"));
        let differs = !self.ranks.is_empty() && !asked.levels.iter().all(exact);
        // A rank is named, or a level of training.
        let words = ["rank", "level", "mastery", "training", "every", "each"];
        let unnamed = !asked.levels.is_empty() && !words.iter().any(|word| self.text.contains(word));
        (unasked || differs || unnamed).then(|| "the text and the rules ask for different ranks".into())
    }

    /// The actions in the text that the rules lack.
    fn missing_in_rules(&self, asked: &Asked, no_rules: bool, target: Target) -> Vec<String> {
        let mut problems = Vec::new();
        if self.text.contains("pick a number from the random number table") && !asked.does.contains(&Deed::Pick) {
            problems.push("the text picks a number, the rules do not".into());
        }
        let points = ENDURANCE.captures_iter(&self.text).filter_map(|found| number_of(&found[1]));
        // Who does not eat loses three.
        let goes_hungry = |points: i32| asked.does.contains(&Deed::Eat) && points == 3;
        let unknown = |points: &i32| {
            !asked.does.contains(&Deed::Endurance)
                && !goes_hungry(*points)
                && !asked.amounts.iter().any(|own| own.abs() == *points)
        };
        for points in points.filter(unknown).collect::<BTreeSet<i32>>() {
            problems.push(format!("the text has {points} ENDURANCE points, the rules do not"));
        }
        let other_coin = OTHER_COIN.is_match(&self.text) && !self.text.contains("crown");
        if asked.does.contains(&Deed::Crowns) && other_coin {
            problems.push("the text pays in another coin than the rules".into());
        }
        if no_rules && ERASE.is_match(&self.text) {
            problems.push("the text takes something away, the rules do not".into());
        }
        let attack = if target == Target::Magnakai { "psi-surge" } else { "kai-surge" };
        for attack in ["mindblast", attack] {
            let texts = self.blocks.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.as_str()),
                _ => None,
            });
            let mut immune = texts.flat_map(sentences).filter_map(immune_to);
            if immune.any(|attacks| attacks.contains(&attack)) && !asked.immune.contains(attack) {
                problems.push(format!("the text makes immune to {attack}, the rules do not"));
            }
        }
        problems
    }

    /// Numbers that lead somewhere else.
    fn ranges(&self, rules: &Element, problems: &mut Vec<String>) {
        for table in tables(rules) {
            let zero_is_ten = table.attribute("zeroAsTen") == Some("true");
            for block in self.blocks {
                let Block::Choice { to: Some(to), text } = block else { continue };
                let When::Totals(totals) = way(text, true, false, Target::Kai).when else { continue };
                let is_way = |case: &&Element| {
                    let target = format!("sect{to}");
                    case.elements().any(|rule| {
                        rule.name == "choiceState"
                            && rule.attribute("set") == Some("enabled")
                            && rule.attribute("section") == Some(&target)
                    })
                };
                let cases: Vec<&Element> = table.named("case").filter(is_way).collect();
                let bound =
                    |case: &Element, name: &str| case.attribute(name).and_then(|value| value.parse::<i32>().ok());
                let in_case = |case: &&Element, number: i32| match bound(case, "value") {
                    Some(value) => value == number,
                    None => {
                        bound(case, "from").is_none_or(|from| from <= number)
                            && bound(case, "to").is_none_or(|to| number <= to)
                    }
                };
                let in_total = |(low, high): &(Option<i32>, Option<i32>), number: i32| {
                    low.is_none_or(|low| low <= number) && high.is_none_or(|high| number <= high)
                };
                let differs = |number: i32| {
                    cases.iter().any(|case| in_case(case, number)) != totals.iter().any(|total| in_total(total, number))
                };
                let picked = if zero_is_ten { 1..=10 } else { 0..=9 };
                if !cases.is_empty() && picked.into_iter().any(differs) {
                    problems.push(format!("the numbers that lead to {to} are others in the text"));
                }
            }
        }
    }
}

impl Asked {
    fn look(&mut self, rule: &Element, target: Target, weapon: bool) {
        let weapon = weapon || rule.attribute("currentWeapon").is_some();
        let number =
            |name: &str| rule.attribute(name).and_then(|value| value.trim_start_matches('+').parse::<i32>().ok());
        match rule.name.as_str() {
            "endurance" => {
                self.does.extend(number("count").is_none().then_some(Deed::Endurance));
                self.amounts.extend(number("count"));
            }
            "randomTable" | "randomNumber" => self.does.extend([Deed::Pick]),
            name if name.starts_with("book") => self.does.extend([Deed::Pick, Deed::Endurance]),
            "randomTableIncrement" => self.amounts.extend(number("increment")),
            "pick" if rule.attribute("class") == Some("money") => {
                let crowns = rule.attribute("currency").is_none_or(|currency| currency == "crown");
                self.does.extend(crowns.then_some(Deed::Crowns));
                self.amounts.extend(number("count"));
            }
            "combat" => {
                let amounts =
                    ["combatSkillModifier", "combatSkillModifierIncrement", "mindforceEP", "mindforceCS", "turnLoss"];
                // The text does not always repeat the bonus of a weapon of the hero.
                self.amounts.extend(amounts.into_iter().filter(|_| !weapon).filter_map(number));
                self.bounds.extend(number("eludeTurn").map(|round| (round, round + 1)));
                self.imply(rule, target);
            }
            "meal" => {
                self.does.insert(Deed::Eat);
                self.mean(&["hntmstry"]);
            }
            "afterCombatTurn" => self.bounds.extend(number("turn").map(|round| (round, round + 1))),
            _ => {}
        }
        let each = |name: &str| rule.attribute(name).into_iter().flat_map(|value| value.split('|')).map(String::from);
        let named: Vec<String> = each("hasDiscipline").collect();
        self.disciplines.extend(named);
        if rule.attribute("hasWeaponskillWith").is_some()
            || rule.attribute("weaponskillActive").is_some()
            || rule.attribute("increment").is_some_and(|points| points.contains("BOWBONUS"))
        {
            self.mean(&["wpnmstry"]);
        }
        for circle in each("hasCircle") {
            self.mean(match circle.as_str() {
                "circleFire" => &["wpnmstry", "hntmstry"],
                "circleLight" => &["anmlctrl", "curing"],
                "circleSolaris" => &["invsblty", "hntmstry", "pthmnshp"],
                _ => &["psisurge", "psiscrn", "nexus", "dvnation"],
            });
        }
        for found in rule.attribute("expression").into_iter().flat_map(|text| COMPARED.captures_iter(text)) {
            let Ok(number) = found["number"].parse::<i32>() else { continue };
            // `more than three` is `four or more`.
            let other = match &found["sign"] {
                ">" | "<=" => number + 1,
                ">=" | "<" => number - 1,
                _ => number,
            };
            match &found["name"] {
                "KAILEVEL" => {
                    let level = if matches!(&found["sign"], ">" | "<=") { other } else { number };
                    self.levels.extend(usize::try_from(level).ok());
                }
                "MONEY" | "ENDURANCE" | "COMBATSDURATION" | "RANDOM" => drop(self.bounds.insert((number, other))),
                _ => {}
            }
        }
        rule.elements().for_each(|inner| self.look(inner, target, weapon));
    }

    /// Attributes of a combat that stand for disciplines.
    fn imply(&mut self, rule: &Element, target: Target) {
        for (name, attack) in [("noMindblast", "mindblast"), ("noPsiSurge", "psi-surge"), ("noKaiSurge", "kai-surge")] {
            if rule.attribute(name) == Some("true") {
                self.immune.insert(attack);
            }
        }
        let has = |names: &[&str]| names.iter().any(|name| rule.attribute(name).is_some());
        let screen = if target == Target::Magnakai { "psiscrn" } else { "kaiscrn" };
        let surge = if target == Target::Magnakai { "psisurge" } else { "kaisurge" };
        if has(&["mindforceCS", "mindforceEP"]) {
            self.mean(&[screen]);
        }
        if has(&[
            "mindblastMultiplier",
            "psiSurgeBonus",
            "kaiSurgeBonus",
            "kaiSurgeTurnLoss",
            "noPsiSurge",
            "noKaiSurge",
        ]) {
            self.mean(&[surge]);
        }
    }

    /// Something in the rules stands for disciplines that a text may name or not.
    fn mean(&mut self, ids: &[&str]) {
        for id in ids {
            if self.disciplines.insert((*id).into()) {
                self.implied.insert((*id).into());
            }
        }
    }
}

/// A number in digits or in a word.
fn number_of(word: &str) -> Option<i32> {
    let place = NUMBERS.iter().position(|own| *own == word).and_then(|place| i32::try_from(place).ok());
    word.parse().ok().or(place)
}

/// All tables of numbers in rules.
fn tables(rule: &Element) -> Vec<&Element> {
    let mut found: Vec<&Element> = rule.elements().filter(|inner| inner.name == "randomTable").collect();
    found.extend(rule.elements().flat_map(tables));
    found
}

/// What a text adds for a mastered bow.
static MASTERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)Weaponmastery \(?(?:with|in) (?:a )?Bow\)?,? (?:remember to )?add (\d+)")
        .expect("the pattern is right")
});

/// What the text of a section adds to a shot for a mastered bow, where it says so.
pub(super) fn mastered_bow(blocks: &[Block]) -> Option<i32> {
    blocks.iter().find_map(|block| match block {
        Block::Text(text) => MASTERED.captures(text)?[1].parse().ok(),
        _ => None,
    })
}
