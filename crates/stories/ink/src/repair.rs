//! Paths that the compiler writes wrongly.
//!
//! It computes indices of operations before it knows all of them: within a branch of a sequence it does not count the
//! first operation (`pop`), and elsewhere it forgets what it puts before the content of a choice. Where an operation is
//! the compiler's own (into a branch, out of a branch, to the text of a choice), the structure around it tells its
//! target, whatever the path says. A place that the author named is looked for by its name where its path leads nowhere.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::program::{Step, is_named_place, known_names, name_of, step_of};

/// The keys of paths in operations.
const PATHS: [&str; 6] = ["->", "f()", "->t->", "^->", "CNT?", "*"];

/// Corrects the operations of a compiled story.
pub(crate) fn repair(story: &mut Value) {
    let known = known_names(story).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let Some(root) = story.get_mut("root") else { return };
    let whole = root.clone();
    let mut places = Places::default();
    places.collect(&whole, &mut Vec::new());
    let mender = Mender { whole: &whole, places, known };
    mender.container(root, &mut Vec::new());
}

/// The named containers of a story, and its choices.
#[derive(Default)]
struct Places {
    /// The paths of all named containers.
    named: Vec<Vec<String>>,
    /// For the container of what follows a choice, the container with its text.
    texts: FxHashMap<Vec<String>, Vec<String>>,
}

impl Places {
    fn collect(&mut self, container: &Value, place: &mut Vec<String>) {
        let Some(tokens) = container.as_array() else { return };
        for (number, token) in tokens.iter().enumerate() {
            if let Some(own) = token.as_array() {
                let name = name_of(own);
                place.push(name.map_or_else(|| number.to_string(), str::to_owned));
                if name.is_some() {
                    self.named.push(place.clone());
                }
                self.collect(token, place);
                place.pop();
            }
            let target = token.get("*").and_then(Value::as_str).and_then(|path| absolute(path, place));
            if let Some(target) = target
                && tokens.last().is_some_and(|last| last.get("s").is_some())
            {
                self.texts.insert(target, place.clone());
            }
        }
        for (name, own) in tokens.last().and_then(Value::as_object).into_iter().flatten() {
            if own.is_array() {
                place.push(name.clone());
                self.named.push(place.clone());
                self.collect(own, place);
                place.pop();
            }
        }
    }

    /// The place with the author's names of a path, the one nearest to `from`.
    fn by_name(&self, path: &[String], from: &[String]) -> Option<&Vec<String>> {
        let names: Vec<&String> = path.iter().filter(|step| is_named_place(step)).collect();
        let last = path.last().filter(|step| is_named_place(step))?;
        let common = |place: &[String]| place.iter().zip(from).take_while(|(a, b)| a == b).count();
        let fits = |place: &&Vec<String>| {
            let mut steps = place.iter();
            place.last() == Some(last) && names.iter().all(|name| steps.any(|step| step == *name))
        };
        // The first of those that share the longest beginning.
        self.named.iter().filter(fits).rev().max_by_key(|place| common(place))
    }
}

struct Mender<'w> {
    whole: &'w Value,
    places: Places,
    /// Variables, lists and items.
    known: Vec<String>,
}

