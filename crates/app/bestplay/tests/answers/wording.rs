//! The wording of answers: the members of JSON, the lines of text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::Output;

use serde_json::Value;

use crate::cases::{Answer, Case};
use crate::table::Entries;

/// Members that have a name for each thing that there is.
const BY_NAME: [&str; 9] = ["items", "stats", "hand", "draw", "discard", "deck", "odds", "before", "after"];

/// The members that the answers of each kind of command have, and of which types they are.
pub fn members(answered: &[(Case, Answer)]) -> Entries {
    let mut kinds: BTreeMap<String, BTreeMap<String, BTreeSet<&str>>> = BTreeMap::new();
    for (case, answer) in answered {
        let members = kinds.entry(case.kind()).or_default();
        look(String::new(), &answer.json, members);
    }
    let lines = |members: BTreeMap<String, BTreeSet<&str>>| {
        members
            .into_iter()
            .map(|(path, types)| format!("{path}: {}", types.into_iter().collect::<Vec<_>>().join(" or ")))
            .collect()
    };
    kinds.into_iter().map(|(kind, members)| (format!("JSON of bestplay {kind}"), lines(members))).collect()
}

fn look(path: String, value: &Value, members: &mut BTreeMap<String, BTreeSet<&str>>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(elements) => {
            for element in elements {
                look(format!("{path}[]"), element, members);
            }
            if elements.is_empty() { "empty list" } else { "list" }
        }
        Value::Object(named) if ["decimal", "lower", "upper"].iter().all(|&member| named.contains_key(member)) => {
            let of_number = ["decimal", "lower", "upper", "exact", "infinite"];
            for (name, value) in named.iter().filter(|(name, _)| !of_number.contains(&name.as_str())) {
                look(format!("{path}.{name}"), value, members);
            }
            if named["exact"].is_string() { "fraction with bounds" } else { "bounds" }
        }
        Value::Object(named) => {
            let by_name = BY_NAME.iter().any(|name| path.ends_with(&format!(".{name}"))) && !named.contains_key("win");
            for (name, value) in named {
                let name = if by_name { "*" } else { name };
                look(format!("{path}.{name}"), value, members);
            }
            "object"
        }
    };
    members.entry(path).or_default().insert(kind);
}

/// The lines of a text.
pub fn lines(output: &Output) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in [&output.stdout, &output.stderr] {
        for line in String::from_utf8_lossy(text).lines() {
            let line = without_numbers(line);
            match lines.last_mut() {
                Some(last) if are_rows(last, &line) => {
                    if !last.starts_with("+ ") {
                        *last = format!("+ {last}");
                    }
                }
                _ => lines.push(line),
            }
        }
    }
    lines.into_iter().map(|line| format!("| {line}").trim_end().to_owned()).collect()
}

/// `#` for each number, and once for several of them; nothing for bars.
fn without_numbers(line: &str) -> String {
    let mut shape = String::new();
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_ascii_digit() {
            while characters.next_if(|&next| next.is_ascii_digit() || ".,e-".contains(next)).is_some() {}
            shape.push('#');
        } else if !('\u{2580}'..='\u{259f}').contains(&character) {
            shape.push(character);
        }
    }
    let mut words: Vec<_> = shape.split_whitespace().collect();
    words.dedup_by(|next, word| next == word && *word == "#");
    words.join(" ")
}

/// Rows of one table: they begin with a number, and with the same two words.
fn are_rows(last: &str, line: &str) -> bool {
    let start = |line: &str| {
        line.trim_start_matches(['+', '*', '>', ' ']).split(' ').take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let starts = start(line);
    starts[0].contains('#') && start(last) == starts
}

/// Answers with the wording of an earlier case, by its title.
pub fn once(texts: impl Iterator<Item = (String, Vec<String>)>) -> Entries {
    let mut earlier: HashMap<Vec<String>, String> = HashMap::new();
    let mut entries = Vec::new();
    for (title, lines) in texts {
        let wording = match earlier.get(&lines) {
            Some(earlier) if lines.len() > 1 => vec![format!("as {earlier}")],
            _ => lines.clone(),
        };
        earlier.entry(lines).or_insert_with(|| title.clone());
        entries.push((title, wording));
    }
    entries
}

/// What is different, in words.
pub fn differences(known: &[String], today: &[String]) -> Vec<String> {
    let gone = known.iter().filter(|line| !today.contains(line)).map(|line| format!("- {line}"));
    let new = today.iter().filter(|line| !known.contains(line)).map(|line| format!("+ {line}"));
    let mut different: Vec<_> = gone.chain(new).collect();
    if different.is_empty() && known != today {
        different.push("the same lines stand in another order".into());
    }
    different
}

#[cfg(test)]
mod tests {
    use super::{are_rows, differences, once, without_numbers};

    #[test]
    fn numbers_and_bars_are_left_out() {
        assert_eq!(without_numbers("  12.5 %  ████▌   2 of 3, 1/2 (1e-9)"), "# % # of # #/# (#)");
        assert_eq!(without_numbers("1 141 333 131"), "#");
    }

    #[test]
    fn rows_begin_alike() {
        assert!(are_rows("+ # % a sword", "# % a shield"));
        assert!(are_rows("* # % left", "# % right"));
        assert!(!are_rows("# % left", "# states"));
        assert!(!are_rows("Win # %", "Win # %"));
    }

    #[test]
    fn other_lines_are_reported() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert!(differences(&lines("a\nb"), &lines("a\nb")).is_empty());
        assert_eq!(differences(&lines("a\nb"), &lines("a\nc")), ["- b", "+ c"]);
        assert_eq!(differences(&lines("a\nb"), &lines("b\na")).len(), 1);
        let texts = [("first", "a\nb"), ("second", "a\nb"), ("third", "a")];
        let entries = once(texts.into_iter().map(|(title, text)| (title.into(), lines(text))));
        assert_eq!(entries[1].1, ["as first"]);
        assert_eq!(entries[2].1, ["a"]);
    }
}
