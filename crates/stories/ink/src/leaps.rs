//! Diverts to a knot that is a value: to where a variable says, and by `->-> elsewhere`.
//!
//! ink counts such a divert as a new visit of the knot, also from within it. The runtime counts none where the knot is not left.
//! So such a divert first goes to a container of our own, which is outside of every knot, and from there on.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Changes the diverts of a compiled story, given by its root.
pub(crate) fn count_leaps(root: &mut Value) {
    let mut values = BTreeSet::new();
    targets(root, &mut values);
    let named = root.as_array_mut().and_then(|array| array.last_mut()?.as_object_mut());
    let Some(named) = named else { return };
    let mut leaps = Leaps { knots: named.keys().filter(|name| values.contains(*name)).cloned().collect() };
    for (name, knot) in &mut *named {
        leaps.container(knot, name);
    }
    let leap = |knot: &String| (name_of(knot), json!([{ "->": knot }, null]));
    named.extend(leaps.knots.iter().map(leap));
}

/// All paths that are values.
fn targets(token: &Value, found: &mut BTreeSet<String>) {
    match token {
        Value::Array(all) => all.iter().for_each(|token| targets(token, found)),
        Value::Object(named) => {
            found.extend(named.get("^->").and_then(Value::as_str).map(str::to_owned));
            named.values().for_each(|token| targets(token, found));
        }
        _ => {}
    }
}

/// The name of our container that leads to a knot.
fn name_of(knot: &str) -> String {
    format!("bestplay leap {knot}")
}

struct Leaps {
    /// The knots that are values somewhere.
    knots: BTreeSet<String>,
}

impl Leaps {
    fn container(&mut self, token: &mut Value, knot: &str) {
        let Some(array) = token.as_array_mut() else { return };
        for place in 0..array.len() {
            match &mut array[place] {
                inner @ Value::Array(_) => self.container(inner, knot),
                Value::Object(named) => named.values_mut().for_each(|token| self.container(token, knot)),
                _ => {}
            }
            if let Some(variable) = variable(&array[place])
                && self.knots.contains(knot)
            {
                let divert = array[place].clone();
                let equal =
                    [json!("ev"), json!({ "VAR?": variable }), json!({ "^->": knot }), json!("=="), json!("/ev")];
                let leap = [json!({ "->": name_of(knot), "c": true }), divert, Value::Null];
                array[place] = equal.into_iter().chain(leap).collect();
            }
            // A literal knot, the end of the evaluation, and the return.
            if array[place] == "->->"
                && let Some([target, end]) = place.checked_sub(2).map(|from| &array[from..place])
                && end == "/ev"
                && let Some(path) = target.get("^->").and_then(Value::as_str).filter(|path| self.knots.contains(*path))
            {
                array[place - 2] = json!({ "^->": name_of(path) });
            }
        }
    }
}

/// The variable that says where an operation leads, if it is one of the story.
fn variable(operation: &Value) -> Option<&str> {
    let is_plain = operation.get("var").is_some() && operation.get("c").is_none();
    operation.get("->").and_then(Value::as_str).filter(|name| is_plain && !name.starts_with('$'))
}
