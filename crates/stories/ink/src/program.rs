//! The compiled story as containers of operations, with every target resolved, for analysis.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// The container in which variables are declared.
pub(crate) const DECLARATIONS: &str = "global decl";

/// The number of a container; 0 is the root.
pub(crate) type ContainerId = usize;

/// A compiled story.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) containers: Vec<Container>,
    /// The containers by their canonical paths, as saved states refer to them.
    pub(crate) by_path: FxHashMap<String, ContainerId>,
    /// Unresolved targets: the path as written, and the container with it.
    pub(crate) nowhere: Vec<(String, ContainerId)>,
}

/// Operations in order, and named containers that only a divert reaches.
#[derive(Debug, Default)]
pub(crate) struct Container {
    pub(crate) path: String,
    pub(crate) parent: Option<ContainerId>,
    /// Its index among the operations of its parent, after which the parent continues; `None` if only a divert reaches
    /// it.
    pub(crate) place: Option<usize>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) named: FxHashMap<String, ContainerId>,
    /// What is counted: 1 visits, 2 turns, 4 only those that enter at its beginning.
    pub(crate) flags: i64,
}

/// A position in a container; after its last operation, its parent continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) container: ContainerId,
    pub(crate) place: usize,
}

/// The target of a divert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    To(Position),
    /// The value of a variable.
    Variable,
    /// A function of the host.
    Host,
}

/// What follows the target of a divert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// Nothing: the story continues there.
    None,
    /// The operation after the divert, when a tunnel ends.
    Tunnel,
    /// The operation after the divert, when a function has returned.
    Function,
}

/// An operation, as far as it matters for analysis.
#[derive(Debug, PartialEq)]
pub(crate) enum Operation {
    Container(ContainerId),
    /// A whole number.
    Number(i64),
    /// A divert target as a value.
    Place(Option<Position>),
    /// A reference to a variable as a value.
    Pointer(String),
    /// Another value on the evaluation stack or in the text.
    Constant,
    Text,
    Divert {
        target: Target,
        conditional: bool,
        call: Call,
        variable: Option<String>,
    },
    Choice {
        target: Option<Position>,
        flags: i64,
    },
    Get(String),
    Count(Option<ContainerId>),
    Set {
        name: String,
        global: bool,
        declares: bool,
    },
    /// A command or a function of the runtime, by its name in the compiled story.
    Command(String),
}

/// An operation before its target is resolved.
struct Unresolved {
    from: ContainerId,
    place: usize,
    path: String,
}

impl Program {
    /// Reads the root of a compiled story. Anything that the runtime would refuse becomes an operation without effect.
    pub(crate) fn read(root: &Value) -> Self {
        let mut program = Self::default();
        let mut unresolved = Vec::new();
        program.container(root, None, None, "", &mut unresolved);
        for Unresolved { from, place, path } in unresolved {
            let found = program.resolve(from, &path);
            if found.is_none() {
                program.nowhere.push((path, from));
            }
            match &mut program.containers[from].operations[place] {
                Operation::Divert { target, .. } => {
                    if let Some(found) = found {
                        *target = Target::To(found);
                    }
                }
                Operation::Place(target) | Operation::Choice { target, .. } => *target = found,
                Operation::Count(target) => *target = found.map(|position| position.container),
                _ => {}
            }
        }
        program
    }

    /// The container with this canonical path.
    pub(crate) fn find(&self, path: &str) -> Option<ContainerId> {
        self.by_path.get(path).copied()
    }

