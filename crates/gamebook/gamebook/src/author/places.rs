//! Every number of a book's file that can be changed, by name: `30.fight.skill`, `hero.gold`.
//!
//! A name goes from the section (or the node at the top level) to the number: the enclosing nodes, then the property, or
//! nothing for an argument. Among equal names `[2]` is the second; `#2` is the second number of an expression.

use std::fmt::Write;
use std::ops::Range;

use budget::{Budget, Stopped};
use kdl::{KdlEntry, KdlNode};

use crate::syntax::{arguments, children, did_you_mean, entry_span, parse_kdl};

/// A number in a book's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberPlace {
    /// Its unique name.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// Its span.
    pub span: Range<usize>,
    /// The section that contains it, as written; `None` at the top level.
    pub section: Option<String>,
    steps: Vec<Step>,
    /// Its index among the numbers of the expression, from 1.
    number: usize,
}

/// A node or property on the way to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    name: String,
    /// An alternative name: that of the item declared, or of a section's node.
    other: Option<String>,
    /// The index among equal names, from 1.
    index: usize,
    /// Whether there are others of the same name.
    is_one_of_many: bool,
}

/// Why a name does not identify a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// There is none; perhaps a similar name is meant.
    None(Option<String>),
    /// There are several.
    Several(Vec<String>),
}

impl std::fmt::Display for NoNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None(Some(help)) => write!(f, "no number of the book has this name: {help}"),
            Self::None(None) => f.write_str("no number of the book has this name"),
            Self::Several(names) => write!(f, "several numbers may be meant: {}", names.join(", ")),
        }
    }
}

/// Nodes whose arguments are names, labels or targets.
const NAMES: [&str; 34] = [
    "section",
    "start",
    "goal",
    "goto",
    "choice",
    "death",
    "book",
    "fight",
    "enemy",
    "one-round",
    "todo",
    "text",
    "policy",
    "kinder",
    "always",
    "never",
    "from",
    "reading",
    "system",
    "weapon",
    "special",
    "permanent",
    "container",
    "flags",
    "again",
    "repeat",
    "victory",
    "disciplines",
    "draw",
    "event",
    "test",
    "define",
    "ally",
    "rolled",
];

/// Properties that hold names.
const NAMED: [&str; 9] = ["as", "each", "rules", "system", "like", "format", "except", "in", "on"];

/// Every number of a book's text that can be changed, in order: those of effects, conditions, dice, fights and goods, but not
/// section numbers.
///
/// ```
/// let text = "book \"B\" format=1 rules=\"lone-wolf\"\nhero { gold 5; }\nsection 30 { fight \"Orc\" skill=15 endurance=20; }";
/// let numbers = gamebook::numbers(text, &budget::Budget::unlimited())?;
/// let names: Vec<&str> = numbers.iter().map(|own| own.name.as_str()).collect();
/// assert_eq!(names, ["hero.gold", "30.fight.skill", "30.fight.endurance"]);
/// assert_eq!(gamebook::number_named(&numbers, "30.skill").map(|own| own.value), Ok(15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the budget is exhausted.
pub fn numbers(text: &str, budget: &Budget<'_>) -> Result<Vec<NumberPlace>, Stopped> {
    let parsed = parse_kdl(text, budget)?;
    let mut found = Vec::new();
    within(text, &parsed.nodes, &[], None, &mut found);
    found.sort_by_key(|own: &NumberPlace| own.span.start);
    Ok(found)
}

/// The number with a name. Steps may be left out, as may `[2]` and `#2`, if the rest is unique.
///
/// # Errors
/// If there is none, or several.
pub fn number_named<'n>(numbers: &'n [NumberPlace], name: &str) -> Result<&'n NumberPlace, NoNumber> {
    if let Some(own) = numbers.iter().find(|own| own.name == name) {
        return Ok(own);
    }
    let (asked, number) = parsed(name);
    let meant: Vec<&NumberPlace> = numbers.iter().filter(|own| own.is_meant(&asked, number)).collect();
    match meant[..] {
        [only] => Ok(only),
        [] => Err(NoNumber::None(did_you_mean(name, numbers.iter().map(|own| own.name.as_str())))),
        _ => Err(NoNumber::Several(meant.iter().map(|own| own.name.clone()).take(8).collect())),
    }
}

/// The steps of a name, each with its index if given, and the index of the number.
fn parsed(name: &str) -> (Vec<(String, Option<usize>)>, Option<usize>) {
    let (name, number) = match name.rsplit_once('#') {
        Some((name, number)) => (name, number.parse().ok()),
        None => (name, None),
    };
    let mut steps: Vec<String> = vec![String::new()];
    let mut in_quotes = false;
    for own in name.chars() {
        match own {
            '"' => in_quotes = !in_quotes,
            '.' if !in_quotes => steps.push(String::new()),
            own => steps.last_mut().into_iter().for_each(|step| step.push(own)),
        }
    }
    let indexed = |step: String| match step.strip_suffix(']').and_then(|own| own.rsplit_once('[')) {
        Some((name, index)) => (name.to_string(), index.parse().ok()),
        None => (step, None),
    };
    (steps.into_iter().map(indexed).collect(), number)
}

impl NumberPlace {
    /// The text of the book with another number here.
    pub fn replaced(&self, text: &str, value: i64) -> String {
        format!("{}{value}{}", &text[..self.span.start], &text[self.span.end..])
    }

