//! The purpose for which a model is read, parsed: expressions over its labels or over its variables.

use dashu_ratio::RBig;
use model_files::{ExplicitModel, Expression, INIT, Part};

use super::request::Reaching;
use crate::error::{At, Error, Source};
use crate::language::{Expr, Kind, Syntax, Value, parse_expression};

/// PRISM's own name for the states without commands.
pub(crate) const DEADLOCK: &str = "deadlock";

/// The purpose, parsed.
#[derive(Debug, Default)]
pub(crate) struct ParsedRequest {
    /// Expressions that become labels, by the labels' names.
    pub(crate) wanted: Vec<(String, Expr)>,
    /// The states in which play is over, over labels.
    pub(crate) over: Option<Expr>,
    /// The number of choices after which play is over.
    pub(crate) steps: Option<u64>,
    /// The largest totals before play is over.
    pub(crate) bounds: Vec<(String, RBig)>,
}

impl ParsedRequest {
    /// Expressions that become labels unchanged.
    pub(crate) fn labels(expressions: &[&str]) -> Result<Self, Error> {
        let parsed = expressions.iter().enumerate().map(|(place, text)| {
            let source = Source::Expression(place, 0);
            // Single quotes represent double ones, so that the text can be a label itself.
            Ok(((*text).to_string(), parse_expression(&in_double_quotes(text), source)?))
        });
        Ok(Self { wanted: parsed.collect::<Result<_, Error>>()?, ..Self::default() })
    }

    pub(crate) fn new(syntax: &Syntax, expressions: &[&str], question: Option<&Reaching<'_>>) -> Result<Self, Error> {
        let mut parsing = Self::default();
        let mut over = Vec::new();
        for (place, text) in expressions.iter().enumerate() {
            over.push(parsing.add(syntax, place, text)?);
        }
        if let Some(question) = question {
            // The goal comes first, and then `until`.
            let mut over = over.into_iter();
            let at = At::default();
            let mut all: Vec<Expr> = over.by_ref().take(1).collect();
            let outside =
                over.take(question.until.iter().len()).map(|until| Expr { kind: Kind::Not(Box::new(until)), at });
            all.extend(outside);
            parsing.over = Some(Expr { kind: Kind::Or(all), at });
            parsing.steps = question.steps;
            parsing.bounds = question.bounds.iter().map(|(name, most)| ((*name).into(), most.clone())).collect();
        }
        Ok(parsing)
    }

    /// Adds an expression; returns it as an expression over labels, to which wanted labels are added.
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
                // In a state whose choices are left out the model does not know.
                self.want(label.into(), Expr { kind: Kind::Label(label.into()), at });
            } else if !is_declared(label) && label != INIT {
                let source =
                    Source::Expression(place, u32::try_from(column - 1).expect("an expression fits into a line"));
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

/// The expression as one over labels, where each label that the model does not declare is an expression over its
/// variables. `None` if it is one only as a whole, because something in it binds more loosely than `&` and `|`.
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

/// An expression over the labels of a model that was read by [`read_for`](crate::read_for), which made labels of
/// expressions.
pub fn over_labels(model: &ExplicitModel, text: &str) -> String {
    let whole = in_single_quotes(text);
    if parts_over_labels(text).is_none() && model.label(&whole).is_some() {
        format!("\"{whole}\"")
    } else {
        text.into()
    }
}
