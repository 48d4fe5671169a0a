//! Expressions for sets of states: labels combined with `&`, `|` and `!`.

use std::fmt;

use budget::{Budget, Stage, Stopped};

use crate::explicit::ExplicitModel;
use crate::state_set::StateSet;

/// How deep parentheses and negations may be nested.
const DEEPEST: usize = 200;

/// A set of states described by labels.
///
/// `a & b`, `a | b`, `!a`, parentheses, `true`, `false`; `!` binds strongest, then `&`, then `|`.
/// Labels may stand in quotation marks (`"heads up"`). `init` are the initial states; `deadlock`
/// are the states without choices, unless the model has a label of that name.
///
/// ```
/// # let budget = budget::Budget::default();
/// # let text = "@type: MDP\n@nr_states\n2\n@model\nstate 0 init\nstate 1 finished agree\n";
/// # let model = model_files::read_drn(text.as_bytes(), &budget)?;
/// use model_files::Expression;
///
/// let goal = Expression::parse("\"finished\" & !(agree | false)")?;
/// assert!(goal.states(&model, &budget)?.is_empty());
/// let error = Expression::parse("finished & agreed")?.states(&model, &budget).unwrap_err();
/// assert_eq!(error.to_string(), "column 12: the model has no label `agreed` (it has: init, agree, finished)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    root: Node,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Constant(bool),
    /// The column is the label's, from 1.
    Label(String, usize),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

/// A part of an expression, with the results for its own parts.
#[derive(Clone, Debug)]
pub enum Part<'a, T> {
    /// `true` or `false`.
    Constant(bool),
    /// The states with this label.
    Label(&'a str),
    /// All other states.
    Not(T),
    /// The states in all of these.
    And(Vec<T>),
    /// The states in any of these.
    Or(Vec<T>),
}

