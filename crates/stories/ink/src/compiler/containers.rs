//! The compiled story as it grows: containers of operations, with targets that become paths in the end.

use serde_json::{Map, Value, json};

use crate::program::joined;

pub(super) type ContainerId = usize;

/// What a container counts.
pub(super) const VISITS: i64 = 1;
/// The same, only where it is entered at its beginning.
pub(super) const VISITS_AT_BEGINNING: i64 = 5;

#[derive(Debug)]
enum Item {
    Operation(Value),
    Inner(ContainerId),
    /// Nothing, where diverts to this container lead.
    Mark(ContainerId),
    /// An operation with the path of a container under this key.
    Path {
        operation: Map<String, Value>,
        key: &'static str,
        to: ContainerId,
    },
}

#[derive(Debug, Default)]
struct Container {
    name: Option<String>,
    flags: i64,
    items: Vec<Item>,
    /// Containers that are entered by diverts only.
    named: Vec<ContainerId>,
}

/// All containers of a story; the first is the root.
#[derive(Debug)]
pub(super) struct Containers(Vec<Container>);

impl Containers {
    pub(super) fn new() -> Self {
        Self(vec![Container::default()])
    }

    /// A container that is not yet part of the story.
    pub(super) fn add(&mut self) -> ContainerId {
        self.0.push(Container::default());
        self.0.len() - 1
    }

    pub(super) fn name(&mut self, id: ContainerId, name: impl Into<String>) {
        self.0[id].name = Some(name.into());
    }

    pub(super) fn count(&mut self, id: ContainerId, flags: i64) {
        self.0[id].flags |= flags;
    }

    pub(super) fn push(&mut self, to: ContainerId, operation: impl Into<Value>) {
        self.0[to].items.push(Item::Operation(operation.into()));
    }

    pub(super) fn push_all(&mut self, to: ContainerId, operations: &[&str]) {
        for operation in operations {
            self.push(to, *operation);
        }
    }

    /// Places a container after what is in another.
    pub(super) fn push_container(&mut self, to: ContainerId, inner: ContainerId) {
        self.0[to].items.push(Item::Inner(inner));
    }

    /// Places an operation that does nothing, to which diverts to `mark` lead.
    pub(super) fn push_mark(&mut self, to: ContainerId, mark: ContainerId) {
        self.0[to].items.push(Item::Mark(mark));
    }

    /// Adds a container that only diverts enter.
    pub(super) fn push_named(&mut self, to: ContainerId, inner: ContainerId) {
        self.0[to].named.push(inner);
    }

    pub(super) fn is_empty(&self, id: ContainerId) -> bool {
        self.0[id].items.is_empty() && self.0[id].named.is_empty()
    }

    /// Adds a new container within another.
    pub(super) fn inner(&mut self, to: ContainerId) -> ContainerId {
        let inner = self.add();
        self.push_container(to, inner);
        inner
    }

    /// Adds an operation with a path to a container.
    pub(super) fn push_path(&mut self, from: ContainerId, key: &'static str, to: ContainerId, more: &Value) {
        let operation = more.as_object().cloned().unwrap_or_default();
        self.0[from].items.push(Item::Path { operation, key, to });
    }

    pub(super) fn divert(&mut self, from: ContainerId, to: ContainerId) {
        self.push_path(from, "->", to, &Value::Null);
    }

    /// The compiled root.
    pub(super) fn json(&self) -> Value {
        let mut paths = vec![String::new(); self.0.len()];
        let mut open = vec![0];
        while let Some(id) = open.pop() {
            let own = &self.0[id];
            let inner = own.items.iter().enumerate().filter_map(|(place, item)| match item {
                Item::Inner(inner) | Item::Mark(inner) => {
                    Some((*inner, self.0[*inner].name.clone().unwrap_or_else(|| place.to_string())))
                }
                Item::Operation(_) | Item::Path { .. } => None,
            });
            let named = own.named.iter().map(|inner| (*inner, self.0[*inner].name.clone().unwrap_or_default()));
            for (inner, step) in inner.chain(named) {
                paths[inner] = joined(&paths[id], &step);
                open.push(inner);
            }
        }
        self.container(0, false, &paths)
    }

    fn container(&self, id: ContainerId, is_named: bool, paths: &[String]) -> Value {
        let own = &self.0[id];
        let mut tokens: Vec<Value> = own.items.iter().map(|item| self.item(item, paths)).collect();
        let mut last = Map::new();
        for inner in &own.named {
            let name = self.0[*inner].name.clone().unwrap_or_default();
            last.insert(name, self.container(*inner, true, paths));
        }
        if own.flags > 0 {
            last.insert("#f".into(), own.flags.into());
        }
        if let Some(name) = own.name.as_ref().filter(|_| !is_named) {
            last.insert("#n".into(), json!(name));
        }
        tokens.push(if last.is_empty() { Value::Null } else { last.into() });
        tokens.into()
    }

    fn item(&self, item: &Item, paths: &[String]) -> Value {
        match item {
            Item::Operation(operation) => operation.clone(),
            Item::Inner(inner) => self.container(*inner, false, paths),
            Item::Mark(_) => "nop".into(),
            Item::Path { operation, key, to } => {
                let mut operation = operation.clone();
                operation.insert((*key).to_owned(), json!(paths[*to]));
                operation.into()
            }
        }
    }
}
