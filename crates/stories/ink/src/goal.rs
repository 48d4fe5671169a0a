//! The goal of a story.

use serde_json::{Map, Value};

use crate::compiler::compile;
use crate::program::{DECLARATIONS, unknown_item, unknown_variable};
use crate::source::SourceError;

/// The function that evaluates the goal.
pub(crate) const GOAL: &str = "bestplay_goal";
/// The tag before an end that is won.
pub(crate) const WIN: &str = "win";

/// The goal: it pays 1, every other end 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An end with the tag `# win` after the last choice, in any case of letters.
    Tag,
    /// Reaching this knot or stitch.
    Knot(String),
    /// This condition over the story's variables and knots holds where the story asks for a choice or ends.
    Condition(String),
}

/// Inserts a function that evaluates `condition` into a compiled story.
///
/// It is compiled with a story of the same declarations, so that its errors are reported as errors of the goal.
pub(crate) fn insert_goal<'a>(
    story: &mut Value,
    condition: &str,
    knots: impl Iterator<Item = &'a str>,
) -> Result<(), SourceError> {
    let wrong = |message: String| SourceError::new("the goal", None, message);
    if condition.trim().is_empty() || condition.contains(['\n', '\r', '{', '}', '#']) {
        return Err(wrong(format!("\"{}\" is neither a knot of the story nor a condition", condition.escape_debug())));
    }
    let is_name = condition.trim().chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    // A name in brackets would be a list.
    let asked = if is_name { condition.to_owned() } else { format!("({condition})") };
    let text = format!("{}\n=== function {GOAL} ===\n~ return {asked}\n", declarations(story, knots));
    let mut compiled = compile(&text, "the goal", |_| Err("nothing can be included".to_owned())).map_err(|error| {
        wrong(format!("\"{condition}\" is neither a knot of the story nor a condition: {}", error.message))
    })?;
    let function = named(&mut compiled).and_then(|named| named.remove(GOAL));
    let function = function.ok_or_else(|| wrong("it was not compiled".to_owned()))?;
    if uses_chance(&function) {
        return Err(wrong("it depends on chance".to_owned()));
    }
    if let Some(name) = unknown_item(&function).or_else(|| unknown_variable(&function, story)) {
        return Err(wrong(format!(
            "\"{condition}\" is neither a knot of the story nor a condition: {name} is the name of nothing"
        )));
    }
    let named = named(story).ok_or_else(|| wrong("the story declares nothing".to_owned()))?;
    named.insert(GOAL.to_owned(), function);
    Ok(())
}

/// The named content of the root.
fn named(story: &mut Value) -> Option<&mut Map<String, Value>> {
    let last = story.get_mut("root")?.as_array_mut()?.last_mut()?;
    if last.is_null() {
        *last = Value::Object(Map::new());
    }
    last.as_object_mut()
}

/// Ink text with the declarations of the story.
fn declarations<'a>(story: &mut Value, knots: impl Iterator<Item = &'a str>) -> String {
    let mut lines = Vec::new();
    let lists = story.get("listDefs").and_then(Value::as_object).cloned().unwrap_or_default();
    for (list, items) in &lists {
        let items = items.as_object().into_iter().flatten().map(|(item, value)| format!("{item} = {value}"));
        lines.push(format!("LIST {list} = {}", items.collect::<Vec<_>>().join(", ")));
    }
    let declared = named(story).and_then(|named| named.get(DECLARATIONS)?.as_array().cloned()).unwrap_or_default();
    for name in
        declared.iter().filter_map(|token| token.get("VAR=")?.as_str()).filter(|name| !lists.contains_key(*name))
    {
        lines.push(format!("VAR {name} = 0"));
    }
    lines.extend(knots.map(|knot| match knot.split_once('.') {
        Some((_, stitch)) => format!("= {stitch}\n-> DONE"),
        None => format!("=== {knot} ===\n-> DONE"),
    }));
    lines.join("\n")
}

fn uses_chance(token: &Value) -> bool {
    match token {
        Value::Array(tokens) => tokens.iter().any(uses_chance),
        Value::Object(object) => object.values().any(uses_chance),
        Value::String(name) => matches!(name.as_str(), "rnd" | "lrnd" | "srnd" | "seq"),
        _ => false,
    }
}
