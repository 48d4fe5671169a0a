//! What is asked of a model: expressions over its labels or over its variables.

use budget::Budget;
use dashu_ratio::RBig;
use model_files::{ExplicitModel, Expression, INIT, Part, StateSet};

use crate::error::{At, Error, Source};
use crate::explore::explore;
use crate::expression::{Expr, Kind};
use crate::operators::parse_expression;
use crate::parse;
use crate::program::Program;
use crate::states::States;
use crate::syntax::Syntax;
use crate::value::Value;

/// PRISM's own name for the states without commands.
pub(crate) const DEADLOCK: &str = "deadlock";

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
    let found = || {
        let syntax = parse::parse(text)?;
        let program = Program::new(&syntax, constants, &Asking::default())?;
        Ok(Declared {
            labels: syntax.labels.into_iter().map(|(name, _)| name.text).collect(),
            rewards: program.rewards.into_iter().map(|rewards| rewards.name).collect(),
        })
    };
    found().map_err(|error: Error| error.for_given(constants, &[]))
}

/// What a model is read for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The one question that is asked of it: only what can come before play is over is explored. None: all states are.
    pub question: Option<Reaching<'a>>,
    /// More expressions that will be asked of it.
    pub expressions: &'a [&'a str],
    /// Where play begins, instead of the initial states: in the state that has this number when all states are explored.
    /// It becomes state 0.
    pub from: Option<u32>,
}

/// A question for reaching a goal, as far as it says which states count. Play is over in goal states, outside of `until`,
/// after `steps` choices, and where one of `bounds` is exceeded.
#[derive(Clone, Copy, Debug)]
pub struct Reaching<'a> {
    /// The goal, an expression.
    pub goal: &'a str,
    /// The only states that may lie on the way to it, an expression; none: all may.
    pub until: Option<&'a str>,
    /// How many choices play has; none: any number.
    pub steps: Option<u64>,
    /// How much of some reward models, by their names, may be earned on the way.
    pub bounds: &'a [(&'a str, RBig)],
}

impl<'a> Asked<'a> {
    /// All expressions.
    fn all(&self) -> Vec<&'a str> {
        let question = self.question.iter().flat_map(|question| [question.goal].into_iter().chain(question.until));
        question.chain(self.expressions.iter().copied()).collect()
    }
}

/// A model that has been read.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The model.
    pub model: ExplicitModel,
    /// The values of its variables in all of its states.
    pub states: States,
    /// The states whose choices are left out, because play is over there. They earn nothing.
    pub cut: StateSet,
}

/// Reads a model of which something will be asked: what is said of its variables becomes labels, which [`over_labels`] names.
///
/// # Errors
/// As [`read`](crate::read); [`Error::NoState`] when there is no state [`Asked::from`].
///
/// ```
/// use budget::Budget;
/// use prism::{Asked, Reaching};
///
/// let text = "mdp module counter n : int; [count] true -> (n'=n+1); endmodule";
/// let question = Reaching { goal: "n + 1 = 4", until: None, steps: None, bounds: &[] };
/// let asked = Asked { question: Some(question), ..Asked::default() };
/// let explored = prism::read_for(text, &[], &asked, &Budget::default())?;
/// // There are infinitely many states, and four until the goal.
/// assert_eq!(explored.model.states(), 4);
/// assert_eq!(prism::over_labels(&explored.model, "n + 1 = 4"), "\"n + 1 = 4\"");
/// assert_eq!(explored.states.told(3), "n=3");
/// assert_eq!(explored.cut.iter().collect::<Vec<_>>(), [3]);
/// # Ok::<(), prism::Error>(())
/// ```
pub fn read_for(
    text: &str,
    constants: &[(&str, &str)],
    asked: &Asked<'_>,
    budget: &Budget<'_>,
) -> Result<Explored, Error> {
    let expressions = asked.all();
    let found = || {
        let syntax = parse::parse(text)?;
        let asking = Asking::new(&syntax, &expressions, asked.question.as_ref())?;
        let program = Program::new(&syntax, constants, &asking)?;
        explore(&program, asked.from, budget)
    };
    found().map_err(|error| error.for_given(constants, &expressions))
}

/// What is asked, parsed.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// Expressions that become labels, by the labels' names.
    pub(crate) wanted: Vec<(String, Expr)>,
    /// Where play is over, over labels.
    pub(crate) over: Option<Expr>,
    /// After how many choices play is over.
    pub(crate) steps: Option<u64>,
    /// How much may be earned before it is.
    pub(crate) bounds: Vec<(String, RBig)>,
}

