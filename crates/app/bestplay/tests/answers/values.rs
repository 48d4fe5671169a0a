//! What an answer in JSON says, as lines: the path of a member, and its value.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use serde_json::{Map, Value as Json};

use crate::cases::{Answer, Case};

/// A value as the table has it.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// A fraction, an integer, a name: the same to the last byte.
    Exact(String),
    /// Between these.
    Bounds(f64, f64),
    /// A floating-point number.
    Near(f64),
}

type Line = (String, Value);

/// Lists of more elements than this are recorded by their ends and by sums.
const LONG_LIST: usize = 12;

/// Members that identify the elements of a list if they are different in all of them.
const NAMES: [&str; 15] = [
    "section",
    "state",
    "name",
    "number",
    "label",
    "who",
    "book",
    "take",
    "goal",
    "choice",
    "health",
    "enemy_hp",
    "round",
    "rounds",
    "endurance",
];

/// Lists are ranked by these.
const RANKED: [&str; 4] = ["probability", "difference", "share", "offered"];

/// Exact values of more characters than this are recorded by their ends and a hash.
const LONG_TEXT: usize = 100;

/// What an answer cost is no part of it.
const COSTS: [&str; 9] = [
    "seconds",
    "seconds_read",
    "seconds_solve",
    "peak_memory_bytes",
    "threads",
    "states",
    "choices",
    "outcomes",
    "boards_explored",
];

/// Sentences, which are the business of the other table.
const SENTENCES: [&str; 6] = ["message", "help", "text", "problem", "why_not", "log"];

/// The lines of the table.
pub fn lines(case: &Case, answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    if answer.code != Some(0) {
        let code = answer.code.expect("the command came to its end");
        lines.push(("exit".into(), Value::Exact(code.to_string())));
    }
    if let Json::Object(members) = &answer.json {
        let kept = members.iter().filter(|(name, _)| case.only.is_empty() || case.only.contains(name));
        object("", kept, &mut lines);
    }
    let mut paths = HashSet::new();
    assert!(lines.iter().all(|(path, _)| paths.insert(path)), "{}: two values have one path", case.title());
    lines.iter().map(|(path, value)| format!("{path} {value}")).collect()
}

/// What is different, in words.
pub fn differences(known: &[String], today: &[String]) -> Vec<String> {
    let today: Vec<_> = today.iter().map(|line| read(line)).collect();
    let known: Vec<_> = known.iter().map(|line| read(line)).collect();
    let (now, was): (HashMap<_, _>, HashMap<_, _>) = (today.iter().cloned().collect(), known.iter().cloned().collect());
    let mut different = Vec::new();
    for (path, was) in &known {
        match now.get(path) {
            None => different.push(format!("{path}: was {was}, is not there")),
            Some(now) if !now.agrees(was) => different.push(format!("{path}: was {was}, is {now}")),
            Some(_) => {}
        }
    }
    different.extend(
        today.iter().filter(|(path, _)| !was.contains_key(path)).map(|(path, now)| format!("{path}: is new, {now}")),
    );
    different
}

impl Value {
    /// Whether this is what it `was`, as far as rounding lets one tell.
    fn agrees(&self, was: &Self) -> bool {
        match (self, was) {
            (Self::Exact(now), Self::Exact(was)) => now == was,
            (Self::Near(now), Self::Near(was)) => (now - was).abs() <= 1e-9 * was.abs() + 1e-12,
            (&Self::Bounds(low, high), &Self::Bounds(low_was, high_was)) => {
                let rounding = 1e-14 * low_was.abs().max(high_was.abs());
                let overlap = low <= high_was + rounding && low_was <= high + rounding;
                overlap && low <= high && high - low <= 1.05 * (high_was - low_was) + rounding
            }
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(text) => formatter.write_str(text),
            Self::Bounds(low, high) => write!(formatter, "in {low:?} {high:?}"),
            Self::Near(number) => write!(formatter, "~ {number:?}"),
        }
    }
}