impl Mender<'_> {
    /// Corrects the content of a container with this path.
    fn container(&self, container: &mut Value, place: &mut Vec<String>) {
        let Some(tokens) = container.as_array_mut() else { return };
        let last = tokens.len().saturating_sub(1);
        for (number, token) in tokens.iter_mut().enumerate() {
            match token {
                Value::Array(own) => {
                    place.push(name_of(own).map_or_else(|| number.to_string(), str::to_owned));
                    self.container(token, place);
                    place.pop();
                }
                Value::Object(named) if number == last => {
                    for (name, own) in named.iter_mut().filter(|(_, own)| own.is_array()) {
                        place.push(name.clone());
                        self.container(own, place);
                        place.pop();
                    }
                }
                Value::Object(_) => self.operation(token, number, place),
                _ => {}
            }
        }
    }

    fn operation(&self, token: &mut Value, number: usize, place: &[String]) {
        // A name that is no variable is a place, whose visits are counted.
        if let Some(name) = token.get("VAR?").and_then(Value::as_str)
            && !self.known.iter().any(|known| known == name)
        {
            let steps: Vec<String> = name.split('.').map(str::to_owned).collect();
            if let Some(found) = self.places.by_name(&steps, place) {
                *token = json!({"CNT?": found.join(".")});
            }
            return;
        }
        let Some(operation) = token.as_object_mut().filter(|operation| !operation.contains_key("var")) else { return };
        for key in PATHS {
            if let Some(path) = operation.get_mut(key)
                && let Some(mended) = path.as_str().and_then(|path| self.mended(path, number, place))
            {
                *path = mended.into();
            }
        }
    }

    /// The correct path for one in an operation of a container with this path, if it differs.
    fn mended(&self, path: &str, number: usize, place: &[String]) -> Option<String> {
        let steps = absolute(path, place)?;
        let mended = match self.by_structure(&steps, number, place) {
            Some(target) => target,
            None => {
                let counted = counted(&steps, place, self.whole).unwrap_or_else(|| steps.clone());
                match at(self.whole, &counted) {
                    Some(_) => counted,
                    None => self.places.by_name(&steps, place)?.clone(),
                }
            }
        };
        (mended != steps).then(|| mended.join("."))
    }

    /// The target of an operation of the compiler's own.
    fn by_structure(&self, path: &[String], number: usize, place: &[String]) -> Option<Vec<String>> {
        let own = at(self.whole, place)?.as_array()?;
        let (last, before) = path.split_last()?;
        let within = |step: &str| Some([place, &[step.to_owned()]].concat());
        let has = |name: &str| own.last().is_some_and(|last| last.get(name).is_some_and(Value::is_array));
        let has_mark = |name: &str| own.iter().any(|token| token.as_array().and_then(|own| name_of(own)) == Some(name));
        let is_number = |step: &String| step.parse::<usize>().is_ok();
        if before.last().is_some_and(is_number) {
            if (is_branch(last) || last == "s") && has(last) || last == "$r1" && has_mark(last) {
                return within(last);
            }
            if last == "s" && has_mark("$r2") {
                let text = self.places.texts.get(place)?;
                return Some([&text[..], std::slice::from_ref(last)].concat());
            }
        }
        if last == "$r2" && has_mark(last) {
            return within(last);
        }
        if !is_number(last) {
            return None;
        }
        let (name, around) = place.split_last()?;
        let is_leave = is_branch(name) && number + 2 == own.len();
        if is_leave && name == "b" {
            let (branch, around) = around.split_last()?;
            let branch: usize = branch.parse().ok()?;
            let tokens = at(self.whole, around)?.as_array()?;
            let end = (branch..tokens.len()).find(|number| tokens[*number] == "nop")?;
            return Some([around, &[end.to_string()]].concat());
        }
        if is_leave {
            let tokens = at(self.whole, around)?.as_array()?;
            let end = tokens.iter().rposition(|token| token == "nop")?;
            return Some([around, &[end.to_string()]].concat());
        }
        own.iter().any(|token| token == "seq").then(|| within(last)).flatten()
    }
}

/// Whether a container is a branch of a condition or a sequence.
fn is_branch(name: &str) -> bool {
    name == "b" || is_branch_of_sequence(name)
}

fn is_branch_of_sequence(name: &str) -> bool {
    name.strip_prefix('s').is_some_and(|rest| !rest.is_empty() && rest.parse::<u32>().is_ok())
}

/// A path from within a branch of a sequence, with its first operation counted; `None` if it is no such path.
fn counted(steps: &[String], place: &[String], whole: &Value) -> Option<Vec<String>> {
    let (mut container, mut branch, mut within, mut changed) = (Some(whole), false, true, false);
    let mut corrected = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let counted = step.parse::<usize>().ok().filter(|_| branch && within);
        let step = counted.map_or_else(|| step.clone(), |counted| (counted + 1).to_string());
        changed |= counted.is_some();
        let next = container.and_then(|container| child(container, &step));
        within = within && next.as_ref().is_some_and(|(_, name)| place.get(number) == Some(name));
        container = next.map(|(own, _)| own);
        branch = is_branch_of_sequence(&step)
            && container.is_some_and(|own| own.get(0).and_then(Value::as_str) == Some("pop"));
        corrected.push(step);
    }
    changed.then_some(corrected)
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

/// What a path from the root leads to; the last step can be an operation.
fn at<'t>(whole: &'t Value, path: &[String]) -> Option<&'t Value> {
    let Some((last, before)) = path.split_last() else { return Some(whole) };
    let mut container = whole;
    for step in before {
        container = child(container, step)?.0;
    }
    child(container, last).map(|(own, _)| own).or_else(|| container.get(last.parse::<usize>().ok()?))
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
