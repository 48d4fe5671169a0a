//! Expressions that are asked of a model: over its labels, or over its variables.

use budget::Budget;
use model_files::{ExplicitModel, Expression, INIT};

use crate::error::Error;
use crate::states::States;
use crate::{explore, parse, program};

/// What a text declares, known before its states are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The names of its labels, in order.
    pub labels: Vec<String>,
    /// The names of its reward models, in order.
    pub rewards: Vec<String>,
}

/// Looks whether a text is a model to which these constants give all that it leaves open.
///
/// # Errors
/// With line and column, when the text is wrong, or holds what is not supported; when a constant is missing.
///
/// ```
/// let declared = prism::declared("mdp const int N; module m x : [0..N]; endmodule label \"a\" = true;", &[("N", "2")])?;
/// assert_eq!(declared.labels, ["a"]);
/// # Ok::<(), prism::Error>(())
/// ```
pub fn declared(text: &str, constants: &[(&str, &str)]) -> Result<Declared, Error> {
    let syntax = parse::parse(text)?;
    let program = program::Program::new(&syntax, constants, &[])?;
    Ok(Declared {
        labels: syntax.labels.into_iter().map(|(name, _)| name.text).collect(),
        rewards: program.rewards.into_iter().map(|rewards| rewards.name).collect(),
    })
}

/// Reads a model of which these expressions will be asked: what they say of its variables becomes labels, which
/// [`over_labels`] names. With the values of its variables in all states.
///
/// # Errors
/// As [`read`](crate::read).
///
/// ```
/// use budget::Budget;
///
/// let text = "mdp module coin n : [0..3] init 0; [toss] n < 3 -> (n'=n+1); endmodule";
/// let (model, states) = prism::read_for(text, &[], &["n + 1 = 4"], &Budget::default())?;
/// assert_eq!(prism::over_labels(&model, "n + 1 = 4"), "\"n + 1 = 4\"");
/// assert_eq!(states.told(3), "n=3");
/// # Ok::<(), prism::Error>(())
/// ```
pub fn read_for(
    text: &str,
    constants: &[(&str, &str)],
    expressions: &[&str],
    budget: &Budget<'_>,
) -> Result<(ExplicitModel, States), Error> {
    let syntax = parse::parse(text)?;
    let mut wanted: Vec<String> = Vec::new();
    for label in expressions.iter().flat_map(|expression| asked(expression)) {
        let declared = syntax.labels.iter().any(|(name, _)| name.text == label);
        let is_known = declared || label == INIT || label == "deadlock";
        if !is_known && !wanted.contains(&label) {
            wanted.push(label);
        }
    }
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let program = program::Program::new(&syntax, constants, &wanted)?;
    explore::explore(&program, budget)
}

/// The labels that an expression asks for. One that is no expression over labels is about the variables
/// of the model: it becomes a label as a whole.
fn asked(text: &str) -> Vec<String> {
    match Expression::parse(text) {
        Ok(expression) => expression.labels().into_iter().map(String::from).collect(),
        Err(_) => vec![in_single_quotes(text)],
    }
}

/// The text with single quotes for double ones, so that it can be a label itself.
fn in_single_quotes(text: &str) -> String {
    text.replace('"', "'")
}

/// An expression over the labels of a model that has been read: what [`read_for`] made a label is one.
pub fn over_labels(model: &ExplicitModel, text: &str) -> String {
    let whole = in_single_quotes(text);
    if Expression::parse(text).is_err() && model.label(&whole).is_some() { format!("\"{whole}\"") } else { text.into() }
}