impl Asking {
    /// Expressions that become labels as they stand.
    pub(crate) fn labels(expressions: &[&str]) -> Result<Self, Error> {
        let parsed = expressions.iter().enumerate().map(|(place, text)| {
            let source = Source::Expression(place, 0);
            // Single quotes stand for double ones, so that the text can be a label itself.
            Ok(((*text).to_string(), parse_expression(&in_double_quotes(text), source)?))
        });
        Ok(Self { wanted: parsed.collect::<Result<_, Error>>()?, ..Self::default() })
    }

    fn new(syntax: &Syntax, expressions: &[&str], question: Option<&Reaching<'_>>) -> Result<Self, Error> {
        let mut asking = Self::default();
        let mut over = Vec::new();
        for (place, text) in expressions.iter().enumerate() {
            over.push(asking.add(syntax, place, text)?);
        }
        if let Some(question) = question {
            // The goal comes first, and then what may lie on the way to it.
            let mut over = over.into_iter();
            let at = At::default();
            let mut all: Vec<Expr> = over.by_ref().take(1).collect();
            let outside =
                over.take(question.until.iter().len()).map(|until| Expr { kind: Kind::Not(Box::new(until)), at });
            all.extend(outside);
            asking.over = Some(Expr { kind: Kind::Or(all), at });
            asking.steps = question.steps;
            asking.bounds = question.bounds.iter().map(|(name, most)| ((*name).into(), most.clone())).collect();
        }
        Ok(asking)
    }

    /// Takes one more expression; as an expression over labels, of which those that are wanted will be made.
    fn add(&mut self, syntax: &Syntax, place: usize, text: &str) -> Result<Expr, Error> {
        let at = At { line: 1, column: 1, source: Source::Expression(place, 0) };
        let is_declared = |label: &str| syntax.labels.iter().any(|(name, _)| name.text == label);
        let Some(expression) = parts_over_labels(text) else {
            let whole = parse_expression(text, at.source)?;
            let label = in_single_quotes(text);
            self.want(label.clone(), whole);
            return Ok(Expr { kind: Kind::Label(label), at });
        };
        for (label, column) in expression.labels_with_columns() {
            if label == DEADLOCK {
                // In a state whose choices are left out the model cannot tell.
                self.want(label.into(), Expr { kind: Kind::Label(label.into()), at });
            } else if !is_declared(label) && label != INIT {
                let source = Source::Expression(place, u32::try_from(column - 1).unwrap_or(u32::MAX));
                self.want(label.into(), parse_expression(&in_double_quotes(label), source)?);
            }
        }
        Ok(expression.fold(&mut |part| {
            let kind = match part {
                Part::Constant(value) => Kind::Constant(Value::Bool(value)),
                Part::Label(name) => Kind::Label(name.into()),
                Part::Not(inner) => Kind::Not(Box::new(inner)),
                Part::And(all) => Kind::And(all),
                Part::Or(all) => Kind::Or(all),
            };
            Expr { kind, at }
        }))
    }

    fn want(&mut self, label: String, expression: Expr) {
        if !self.wanted.iter().any(|(other, _)| *other == label) {
            self.wanted.push((label, expression));
        }
    }
}

/// The expression as one over labels, where each label that the model does not declare is an expression about its variables.
/// None: only as a whole is it one, because something in it binds looser than `&` and `|`.
fn parts_over_labels(text: &str) -> Option<Expression> {
    let expression = Expression::parse(text).ok()?;
    let is_part = |label: &str| !label.contains("=>") || text.contains(&format!("\"{label}\""));
    expression.labels().into_iter().all(is_part).then_some(expression)
}

/// The text with single quotes for double ones, so that it can be a label itself.
fn in_single_quotes(text: &str) -> String {
    text.replace('"', "'")
}

fn in_double_quotes(text: &str) -> String {
    text.replace('\'', "\"")
}

/// An expression over the labels of a model that has been read: what [`read_for`] made a label is one.
pub fn over_labels(model: &ExplicitModel, text: &str) -> String {
    let whole = in_single_quotes(text);
    if parts_over_labels(text).is_none() && model.label(&whole).is_some() {
        format!("\"{whole}\"")
    } else {
        text.into()
    }
}
