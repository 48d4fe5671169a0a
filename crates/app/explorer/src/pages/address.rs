//! A page's whole state as the query of its address.
//!
//! The state is a JSON object; the query has one part for each number, word, switch or list element in it,
//! named by its place (`enemy.health=35`), and leaves out what is as the page has it from the start. The
//! module `address.js` writes such addresses; here they are read.
//!
//! A wrong address opens its page like the bare address, about the book, table or model that it names, with the reason in an
//! element that no answer removes.

use crate::question::Problem;
use serde_json::{Map, Value};

/// An address, read.
pub struct Addressed {
    /// The state of the bare address.
    pub template: Value,
    /// The state with which the page begins: that of the address, or, if it is wrong, that of the bare address about the same
    /// book, table or model.
    pub state: Value,
    /// What is wrong with the address.
    pub problem: Option<Problem>,
}

impl Addressed {
    /// Reads an address whose book, table or model exists: `about` is the template about it. `check` refuses a state that is
    /// impossible.
    pub fn new(template: Value, about: Value, query: &str, check: impl FnOnce(&Value) -> Result<(), Problem>) -> Self {
        let state = read(&template, query).and_then(|state| {
            check(&state)?;
            Ok(state)
        });
        match state {
            Ok(state) => Self { template, state, problem: None },
            Err(problem) => Self { template, state: about, problem: Some(problem) },
        }
    }

    /// The same for a page without books, tables or models.
    pub fn plain(template: Value, query: &str, check: impl FnOnce(&Value) -> Result<(), Problem>) -> Self {
        Self::new(template.clone(), template, query, check)
    }

    /// An address of a book, table or model that does not exist.
    pub fn wrong(template: Value, problem: Problem) -> Self {
        Self { state: template.clone(), template, problem: Some(problem) }
    }
}

/// The value of a part of a query; empty if the query lacks it.
pub fn word(query: &str, name: &str) -> String {
    let found = form_urlencoded::parse(query.as_bytes()).find(|(own, _)| own == name).map(|(_, word)| word);
    found.unwrap_or_default().into_owned()
}

/// The state that a query describes: the template, which has every part of the page's state, with the parts
/// that the query names.
pub fn read(template: &Value, query: &str) -> Result<Value, Problem> {
    let mut state = template.clone();
    let mut lists: Vec<String> = Vec::new();
    let mut unset: Vec<String> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        let Some(part) = find(&mut state, &name) else {
            return Err(Problem::unreadable(
                format_args!("{name:?} is no part of this page's address"),
                format_args!("its parts are {}", names(template).join(", ")),
            ));
        };
        let wrong = |right: &str| {
            Problem::unreadable(format_args!("the address says {name}={text}"), format_args!("{name} is {right}"))
        };
        let is_list = part.is_array() || unset.iter().any(|other| *other == name);
        if !is_list && seen.iter().any(|other| *other == name) {
            let message = format_args!("the address says {name} more than once");
            return Err(Problem::unreadable(message, format_args!("{name} is one thing")));
        }
        seen.push(name.to_string());
        match part {
            // What is not set from the start may be a list: its second element shows it.
            Value::Number(_) | Value::String(_) if is_list => {
                *part = vec![part.take(), number_or_text(&text)].into();
                unset.retain(|other| *other != name);
                lists.push(name.to_string());
            }
            Value::Number(number) => *number = text.parse::<i64>().map_err(|_| wrong("a whole number"))?.into(),
            Value::Bool(switch) => *switch = text.parse().map_err(|_| wrong("true or false"))?,
            Value::Array(elements) => {
                if !lists.iter().any(|list| *list == name) {
                    lists.push(name.to_string());
                    elements.clear();
                }
                // An empty list is written as one empty element.
                if !text.is_empty() {
                    elements.push(number_or_text(&text));
                }
            }
            Value::Null => {
                unset.push(name.to_string());
                *part = number_or_text(&text);
            }
            Value::String(word) => *word = text.into_owned(),
            Value::Object(_) => return Err(wrong("made of several parts")),
        }
    }
    Ok(state)
}

/// The query of a state: what differs from the template.
pub fn write(template: &Value, state: &Value) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for name in names(template) {
        let part = |of: &Value| name.split('.').try_fold(of, |part, key| part.get(key)).cloned();
        if let Some(now) = part(state)
            && Some(&now) != part(template).as_ref()
        {
            match now {
                Value::String(word) => query.append_pair(&name, &word),
                Value::Number(_) | Value::Bool(_) => query.append_pair(&name, &now.to_string()),
                // An empty list is written as one empty element.
                Value::Array(elements) if elements.is_empty() => query.append_pair(&name, ""),
                Value::Array(elements) => {
                    for element in &elements {
                        let text = element.as_str().map_or_else(|| element.to_string(), String::from);
                        query.append_pair(&name, &text);
                    }
                    continue;
                }
                Value::Null | Value::Object(_) => continue,
            };
        }
    }
    query.finish()
}

fn number_or_text(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
}

/// The part of a state with this name.
fn find<'s>(state: &'s mut Value, name: &str) -> Option<&'s mut Value> {
    name.split('.').try_fold(state, |part, key| part.as_object_mut()?.get_mut(key))
}

/// The names of all parts.
fn names(template: &Value) -> Vec<String> {
    fn collect(object: &Map<String, Value>, before: &str, names: &mut Vec<String>) {
        for (key, value) in object {
            match value {
                Value::Object(inner) => collect(inner, &format!("{before}{key}."), names),
                _ => names.push(format!("{before}{key}")),
            }
        }
    }
    let mut found = Vec::new();
    if let Value::Object(object) = template {
        collect(object, "", &mut found);
    }
    found
}

#[cfg(test)]
mod tests;
