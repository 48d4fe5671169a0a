//! Functions of the host (`EXTERNAL`) that are called for their effects outside of the story.

use serde_json::Value;

/// Removes calls whose results are dropped or only written, and that have no fallback in ink: their effects do not
/// change play.
pub(crate) fn leave_out_calls(root: &mut Value) {
    let fallbacks = root.as_array().and_then(|tokens| tokens.last()?.as_object()).cloned().unwrap_or_default();
    leave_out(root, &|name| fallbacks.get(name).is_some_and(Value::is_array));
}

fn leave_out(token: &mut Value, has_fallback: &dyn Fn(&str) -> bool) {
    match token {
        Value::Array(tokens) => {
            for place in 0..tokens.len() {
                let called = tokens[place].get("x()").and_then(Value::as_str).is_some_and(|name| !has_fallback(name));
                let use_of_it = tokens.get(place + 1).and_then(Value::as_str);
                let result = match use_of_it {
                    Some("pop") => Some(Value::from(0)),
                    // What it would write is not known, and changes no play.
                    Some("out") => Some(Value::from("void")),
                    _ => None,
                };
                if called && let Some(result) = result {
                    let arguments = tokens[place].get("exArgs").and_then(Value::as_u64).unwrap_or(0);
                    tokens[place] = without(arguments, result);
                } else {
                    leave_out(&mut tokens[place], has_fallback);
                }
            }
        }
        Value::Object(named) => named.values_mut().for_each(|token| leave_out(token, has_fallback)),
        _ => {}
    }
}

/// An operation that drops a number of arguments and pushes a result.
fn without(arguments: u64, result: Value) -> Value {
    let thrown = (0..arguments).map(|_| Value::from("pop"));
    thrown.chain([result, Value::Null]).collect()
}