/// A line of the table: names in a path stand in quotes where they hold blanks.
fn read(line: &str) -> Line {
    let (mut quoted, mut escaped) = (false, false);
    let end = line.char_indices().find(|&(_, character)| {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ => return character == ' ' && !quoted,
        }
        false
    });
    let (end, _) = end.unwrap_or_else(|| panic!("a line without a value: {line}"));
    let (path, text) = (&line[..end], &line[end + 1..]);
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("no number: {line}"));
    let value = if let Some(number_text) = text.strip_prefix("~ ") {
        Value::Near(number(number_text))
    } else if let Some((low, high)) = text.strip_prefix("in ").and_then(|bounds| bounds.split_once(' ')) {
        Value::Bounds(number(low), number(high))
    } else {
        Value::Exact(text.into())
    };
    (path.into(), value)
}

fn object<'a>(path: &str, members: impl Iterator<Item = (&'a String, &'a Json)>, lines: &mut Vec<Line>) {
    for (name, value) in members {
        let cost = COSTS.contains(&name.as_str()) && value.is_number();
        // A member of this name may be a list of other things.
        let sentences = SENTENCES.contains(&name.as_str()) && (value.is_string() || value[0].is_string());
        if cost || sentences {
            continue;
        }
        let plain = name.chars().all(|character| character.is_alphanumeric() || "_-".contains(character));
        let name = if plain { name.clone() } else { quoted(name) };
        flatten(&join(path, &name), value, lines);
    }
}

fn flatten(path: &str, value: &Json, lines: &mut Vec<Line>) {
    match value {
        Json::Object(members) if members.is_empty() => lines.push((path.into(), Value::Exact("{}".into()))),
        Json::Object(members) => {
            if let Some(number) = number_with_bounds(path, members) {
                lines.push((path.into(), number));
                let of_number = |name: &str| {
                    ["lower", "upper", "exact", "infinite"].contains(&name) || Some(name) == before_bounds(members)
                };
                object(path, members.iter().filter(|(name, _)| !of_number(name)), lines);
            } else {
                object(path, members.iter(), lines);
            }
        }
        Json::Array(elements) => match elements.iter().map(plain).collect::<Option<Vec<_>>>() {
            Some(plain) => lines.push((path.into(), Value::Exact(format!("[{}]", shortened(&plain.join(" ")))))),
            None => list(path, elements, lines),
        },
        Json::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a number");
            // Where all is sure a root makes much of the rounding.
            let root = path == "deviation" || path.ends_with(".deviation");
            let (path, number) = if root { (format!("{path}^2"), number * number) } else { (path.into(), number) };
            lines.push((path, Value::Near(number)));
        }
        _ => lines.push((path.into(), Value::Exact(shortened(&plain(value).expect("what is left is exact"))))),
    }
}

/// What is neither a list nor a floating-point number.
fn plain(value: &Json) -> Option<String> {
    match value {
        Json::Array(_) | Json::Object(_) => None,
        Json::Number(number) if number.is_f64() => None,
        Json::String(text) => Some(quoted(text)),
        _ => Some(value.to_string()),
    }
}

/// A number with bounds and perhaps a fraction, which are checked against each other.
fn number_with_bounds(path: &str, members: &Map<String, Json>) -> Option<Value> {
    let (low, high) = (members.get("lower")?.as_f64()?, members.get("upper")?.as_f64()?);
    if members.get("infinite") == Some(&Json::Bool(true)) {
        return Some(Value::Exact("infinite".into()));
    }
    if let Some(middle) = before_bounds(members).and_then(|name| members[name].as_f64()) {
        assert!(low <= middle && middle <= high, "{path}: {middle} is not between {low} and {high}");
    }
    let Some(fraction) = members.get("exact").and_then(Json::as_str) else { return Some(Value::Bounds(low, high)) };
    let exact = mdp::parse_fraction(fraction).unwrap_or_else(|| panic!("{path}: no fraction: {fraction}"));
    // JSON is read to the last digit but one.
    let (below, above) = mdp::enclose(&exact);
    assert!(low.next_down() <= above && below <= high.next_up(), "{path}: {fraction} is not between {low} and {high}");
    Some(Value::Exact(shortened(fraction)))
}

/// The number that stands before its bounds: `decimal`, in tables `win` and the like.
fn before_bounds(members: &Map<String, Json>) -> Option<&str> {
    let bounds = members.keys().position(|name| name == "lower")?;
    let (name, value) = members.iter().nth(bounds.checked_sub(1)?)?;
    (value.is_f64() || name == "decimal").then_some(name)
}

