//! From a text to a model.

use budget::Budget;
use model_files::ExplicitModel;

use crate::error::Error;
use crate::explore::{Explored, explore};
use crate::language::parse;
use crate::program::{ParsedRequest, Program, ReadRequest};

/// Reads a model and explores all of its states.
///
/// `constants` gives values to constants of the model, as names and expressions. `labels` are expressions over its
/// variables, formulas and labels (in single quotes): each becomes a label of that text, in addition to the model's
/// own, which need not be listed.
///
/// # Errors
/// With line and column, when the text is invalid, or contains something that is not supported; when a constant is
/// missing; when a probability, a reward or a new value is wrong in some state; when the budget stops the run.
pub fn read(
    text: &str,
    constants: &[(&str, &str)],
    labels: &[&str],
    budget: &Budget<'_>,
) -> Result<ExplicitModel, Error> {
    let found = || {
        let syntax = parse(text)?;
        let is_own = |label: &str| syntax.labels.iter().any(|(own, _)| own.text == label);
        let further: Vec<&str> = labels.iter().copied().filter(|label| !is_own(label)).collect();
        let program = Program::new(&syntax, constants, &ParsedRequest::labels(&further)?)?;
        explore(&program, None, budget)
    };
    found().map(|explored| explored.model).map_err(|error| error.for_given(constants, labels))
}

/// The names of the labels that a model declares, in order.
///
/// # Errors
/// With line and column, when the text is invalid.
///
/// ```
/// assert_eq!(prism::labels("mdp label \"a\" = true;")?, ["a"]);
/// # Ok::<(), prism::Error>(())
/// ```
pub fn labels(text: &str) -> Result<Vec<String>, Error> {
    Ok(parse(text)?.labels.into_iter().map(|(name, _)| name.text).collect())
}

/// The declarations of a text, known before its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The names of its labels, in order.
    pub labels: Vec<String>,
    /// The names of its reward models, in order.
    pub rewards: Vec<String>,
}

/// Checks whether a text is a model that is complete with these constants.
///
/// # Errors
/// With line and column, when the text is invalid, or contains something that is not supported; when a constant is
/// missing.
///
/// ```
/// let declared = prism::declared("mdp const int N; module m x : [0..N]; endmodule label \"a\" = true;", &[("N", "2")])?;
/// assert_eq!(declared.labels, ["a"]);
/// # Ok::<(), prism::Error>(())
/// ```
pub fn declared(text: &str, constants: &[(&str, &str)]) -> Result<Declared, Error> {
    let found = || {
        let syntax = parse(text)?;
        let program = Program::new(&syntax, constants, &ParsedRequest::default())?;
        Ok(Declared {
            labels: syntax.labels.into_iter().map(|(name, _)| name.text).collect(),
            rewards: program.rewards.into_iter().map(|rewards| rewards.name).collect(),
        })
    };
    found().map_err(|error: Error| error.for_given(constants, &[]))
}

/// Reads a model for some questions: their expressions over its variables become labels, which
/// [`over_labels`](crate::over_labels) refers to.
///
/// # Errors
/// As [`read`]; [`Error::NoState`] when there is no state [`ReadRequest::from`].
///
/// ```
/// use budget::Budget;
/// use prism::{ReadRequest, Reaching};
///
/// let text = "mdp module counter n : int; [count] true -> (n'=n+1); endmodule";
/// let question = Reaching { goal: "n + 1 = 4", until: None, steps: None, bounds: &[] };
/// let asked = ReadRequest { question: Some(question), ..ReadRequest::default() };
/// let explored = prism::read_for(text, &[], &asked, &Budget::default())?;
/// // There are infinitely many states, and four until the goal.
/// assert_eq!(explored.model.states(), 4);
/// assert_eq!(prism::over_labels(&explored.model, "n + 1 = 4"), "\"n + 1 = 4\"");
/// assert_eq!(explored.states.describe(3), "n=3");
/// assert_eq!(explored.cut.iter().collect::<Vec<_>>(), [3]);
/// # Ok::<(), prism::Error>(())
/// ```
pub fn read_for(
    text: &str,
    constants: &[(&str, &str)],
    asked: &ReadRequest<'_>,
    budget: &Budget<'_>,
) -> Result<Explored, Error> {
    let expressions = asked.all();
    let found = || {
        let syntax = parse(text)?;
        let parsed = ParsedRequest::new(&syntax, &expressions, asked.question.as_ref())?;
        let program = Program::new(&syntax, constants, &parsed)?;
        explore(&program, asked.from, budget)
    };
    found().map_err(|error| error.for_given(constants, &expressions))
}