    /// All operations with their positions.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (Position, &Operation)> {
        self.containers.iter().enumerate().flat_map(|(container, content)| {
            let numbered = content.operations.iter().enumerate();
            numbered.map(move |(place, operation)| (Position { container, place }, operation))
        })
    }

    fn container(
        &mut self,
        token: &Value,
        parent: Option<(ContainerId, Option<usize>)>,
        name: Option<&str>,
        path: &str,
        unresolved: &mut Vec<Unresolved>,
    ) -> ContainerId {
        let id = self.containers.len();
        self.containers.push(Container {
            path: path.to_owned(),
            parent: parent.map(|(parent, _)| parent),
            place: parent.and_then(|(_, place)| place),
            ..Container::default()
        });
        self.by_path.insert(path.to_owned(), id);
        if let (Some((parent, _)), Some(name)) = (parent, name) {
            self.containers[parent].named.insert(name.to_owned(), id);
        }
        let Some((last, ordered)) = token.as_array().and_then(|array| array.split_last()) else { return id };
        self.containers[id].flags = last.get("#f").and_then(Value::as_i64).unwrap_or(0);
        for (place, token) in ordered.iter().enumerate() {
            let operation = if token.is_array() {
                let name = own_name(token);
                let step = name.map_or_else(|| place.to_string(), str::to_owned);
                let path = joined(path, &step);
                Operation::Container(self.container(token, Some((id, Some(place))), name, &path, unresolved))
            } else {
                let (operation, path) = operation(token);
                unresolved.extend(path.map(|path| Unresolved { from: id, place, path: path.to_owned() }));
                operation
            };
            self.containers[id].operations.push(operation);
        }
        for (name, token) in last.as_object().into_iter().flatten() {
            if token.is_array() && !self.containers[id].named.contains_key(name) {
                self.container(token, Some((id, None)), Some(name), &joined(path, name), unresolved);
            }
        }
        id
    }

    /// A container, and those around it from the innermost to the root.
    pub(crate) fn around(&self, id: ContainerId) -> impl Iterator<Item = ContainerId> {
        std::iter::successors(Some(id), |id| self.containers[*id].parent)
    }

    /// The target of a path that is written in this container.
    fn resolve(&self, from: ContainerId, path: &str) -> Option<Position> {
        let (mut container, path) = match path.strip_prefix(".^") {
            Some(rest) => (from, rest.strip_prefix('.').unwrap_or(rest)),
            None => (0, path),
        };
        let mut steps = path.split('.').filter(|step| !step.is_empty()).peekable();
        while let Some(step) = steps.next() {
            if step == "^" {
                container = self.containers[container].parent?;
            } else if let Ok(place) = step.parse::<usize>() {
                match self.containers[container].operations.get(place)? {
                    Operation::Container(inner) => container = *inner,
                    _ if steps.peek().is_none() => return Some(Position { container, place }),
                    _ => return None,
                }
            } else {
                container = *self.containers[container].named.get(step)?;
            }
        }
        Some(Position { container, place: 0 })
    }
}

/// The name of a container.
fn own_name(token: &Value) -> Option<&str> {
    token.as_array()?.last()?.get("#n")?.as_str().filter(|name| !name.is_empty())
}

pub(crate) fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") }
}

/// An item that belongs to no list: the compiler makes these of undeclared names.
pub(crate) fn unknown_item(token: &Value) -> Option<&str> {
    match token {
        Value::Array(tokens) => tokens.iter().find_map(unknown_item),
        Value::Object(object) => {
            let items = object.get("list").and_then(Value::as_object);
            let unknown = items.and_then(|items| items.keys().find(|name| !name.contains('.')).map(String::as_str));
            unknown.or_else(|| object.values().find_map(unknown_item))
        }
        _ => None,
    }
}

/// The target of a step of a path in a container.
pub(crate) enum Step {
    /// Named content in its last element.
    Named,
    /// The element at this index.
    At(usize),
}

/// The target of a step of a path in a container; `None` if there is none.
pub(crate) fn step_of(container: &[Value], step: &str) -> Option<Step> {
    if container.last()?.get(step).is_some_and(Value::is_array) {
        return Some(Step::Named);
    }
    let named = |token: &Value| token.as_array().and_then(|own| name_of(own)) == Some(step);
    step.parse().ok().or_else(|| container.iter().position(named)).map(Step::At)
}

/// The name of a container.
pub(crate) fn name_of(container: &[Value]) -> Option<&str> {
    container.last()?.get("#n")?.as_str()
}