    /// Whether a name identifies this number: its first and last step match, and the others are in between.
    fn is_meant(&self, asked: &[(String, Option<usize>)], number: Option<usize>) -> bool {
        let fits = |step: &Step, (name, index): &(String, Option<usize>)| {
            (step.name == *name || step.other.as_deref() == Some(name)) && index.is_none_or(|own| own == step.index)
        };
        let (Some(first), Some(last), Some(end)) = (self.steps.first(), self.steps.last(), asked.last()) else {
            return false;
        };
        let mut left = self.steps.iter();
        fits(first, &asked[0])
            && fits(last, end)
            && asked.iter().all(|own| left.any(|step| fits(step, own)))
            && number.is_none_or(|number| number == self.number)
    }
}

fn within(text: &str, nodes: &[KdlNode], outer: &[Step], section: Option<&str>, found: &mut Vec<NumberPlace>) {
    // Equal names are counted.
    let mut named: Vec<(String, Option<String>, usize)> = Vec::with_capacity(nodes.len());
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for node in nodes {
        let (name, other) = called(text, node, outer);
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        named.push((name, other, *count));
    }
    for (node, (name, other, index)) in nodes.iter().zip(named) {
        let is_one_of_many = counts.get(&name).is_some_and(|count| *count > 1);
        let is_section = outer.is_empty() && node.name().value() == "section";
        let own = if is_section { Some(name.clone()) } else { None };
        let section = own.as_deref().or(section);
        let steps = [outer, &[Step { name, other, index, is_one_of_many }]].concat();
        numbers_of(text, node, &steps, section, found);
        within(text, children(node), &steps, section, found);
    }
}

/// The name of a node on the way to a number, and its alternative name.
fn called(text: &str, node: &KdlNode, outer: &[Step]) -> (String, Option<String>) {
    let kind = node.name().value().to_string();
    let first = arguments(node).next().map(|entry| match entry.value().as_string() {
        Some(name) => name.to_string(),
        None => text.get(entry_span(entry)).unwrap_or_default().trim().to_string(),
    });
    let declares = match outer {
        [] => matches!(kind.as_str(), "section" | "counter" | "stat" | "item" | "discipline" | "container"),
        [only] => matches!(only.name.as_str(), "items"),
        _ => false,
    };
    match first {
        Some(name) if declares => (name, Some(kind)),
        first => (kind, first),
    }
}

/// The numbers of a node itself.
fn numbers_of(text: &str, node: &KdlNode, steps: &[Step], section: Option<&str>, found: &mut Vec<NumberPlace>) {
    let kind = node.name().value();
    let mut add = |spans: Vec<Range<usize>>, steps: &[Step]| {
        let many = spans.len() > 1;
        for (place, span) in spans.into_iter().enumerate() {
            let Ok(value) = text[span.clone()].parse() else { continue };
            let mut name: Vec<String> = steps.iter().map(Step::text).collect();
            if many && let Some(last) = name.last_mut() {
                let _ = write!(last, "#{}", place + 1);
            }
            found.push(NumberPlace {
                name: name.join("."),
                value,
                span,
                section: section.map(String::from),
                steps: steps.to_vec(),
                number: place + 1,
            });
        }
    };
    if !NAMES.contains(&kind) {
        let spans = arguments(node).flat_map(|entry| numerals(text, entry)).collect();
        add(spans, steps);
    }
    for entry in node.entries() {
        let Some(name) = entry.name().map(kdl::KdlIdentifier::value).filter(|own| !NAMED.contains(own)) else {
            continue;
        };
        let property = Step { name: name.to_string(), other: None, index: 1, is_one_of_many: false };
        add(numerals(text, entry), &[steps, &[property]].concat());
    }
}

impl Step {
    fn text(&self) -> String {
        let name =
            if self.name.contains(['.', ' ', '#', '"']) { format!("\"{}\"", self.name) } else { self.name.clone() };
        if self.is_one_of_many { format!("{name}[{}]", self.index) } else { name }
    }
}

/// The whole numbers of an entry: itself, or those in its expression.
fn numerals(text: &str, entry: &KdlEntry) -> Vec<Range<usize>> {
    let span = entry_span(entry);
    let Some(own) = text.get(span.clone()) else { return Vec::new() };
    let begin = match entry.name() {
        Some(_) => own.find('=').map_or(0, |at| at + 1),
        None => 0,
    };
    let bytes = own.as_bytes();
    let mut found = Vec::new();
    let mut at = begin;
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            at += 1;
            continue;
        }
        let before = bytes[begin..at].iter().rev();
        let mut before = before.copied();
        let first = before.next();
        // The sides of dice: `2d6`, `d10`.
        let is_die =
            first == Some(b'd') && !before.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        let is_name = first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') && !is_die;
        // Part of a hyphenated word.
        let hyphen = first == Some(b'-') && at >= begin + 2 && bytes[at - 2].is_ascii_alphanumeric();
        let bare = own[begin..].trim_start_matches(['"', ' ']).starts_with('-') && own[begin..at].trim() == "-";
        let ends = bytes.get(at + digits);
        let goes_on = ends.is_some_and(|byte| byte.is_ascii_alphabetic() && *byte != b'd' || *byte == b'.');
        if !is_name && !hyphen && !goes_on {
            let sign = usize::from(bare);
            found.push(span.start + at - sign..span.start + at + digits);
        }
        at += digits;
    }
    found
}
