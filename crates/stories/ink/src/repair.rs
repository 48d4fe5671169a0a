//! Paths that the compiler writes wrongly: within a branch of a sequence it does not count the first operation (`pop`),
//! so every index after the branch in a path from within it is one too small.

use serde_json::Value;

use crate::program::{Step, name_of, step_of};

/// The keys of paths in operations.
const PATHS: [&str; 6] = ["->", "f()", "->t->", "^->", "CNT?", "*"];

/// Corrects the operations of a compiled story.
pub(crate) fn repair(root: &mut Value) {
    let whole = root.clone();
    mend(root, &mut Vec::new(), &whole);
}

/// Corrects the content of a container with this path.
fn mend(container: &mut Value, place: &mut Vec<String>, whole: &Value) {
    let Some(tokens) = container.as_array_mut() else { return };
    let last = tokens.len().saturating_sub(1);
    for (number, token) in tokens.iter_mut().enumerate() {
        match token {
            Value::Array(own) => {
                place.push(name_of(own).map_or_else(|| number.to_string(), str::to_owned));
                mend(token, place, whole);
                place.pop();
            }
            Value::Object(named) if number == last => {
                for (name, own) in named.iter_mut().filter(|(_, own)| own.is_array()) {
                    place.push(name.clone());
                    mend(own, place, whole);
                    place.pop();
                }
            }
            Value::Object(operation) if !operation.contains_key("var") => {
                for key in PATHS {
                    if let Some(path) = operation.get_mut(key)
                        && let Some(mended) = path.as_str().and_then(|path| mended(path, place, whole))
                    {
                        *path = mended.into();
                    }
                }
            }
            _ => {}
        }
    }
}

/// The correct path for one in a container with this path, if it differs.
fn mended(path: &str, place: &[String], whole: &Value) -> Option<String> {
    let steps = absolute(path, place)?;
    let (mut container, mut branch, mut within, mut changed) = (Some(whole), false, true, false);
    let mut corrected = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let counted = step.parse::<usize>().ok().filter(|_| branch && within);
        let step = counted.map_or_else(|| step.clone(), |counted| (counted + 1).to_string());
        changed |= counted.is_some();
        let next = container.and_then(|container| child(container, &step));
        within = within && next.as_ref().is_some_and(|(_, name)| place.get(number) == Some(name));
        container = next.map(|(own, _)| own);
        let is_branch = step.strip_prefix('s').is_some_and(|rest| !rest.is_empty() && rest.parse::<u32>().is_ok());
        branch = is_branch && container.is_some_and(|own| own.get(0).and_then(Value::as_str) == Some("pop"));
        corrected.push(step);
    }
    changed.then(|| corrected.join("."))
}

/// A path from the root; `.^` is the container that contains it.
fn absolute(path: &str, place: &[String]) -> Option<Vec<String>> {
    let Some(relative) = path.strip_prefix('.') else { return Some(path.split('.').map(str::to_owned).collect()) };
    let mut steps = place.to_vec();
    // The first step up leads from the operation to its container.
    let mut ups = 0;
    for step in relative.split('.') {
        if step == "^" {
            ups += 1;
            if ups > 1 {
                steps.pop()?;
            }
        } else {
            steps.push(step.to_owned());
        }
    }
    Some(steps)
}

/// The container to which a step leads, and its name.
fn child<'t>(container: &'t Value, step: &str) -> Option<(&'t Value, String)> {
    let tokens = container.as_array()?;
    let found = match step_of(tokens, step)? {
        Step::Named => tokens.last()?.get(step)?,
        Step::At(place) => tokens.get(place)?,
    };
    found.as_array().map(|own| (found, name_of(own).unwrap_or(step).to_owned()))
}

#[cfg(test)]
mod tests;
