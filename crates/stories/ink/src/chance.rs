//! Rewrites chance and endings in the compiled story: draws call our functions, and endings are recorded.
//!
//! Paths in a compiled story count operations, so none is added or taken away: an operation is replaced by a container
//! of several, which the runtime executes in its place. Draws are counted in a variable of the story itself: the
//! runtime looks ahead and rewinds, and that variable with it, so that a repeated draw has the same number and the same
//! answer.

use serde_json::{Map, Value, json};

use crate::program::{DECLARATIONS, Program};
use crate::source::SourceError;
use crate::wording::Wording;

/// The variable that counts the draws of a step. No variable of ink has a space in its name.
pub(crate) const DRAWN: &str = "bestplay drawn";
/// The variable with the number of the container in which the story is done.
pub(crate) const ENDED: &str = "bestplay ended";
/// The variable with that number and one more, where `-> END` was reached: nothing may follow.
pub(crate) const OVER: &str = "bestplay over";

pub(crate) const RANDOM: &str = "bestplay random";
pub(crate) const LIST_RANDOM: &str = "bestplay list random";
pub(crate) const SEED: &str = "bestplay seed";
pub(crate) const SHUFFLE: &str = "bestplay shuffle";
pub(crate) const ADD_DRAWN: &str = "bestplay mark";
pub(crate) const BOUNDED: &str = "bestplay bounded";
pub(crate) const LARGEST: &str = "bestplay largest";
pub(crate) const SMALLEST: &str = "bestplay smallest";

/// The most elements of one shuffle: the drawn ones are the bits of an integer of ink.
pub(crate) const MOST_SHUFFLED: i64 = 30;

/// The variable with the elements drawn by a shuffle, which is in this container at this index.
pub(crate) fn shuffle_name(path: &str, place: usize) -> String {
    format!("bestplay shuffle {path} {place}")
}

/// Whether a variable is one of ours that no step reads from the previous one.
pub(crate) fn is_of_one_step(name: &str) -> bool {
    [DRAWN, ENDED, OVER].contains(&name)
}

/// A rewritten story.
pub(crate) struct Rewritten {
    /// The canonical paths of the containers in which the story can end, by number.
    pub(crate) ends: Vec<String>,
}

/// Rewrites the root of a compiled story, which is this program. Nothing is drawn where that only changes `wording`.
///
/// # Errors
/// A shuffle of unknown or too large length, declarations that do more than declare.
pub(crate) fn rewrite(
    root: &mut Value,
    file: &str,
    program: &Program,
    wording: &Wording,
) -> Result<Rewritten, SourceError> {
    let mut rewriter = Rewriter { file, program, wording, shuffles: Vec::new(), ends: Vec::new() };
    rewriter.container(root, "")?;
    let ours = [DRAWN, ENDED, OVER].map(str::to_owned).into_iter().chain(rewriter.shuffles);
    declare(root, ours, file)?;
    Ok(Rewritten { ends: rewriter.ends })
}

struct Rewriter<'a> {
    file: &'a str,
    program: &'a Program,
    wording: &'a Wording,
    shuffles: Vec<String>,
    ends: Vec<String>,
}