/// A list of what has members, or of floating-point numbers.
fn list(path: &str, elements: &[Json], lines: &mut Vec<Line>) {
    let name = identity(elements);
    let mut entries: Vec<(String, Vec<Line>)> = Vec::new();
    for element in elements {
        let mut of_element = Vec::new();
        flatten("", element, &mut of_element);
        let key = name.and_then(|name| plain(&element[name]));
        of_element.retain(|(path, _)| key.is_none() || Some(path.as_str()) != name);
        entries.push((key.unwrap_or_default(), of_element));
    }
    // Where the likeliest come first, rounding may say which of two that are as likely does.
    if name.is_some() || RANKED.iter().any(|&rank| elements[0].get(rank).is_some()) {
        entries.sort_by_cached_key(|(key, lines)| (key.parse::<i64>().ok(), key.clone(), exact_part(lines)));
    }
    let long = entries.len() > LONG_LIST;
    for (number, (key, of_element)) in entries.iter().enumerate() {
        if !long || number < 2 || number + 1 == entries.len() {
            let key = if key.is_empty() { format!("#{number}") } else { key.clone() };
            let element = join(path, &format!("[{key}]"));
            lines.extend(of_element.iter().map(|(path, value)| (join(&element, path), value.clone())));
        }
    }
    if long {
        lines.extend(summary(&join(path, "[*]"), &entries));
    }
}

/// The member that identifies the elements.
fn identity(elements: &[Json]) -> Option<&'static str> {
    NAMES.into_iter().find(|&name| {
        let mut keys = HashSet::new();
        elements.iter().all(|element| {
            let key = element.get(name).filter(|key| key.is_string() || key.is_i64());
            key.is_some_and(|key| keys.insert(key))
        })
    })
}

fn exact_part(lines: &[Line]) -> String {
    let exact = lines.iter().filter(|(_, value)| matches!(value, Value::Exact(_)));
    exact.map(|(path, value)| format!("{path} {value}\n")).collect::<Vec<_>>().concat()
}

/// A long list: a hash of all that is exact, and sums of the rest.
fn summary(path: &str, elements: &[(String, Vec<Line>)]) -> Vec<Line> {
    let exact: Vec<_> = elements.iter().map(|(key, lines)| format!("{key}\n{}", exact_part(lines))).collect();
    let mut sums: BTreeMap<String, (f64, [f64; 4], bool)> = BTreeMap::new();
    for (path, value) in elements.iter().flat_map(|(_, lines)| lines) {
        let ((low, high), bounds) = match *value {
            Value::Exact(_) => continue,
            Value::Bounds(low, high) => ((low, high), true),
            Value::Near(number) => ((number, number), false),
        };
        let (count, sums, _) = sums.entry(without_keys(path)).or_insert((0.0, [0.0; 4], bounds));
        *count += 1.0;
        for (sum, part) in sums.iter_mut().zip([low, high, *count * low, *count * high]) {
            *sum += part;
        }
    }
    let mut lines =
        vec![(path.into(), Value::Exact(format!("{} elements, {:016x}", elements.len(), hash(&exact.concat()))))];
    for (name, (_, [low, high, low_weighted, high_weighted], bounds)) in sums {
        let value = |low, high| if bounds { Value::Bounds(low, high) } else { Value::Near(low) };
        let member = join(path, &name);
        lines.push((join(&member, "sum"), value(low, high)));
        lines.push((join(&member, "weighted"), value(low_weighted, high_weighted)));
    }
    lines
}

/// A path with `[*]` for what stands in brackets.
fn without_keys(path: &str) -> String {
    let (mut text, mut quoted, mut inside) = (String::new(), false, false);
    for character in path.chars() {
        match character {
            '"' => quoted = !quoted,
            '[' if !quoted => inside = true,
            ']' if !quoted => {
                inside = false;
                text += "[*]";
                continue;
            }
            _ => {}
        }
        if !inside {
            text.push(character);
        }
    }
    text
}