/// The first variable that is read in a part of a compiled story and declared nowhere in the whole.
pub(crate) fn unknown_variable<'t>(part: &'t Value, whole: &Value) -> Option<&'t str> {
    let known = known_names(whole);
    let lists = whole.get("listDefs");
    // An item may stand with its list, as in `Size.small`.
    let is_item = |name: &str| {
        name.split_once('.').is_some_and(|(list, item)| lists.and_then(|all| all.get(list)?.get(item)).is_some())
    };
    read_unknown(part, &|name| known.contains(name) || is_item(name))
}

/// All variables, lists and items of a compiled story.
fn known_names(whole: &Value) -> FxHashSet<&str> {
    let mut known = FxHashSet::default();
    declared(whole, &mut known);
    let lists = whole.get("listDefs").and_then(Value::as_object);
    for (list, items) in lists.into_iter().flatten() {
        known.insert(list);
        known.extend(items.as_object().into_iter().flat_map(|items| items.keys().map(String::as_str)));
    }
    known
}

/// Every variable that is set or passed somewhere.
fn declared<'t>(token: &'t Value, known: &mut FxHashSet<&'t str>) {
    match token {
        Value::Array(tokens) => tokens.iter().for_each(|token| declared(token, known)),
        Value::Object(object) => {
            known.extend(["VAR=", "temp="].into_iter().filter_map(|key| object.get(key)?.as_str()));
            object.values().for_each(|token| declared(token, known));
        }
        _ => {}
    }
}

fn read_unknown<'t>(token: &'t Value, is_known: &dyn Fn(&str) -> bool) -> Option<&'t str> {
    match token {
        Value::Array(tokens) => tokens.iter().find_map(|token| read_unknown(token, is_known)),
        Value::Object(object) => {
            let read = object.get("VAR?").and_then(Value::as_str).filter(|name| !is_known(name));
            read.or_else(|| object.values().find_map(|token| read_unknown(token, is_known)))
        }
        _ => None,
    }
}

/// An operation, and the path that is still to be resolved.
fn operation(token: &Value) -> (Operation, Option<&str>) {
    match token {
        Value::Number(number) => (number.as_i64().map_or(Operation::Constant, Operation::Number), None),
        Value::String(text) if text.starts_with('^') || text == "\n" || text == "<>" => (Operation::Text, None),
        Value::String(text) => (Operation::Command(text.clone()), None),
        Value::Object(object) => {
            let text = |key: &str| object.get(key).and_then(Value::as_str);
            let name = |key: &str| text(key).map(str::to_owned);
            if let Some(path) = text("^->") {
                return (Operation::Place(None), Some(path));
            }
            if let Some(variable) = name("^var") {
                return (Operation::Pointer(variable), None);
            }
            let calls = [("->", Call::None), ("f()", Call::Function), ("->t->", Call::Tunnel), ("x()", Call::Function)];
            for (key, call) in calls {
                let Some(path) = text(key) else { continue };
                let variable = object.contains_key("var");
                let divert = Operation::Divert {
                    target: if variable { Target::Variable } else { Target::Host },
                    conditional: object.contains_key("c"),
                    call,
                    variable: variable.then(|| path.to_owned()),
                };
                return (divert, (!variable).then_some(path));
            }
            if let Some(path) = text("*") {
                let flags = object.get("flg").and_then(Value::as_i64).unwrap_or(0);
                return (Operation::Choice { target: None, flags }, Some(path));
            }
            if let Some(variable) = name("VAR?") {
                return (Operation::Get(variable), None);
            }
            if let Some(path) = text("CNT?") {
                return (Operation::Count(None), Some(path));
            }
            for (key, global) in [("VAR=", true), ("temp=", false)] {
                if let Some(name) = name(key) {
                    return (Operation::Set { name, global, declares: !object.contains_key("re") }, None);
                }
            }
            // A tag of an older format in one operation.
            (if object.contains_key("#") { Operation::Command("/#".to_owned()) } else { Operation::Constant }, None)
        }
        _ => (Operation::Constant, None),
    }
}