/// Why an expression does not describe states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionError {
    /// It is invalid, or uses labels that the model does not have.
    Bad {
        /// Where, in characters counted from 1.
        column: usize,
        /// The problem.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl From<Stopped> for ExpressionError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad { column, problem, remedy } => write!(f, "column {column}: {problem} ({remedy})"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for ExpressionError {}

const EXAMPLE: &str = "write labels with &, | and !, such as: finished & !\"all heads\"";

fn error(at: usize, problem: impl Into<String>) -> ExpressionError {
    ExpressionError::Bad { column: at + 1, problem: problem.into(), remedy: EXAMPLE.into() }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// One or more of `operand`, with `sign` (single or doubled) between.
    fn list(
        &mut self,
        sign: char,
        operand: fn(&mut Self) -> Result<Node, ExpressionError>,
        combine: fn(Vec<Node>) -> Node,
    ) -> Result<Node, ExpressionError> {
        let first = operand(self)?;
        let mut nodes = vec![first];
        while self.peek() == Some(sign) {
            self.at += 1;
            self.at += usize::from(self.text.get(self.at) == Some(&sign));
            nodes.push(operand(self)?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { combine(nodes) })
    }

    fn or(&mut self) -> Result<Node, ExpressionError> {
        self.list('|', Self::and, Node::Or)
    }

    fn and(&mut self) -> Result<Node, ExpressionError> {
        self.list('&', Self::unary, Node::And)
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Result<Node, ExpressionError>) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(error(self.at, format!("nested more than {DEEPEST} deep")));
        }
        let node = inner(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn unary(&mut self) -> Result<Node, ExpressionError> {
        let next = self.peek();
        let start = self.at;
        match next {
            Some('!') => {
                self.at += 1;
                Ok(Node::Not(Box::new(self.nested(Self::unary)?)))
            }
            Some('(') => {
                self.at += 1;
                let node = self.nested(Self::or)?;
                if self.peek() != Some(')') {
                    return Err(error(start, "a parenthesis without its `)`"));
                }
                self.at += 1;
                Ok(node)
            }
            Some('"') => {
                let end = self.text[start + 1..].iter().position(|c| *c == '"');
                let end = end.ok_or_else(|| error(start, "a quotation mark without its partner"))?;
                self.at = start + end + 2;
                Ok(Node::Label(self.text[start + 1..=start + end].iter().collect(), start + 2))
            }
            Some(c) if is_name(c) => {
                while self.text.get(self.at).is_some_and(|c| is_name(*c)) {
                    self.at += 1;
                }
                let name: String = self.text[start..self.at].iter().collect();
                Ok(match name.as_str() {
                    "true" => Node::Constant(true),
                    "false" => Node::Constant(false),
                    _ => Node::Label(name, start + 1),
                })
            }
            Some(c) => Err(error(start, format!("`{c}` where a label should stand"))),
            None => Err(error(start, "the expression ends where a label should stand")),
        }
    }
}

/// The characters of a label without quotation marks.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '#' | '=' | '<' | '>' | '\'' | '/' | '+' | '*')
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// With the column, when it is invalid.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0 };
        let root = parser.or()?;
        match parser.peek() {
            None => Ok(Self { root }),
            Some(c) => Err(error(parser.at, format!("`{c}` after the end of the expression"))),
        }
    }

    /// The labels in the expression, in the order of the text.
    ///
    /// ```
    /// let expression = model_files::Expression::parse("a & !(\"b c\" | true)")?;
    /// assert_eq!(expression.labels(), ["a", "b c"]);
    /// # Ok::<(), model_files::ExpressionError>(())
    /// ```
    pub fn labels(&self) -> Vec<&str> {
        self.labels_with_columns().into_iter().map(|(label, _)| label).collect()
    }

    /// The labels in the expression, in the order of the text, and where each begins, in characters from 1.
    /// ```
    /// let expression = model_files::Expression::parse("a & !(\"b c\" | true)")?;
    /// assert_eq!(expression.labels_with_columns(), [("a", 1), ("b c", 8)]);
    /// # Ok::<(), model_files::ExpressionError>(())
    /// ```
    pub fn labels_with_columns(&self) -> Vec<(&str, usize)> {
        let mut labels = Vec::new();
        let mut open = vec![&self.root];
        while let Some(node) = open.pop() {
            match node {
                Node::Constant(_) => {}
                Node::Label(name, column) => labels.push((name.as_str(), *column)),
                Node::Not(inner) => open.push(inner),
                Node::And(nodes) | Node::Or(nodes) => open.extend(nodes.iter().rev()),
            }
        }
        labels
    }

    /// Evaluates the expression with `fold`, part by part, the innermost first.
    ///
    /// ```
    /// use model_files::{Expression, Part};
    ///
    /// let depth = Expression::parse("a & !(b | c)")?.fold(&mut |part| match part {
    ///     Part::Constant(_) | Part::Label(_) => 1,
    ///     Part::Not(inner) => inner + 1,
    ///     Part::And(all) | Part::Or(all) => 1 + all.into_iter().max().unwrap_or(0),
    /// });
    /// assert_eq!(depth, 4);
    /// # Ok::<(), model_files::ExpressionError>(())
    /// ```
    pub fn fold<T>(&self, fold: &mut impl FnMut(Part<'_, T>) -> T) -> T {
        self.root.fold(fold)
    }

    /// The states of a model that the expression describes.
    ///
    /// # Errors
    /// When the model lacks a label (the error lists those it has), or the run is to stop.
    pub fn states(&self, model: &ExplicitModel, budget: &Budget<'_>) -> Result<StateSet, ExpressionError> {
        let known = self.root.resolve(model)?;
        // A set grows by doubling, and changes its representation once.
        budget.more_memory(u64::from(model.states()) / 4 + 64)?;
        let mut set = StateSet::new(model.states());
        for state in 0..model.states() {
            budget.step(Stage::Checking, state.into(), (model.states() - state).into())?;
            if known.contains(model, state) {
                set.push(state);
            }
        }
        Ok(set)
    }
}

/// An expression with its labels looked up.
enum Resolved<'a> {
    Constant(bool),
    Label(&'a StateSet),
    Deadlock,
    Not(Box<Resolved<'a>>),
    And(Vec<Resolved<'a>>),
    Or(Vec<Resolved<'a>>),
}

impl Node {
    fn fold<T>(&self, fold: &mut impl FnMut(Part<'_, T>) -> T) -> T {
        let part = match self {
            Self::Constant(value) => Part::Constant(*value),
            Self::Label(name, _) => Part::Label(name),
            Self::Not(inner) => Part::Not(inner.fold(fold)),
            Self::And(nodes) => Part::And(nodes.iter().map(|node| node.fold(fold)).collect()),
            Self::Or(nodes) => Part::Or(nodes.iter().map(|node| node.fold(fold)).collect()),
        };
        fold(part)
    }

    fn resolve<'a>(&self, model: &'a ExplicitModel) -> Result<Resolved<'a>, ExpressionError> {
        let all = |nodes: &[Self]| nodes.iter().map(|node| node.resolve(model)).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Self::Constant(value) => Resolved::Constant(*value),
            Self::Label(name, column) => match model.label(name) {
                Some(states) => Resolved::Label(states),
                None if name == "deadlock" => Resolved::Deadlock,
                None => return Err(unknown_label(model, name, *column)),
            },
            Self::Not(node) => Resolved::Not(Box::new(node.resolve(model)?)),
            Self::And(nodes) => Resolved::And(all(nodes)?),
            Self::Or(nodes) => Resolved::Or(all(nodes)?),
        })
    }
}

fn unknown_label(model: &ExplicitModel, name: &str, column: usize) -> ExpressionError {
    const SHOWN: usize = 30;
    let labels: Vec<&str> = model.labels().iter().map(|(name, _)| name.as_str()).take(SHOWN).collect();
    let more = if model.labels().len() > SHOWN { ", ..." } else { "" };
    let separator = if labels.is_empty() { "" } else { ", " };
    ExpressionError::Bad {
        column,
        problem: format!("the model has no label `{name}`"),
        remedy: format!("it has: init{separator}{}{more}", labels.join(", ")),
    }
}

impl Resolved<'_> {
    fn contains(&self, model: &ExplicitModel, state: u32) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Label(states) => states.contains(state),
            Self::Deadlock => model.choices(state).is_empty(),
            Self::Not(node) => !node.contains(model, state),
            Self::And(nodes) => nodes.iter().all(|node| node.contains(model, state)),
            Self::Or(nodes) => nodes.iter().any(|node| node.contains(model, state)),
        }
    }
}

#[cfg(test)]
mod tests;