impl Rewriter<'_> {
    /// In the order of a program: operations, then named content.
    fn container(&mut self, token: &mut Value, path: &str) -> Result<(), SourceError> {
        let Some((last, ordered)) = token.as_array_mut().and_then(|array| array.split_last_mut()) else {
            return Ok(());
        };
        let mut text_from = None;
        for place in 0..ordered.len() {
            if ordered[place].is_array() {
                let name = ordered[place].as_array().and_then(|array| array.last()?.get("#n")?.as_str());
                let step = name.map_or_else(|| place.to_string(), str::to_owned);
                self.container(&mut ordered[place], &crate::program::joined(path, &step))?;
                continue;
            }
            match ordered[place].as_str() {
                Some("str") => text_from = Some(place),
                Some(name) => {
                    let before = place.checked_sub(1).map(|before| &ordered[before]);
                    let built = text_from.is_some_and(|from| ordered[from..place].iter().any(|token| token == "out"));
                    if let Some(operations) = self.instead(name, before, built, (path, place))? {
                        ordered[place] = container_of(operations);
                    }
                }
                None => {}
            }
        }
        let ordered_names: Vec<String> = ordered
            .iter()
            .filter_map(|token| Some(token.as_array()?.last()?.get("#n")?.as_str()?.to_owned()))
            .collect();
        for (name, token) in last.as_object_mut().into_iter().flatten() {
            if token.is_array() && name != DECLARATIONS && !ordered_names.contains(name) {
                self.container(token, &crate::program::joined(path, name))?;
            }
        }
        Ok(())
    }

    /// The replacement of an operation; `None` if it stays.
    fn instead(
        &mut self,
        name: &str,
        before: Option<&Value>,
        built: bool,
        (path, place): (&str, usize),
    ) -> Result<Option<Vec<Value>>, SourceError> {
        Ok(Some(match name {
            "rnd" => drawing(RANDOM, 2),
            "lrnd" => drawing(LIST_RANDOM, 1),
            "srnd" => vec![json!({"x()": SEED, "exArgs": 1})],
            "seq" => self.shuffle(before, path, place)?,
            "done" | "end" => {
                let number = self.ends.len();
                self.ends.push(path.to_owned());
                let (variable, number) = if name == "end" { (OVER, number + 1) } else { (ENDED, number) };
                vec![json!("ev"), json!(number), json!({"VAR=": variable, "re": true}), json!("/ev"), json!(name)]
            }
            "+" => bounded(name),
            "LIST_MAX" => vec![json!({"x()": LARGEST, "exArgs": 1})],
            "LIST_MIN" => vec![json!({"x()": SMALLEST, "exArgs": 1})],
            "/str" if built => bounded(name),
            _ => return Ok(None),
        }))
    }

    /// The stack holds the number of visits of the shuffle, and its number of elements.
    fn shuffle(&mut self, before: Option<&Value>, path: &str, place: usize) -> Result<Vec<Value>, SourceError> {
        if self.program.find(path).is_some_and(|container| self.wording.has(container, place)) {
            return Ok(vec![json!("pop"), json!("pop"), json!(0)]);
        }
        let elements = before.and_then(Value::as_i64).filter(|elements| (1..=MOST_SHUFFLED).contains(elements));
        let Some(elements) = elements else {
            let message = format!("the shuffle at {path} has not 1 to {MOST_SHUFFLED} elements");
            return Err(SourceError::new(self.file, None, message));
        };
        let drawn = shuffle_name(path, place);
        self.shuffles.push(drawn.clone());
        let mut operations = vec![json!({"VAR?": drawn})];
        operations.extend(drawing(SHUFFLE, 3));
        operations.extend([
            json!("du"),
            json!({"VAR?": drawn}),
            json!(elements),
            json!({"x()": ADD_DRAWN, "exArgs": 3}),
            json!({"VAR=": drawn, "re": true}),
        ]);
        Ok(operations)
    }
}

/// Calls a function with the operands and the number of the draw, and counts the draw.
fn drawing(function: &str, operands: u32) -> Vec<Value> {
    vec![
        json!({"VAR?": DRAWN}),
        json!({"x()": function, "exArgs": operands + 1}),
        json!({"VAR?": DRAWN}),
        json!(1),
        json!("+"),
        json!({"VAR=": DRAWN, "re": true}),
    ]
}

/// The same operation with a check that its text does not grow without end.
fn bounded(operation: &str) -> Vec<Value> {
    vec![json!(operation), json!("du"), json!({"x()": BOUNDED, "exArgs": 1}), json!("pop")]
}

fn container_of(mut operations: Vec<Value>) -> Value {
    operations.push(Value::Null);
    Value::Array(operations)
}

/// Declares variables that begin with 0.
fn declare(root: &mut Value, names: impl Iterator<Item = String>, file: &str) -> Result<(), SourceError> {
    let wrong = |message: &str| SourceError::new(file, None, message);
    let last = root.as_array_mut().and_then(|array| array.last_mut()).ok_or_else(|| wrong("its root is empty"))?;
    if last.is_null() {
        *last = Value::Object(Map::new());
    }
    let named = last.as_object_mut().ok_or_else(|| wrong("its root does not end with what is named"))?;
    let declarations = named.entry(DECLARATIONS).or_insert_with(|| json!(["ev", "/ev", "end", null]));
    let operations = declarations.as_array_mut().ok_or_else(|| wrong("its declarations are no container"))?;
    let plain = |token: &Value| match token {
        Value::Array(_) => false,
        Value::Object(object) => !["->", "f()", "->t->", "x()", "*"].iter().any(|key| object.contains_key(*key)),
        _ => true,
    };
    if !operations.iter().take(operations.len().saturating_sub(1)).all(plain) {
        return Err(wrong("its declarations do more than declare variables"));
    }
    let close =
        operations.iter().rposition(|token| token == "/ev").ok_or_else(|| wrong("its declarations do not end"))?;
    operations.splice(close..close, names.flat_map(|name| [json!(0), json!({"VAR=": name})]));
    Ok(())
}
