//! Diverts to a target that is a value: to where a variable says, and by `->-> elsewhere`.
//!
//! ink counts such a divert as a new visit of its target, also from within it. The runtime counts none where the target is left
//! by nothing. So such a divert first goes to a container of our own, which is outside of everything, and from there on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::source::SourceError;

/// Our containers, by what they lead to: their names, and the divert in them.
type Leaps = BTreeMap<String, (String, Value)>;

/// Changes the diverts of a compiled story, given by its root.
///
/// # Errors
/// When the root is no container.
pub(crate) fn count_leaps(root: &mut Value, file: &str) -> Result<(), SourceError> {
    let mut leaps = Leaps::new();
    container(root, &mut leaps);
    if leaps.is_empty() {
        return Ok(());
    }
    let last = root.as_array_mut().and_then(|array| array.last_mut());
    let last = last.ok_or_else(|| SourceError::new(file, None, "its root is empty"))?;
    if last.is_null() {
        *last = json!({});
    }
    let named = last.as_object_mut();
    let named = named.ok_or_else(|| SourceError::new(file, None, "its root does not end with what is named"))?;
    named.extend(leaps.into_values().map(|(name, divert)| (name, json!([divert, null]))));
    Ok(())
}

/// The path of the container with this divert.
fn leap(leaps: &mut Leaps, divert: Value) -> String {
    let number = leaps.len();
    let (name, _) = leaps.entry(divert.to_string()).or_insert_with(|| (format!("bestplay leap {number}"), divert));
    name.clone()
}

fn container(token: &mut Value, leaps: &mut Leaps) {
    let Some(array) = token.as_array_mut() else { return };
    for place in 0..array.len() {
        if let Some(named) = array[place].as_object_mut().filter(|own| !own.contains_key("->")) {
            named.values_mut().for_each(|token| container(token, leaps));
        }
        if array[place].is_array() {
            container(&mut array[place], leaps);
        }
        if array[place].get("var").is_some()
            && let Some(variable) = array[place].get("->").cloned()
        {
            array[place]["->"] = leap(leaps, json!({ "->": variable, "var": true })).into();
            array[place].as_object_mut().map(|divert| divert.remove("var"));
        }
        // A literal target, the end of the evaluation, and the return.
        if array[place] == "->->"
            && let Some([target, end]) = place.checked_sub(2).map(|from| &array[from..place])
            && end == "/ev"
            && let Some(path) = target.get("^->").cloned()
        {
            array[place - 2]["^->"] = leap(leaps, json!({ "->": path })).into();
        }
    }
}
