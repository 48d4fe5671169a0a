//! A story as it is written: its knots, weaves, choices and expressions.

use std::collections::HashMap;
use std::rc::Rc;

/// A place in a source file.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) file: Rc<str>,
    pub(super) line: usize,
}

/// A piece of content.
#[derive(Debug)]
pub(super) enum Node {
    /// Text without line breaks, or a line break alone.
    Text(String),
    Glue,
    Tag {
        begins: bool,
    },
    List(Vec<Node>),
    Divert(Divert),
    /// `->->`, possibly to elsewhere.
    TunnelEnd(Option<Divert>),
    /// An expression whose value is written.
    Write(Expression),
    /// An expression that is evaluated; the value of a call is dropped.
    Evaluate(Expression),
    Assign {
        name: String,
        declares: bool,
        value: Expression,
        position: Position,
    },
    Return(Option<Expression>),
    Conditional(Conditional),
    Sequence(Sequence),
    Choice(Box<Choice>),
    Gather(Gather),
    Weave(Weave),
    Flow(Box<Flow>),
    /// Where the variable of this number is declared.
    Declaration(usize),
}

/// A story, knot or stitch.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) name: String,
    pub(super) position: Option<Position>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) weave: Option<Weave>,
    pub(super) parts: Vec<Flow>,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) by_reference: bool,
}

/// Choices and gathers of one level with what is between them; deeper levels are weaves within it.
#[derive(Debug, Default)]
pub(super) struct Weave {
    pub(super) content: Vec<Node>,
    /// The labels in it, and in weaves within it.
    pub(super) labels: Rc<HashMap<String, PointId>>,
}

/// The number of a choice or gather.
pub(super) type PointId = usize;

#[derive(Debug)]
pub(super) struct Choice {
    pub(super) id: PointId,
    pub(super) level: usize,
    pub(super) label: Option<String>,
    pub(super) once: bool,
    /// Whether it is taken unseen when there is no other choice.
    pub(super) fallback: bool,
    pub(super) condition: Option<Expression>,
    /// The text before brackets, in brackets, and what is written when it is chosen.
    pub(super) start: Option<Vec<Node>>,
    pub(super) bracketed: Option<Vec<Node>>,
    pub(super) inner: Vec<Node>,
}

#[derive(Debug)]
pub(super) struct Gather {
    pub(super) id: PointId,
    pub(super) level: usize,
    pub(super) label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DivertKind {
    Plain,
    Tunnel,
    Thread,
}

#[derive(Debug)]
pub(super) struct Divert {
    pub(super) kind: DivertKind,
    pub(super) target: Vec<String>,
    pub(super) arguments: Vec<Expression>,
    pub(super) position: Position,
}

#[derive(Debug)]
pub(super) struct Conditional {
    pub(super) condition: Option<Expression>,
    pub(super) branches: Vec<Branch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BranchKind {
    /// Taken if its own condition holds.
    Own,
    /// Taken if its own value equals that of the conditional.
    Equal,
    /// Taken if the condition of the conditional holds.
    True,
    /// Taken if none before is.
    Else,
    /// The same where values before it are compared.
    ElseOfValues,
}

#[derive(Debug)]
pub(super) struct Branch {
    pub(super) kind: BranchKind,
    pub(super) condition: Option<Expression>,
    pub(super) content: Option<Weave>,
    /// Whether it stands in one line with its condition.
    pub(super) inline: bool,
}

/// What decides the element of a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SequenceKind {
    pub(super) end: SequenceEnd,
    pub(super) shuffle: bool,
}

/// What comes after the last element of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SequenceEnd {
    /// The first again.
    #[default]
    Cycle,
    /// The last again.
    Stopping,
    /// Nothing.
    Once,
}

#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) kind: SequenceKind,
    pub(super) elements: Vec<Option<Weave>>,
}

#[derive(Debug)]
pub(super) enum Expression {
    Whole(i64),
    Real(f64),
    Truth(bool),
    Text(Vec<Node>),
    Name {
        path: Vec<String>,
        position: Position,
    },
    Place(Divert),
    List {
        items: Vec<String>,
        position: Position,
    },
    Call {
        name: String,
        arguments: Vec<Expression>,
        position: Position,
    },
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// A variable that is raised or lowered; by one without an amount.
    Step {
        name: String,
        by: Option<Box<Expression>>,
        up: bool,
        position: Position,
    },
}

impl Expression {
    /// Whether it calls a function, which may write.
    pub(super) fn calls(&self) -> bool {
        match self {
            Self::Call { .. } => true,
            Self::Unary(_, inner) => inner.calls(),
            Self::Binary(_, left, right) => left.calls() || right.calls(),
            Self::Step { by, .. } => by.as_ref().is_some_and(|by| by.calls()),
            Self::Text(nodes) => nodes.iter().any(node_calls),
            Self::Whole(_)
            | Self::Real(_)
            | Self::Truth(_)
            | Self::Name { .. }
            | Self::Place(_)
            | Self::List { .. } => false,
        }
    }
}

fn node_calls(node: &Node) -> bool {
    match node {
        Node::List(nodes) => nodes.iter().any(node_calls),
        Node::Write(expression) => expression.calls(),
        _ => false,
    }
}

/// A list and its items with their values.
#[derive(Debug)]
pub(super) struct ListDefinition {
    pub(super) name: String,
    pub(super) items: Vec<ListItem>,
}

#[derive(Debug)]
pub(super) struct ListItem {
    pub(super) name: String,
    pub(super) value: i64,
    /// Whether the list contains it in the beginning.
    pub(super) contained: bool,
}

/// What a story declares, in its order.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// How many files are included, each as often as it is.
    pub(super) files: usize,
    pub(super) variables: Vec<(String, Variable)>,
    pub(super) constants: HashMap<String, Expression>,
    pub(super) externals: HashMap<String, Position>,
}

#[derive(Debug)]
pub(super) enum Variable {
    Value(Expression),
    List(ListDefinition),
}