fn join(path: &str, name: &str) -> String {
    let dot = if path.is_empty() || name.is_empty() || name.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{name}")
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONG_TEXT {
        return text.into();
    }
    let start: String = text.chars().take(30).collect();
    let end: String = text.chars().skip(length - 30).collect();
    format!("{start}...{end} ({length} characters, {:016x})", hash(text))
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{differences, flatten, shortened};

    fn lines(answer: &str) -> Vec<String> {
        let mut lines = Vec::new();
        flatten("", &serde_json::from_str(answer).expect("JSON"), &mut lines);
        lines.iter().map(|(path, value)| format!("{path} {value}")).collect()
    }

    fn number(lower: f64, upper: f64, exact: &str) -> String {
        format!(r#"{{"win": {{"decimal": {lower:?}, "lower": {lower:?}, "upper": {upper:?}, "exact": {exact}}}}}"#)
    }

    fn changed(was: &str, now: &str) -> Vec<String> {
        differences(&lines(was), &lines(now))
    }

    #[test]
    fn another_fraction_is_reported() {
        let (was, now) = (number(0.5, 0.5, r#""1/2""#), number(0.5, 0.5, r#""1/2""#));
        assert!(changed(&was, &now).is_empty());
        let now = number(0.5, 0.5_f64.next_up(), r#""9007199254740993/18014398509481984""#);
        assert_eq!(changed(&was, &now), ["win: was 1/2, is 9007199254740993/18014398509481984"]);
        assert_eq!(changed(&was, &number(0.5, 0.5, "null")), ["win: was 1/2, is in 0.5 0.5"]);
        let digits = "7".repeat(200);
        assert_ne!(shortened(&digits), shortened(&format!("{}6{}", &digits[..99], &digits[100..])));
    }

    #[test]
    #[should_panic(expected = "1/3 is not between")]
    fn a_fraction_lies_between_its_bounds() {
        lines(&number(0.25, 0.26, r#""1/3""#));
    }

    #[test]
    fn bounds_overlap_and_are_no_wider() {
        let was = number(0.25, 0.250_1, "null");
        for (low, high, same) in [
            (0.25, 0.250_1, true),
            (0.25_f64.next_up(), 0.250_1, true),
            (0.250_09, 0.250_11, true),
            (0.250_2, 0.250_3, false),
            (0.25, 0.250_2, false),
        ] {
            assert_eq!(changed(&was, &number(low, high, "null")).is_empty(), same, "{low} {high}");
        }
    }

    #[test]
    fn other_members_are_reported() {
        let was = r#"{"ends": [{"name": "a b", "share": 0.25}, {"name": "c", "share": 0.5}], "n": 1, "states": 7, "seconds": 0.1}"#;
        let same = r#"{"ends": [{"name": "c", "share": 0.5}, {"name": "a b", "share": 0.25000000000001}], "n": 1, "states": 9}"#;
        assert!(changed(was, same).is_empty());
        let now =
            r#"{"ends": [{"name": "a b", "share": 0.2500001}, {"name": "d", "share": 0.5}], "n": 2, "new": null}"#;
        assert_eq!(
            changed(was, now),
            [
                "ends[\"a b\"].share: was ~ 0.25, is ~ 0.2500001",
                "ends[\"c\"].share: was ~ 0.5, is not there",
                "n: was 1, is 2",
                "ends[\"d\"].share: is new, ~ 0.5",
                "new: is new, null",
            ]
        );
    }

    #[test]
    fn one_of_many_is_reported() {
        let list = |at: usize, win: f64, best: bool| {
            let element = |number: usize| {
                let (win, best) = if number == at { (win, best) } else { (0.5, true) };
                format!(r#"{{"section": {number}, "win": {win}, "best": {best}}}"#)
            };
            format!(r#"{{"list": [{}]}}"#, (0..100).map(element).collect::<Vec<_>>().join(", "))
        };
        let was = list(0, 0.5, true);
        assert!(changed(&was, &list(50, 0.5, true)).is_empty());
        assert_eq!(changed(&was, &list(50, 0.501, true)).len(), 2);
        assert_eq!(changed(&was, &list(50, 0.5, false)).len(), 1);
        // Two that are exchanged: the same sum.
        assert_eq!(changed(&list(30, 0.7, true), &list(31, 0.7, true)).len(), 1);
    }
}
