//! From a story as written to containers of operations: knots, weaves, choices.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::containers::{ContainerId, Containers, VISITS, VISITS_AT_BEGINNING};
use super::names::{FlowId, Kind, Names, Scope, Target};
use super::syntax::{Choice, Declarations, Divert, DivertKind, Expression, Node, PointId, Position, Variable, Weave};
use crate::source::SourceError;

/// A choice or gather after which the story does not yet go on somewhere.
#[derive(Clone, Copy)]
struct LooseEnd {
    point: PointId,
    /// The level of a gather; `None` for a choice.
    gather: Option<usize>,
}

/// A weave that is being written.
struct Frame {
    loose: Vec<LooseEnd>,
}

/// Where the content of a weave goes.
struct Place {
    root: ContainerId,
    /// The root, or the last gather.
    current: ContainerId,
    /// The last choice or gather, and whether content belongs to it.
    previous: Option<(PointId, bool)>,
    takes_content: bool,
    has_choice: bool,
    choices: usize,
    gathers: usize,
}

pub(super) struct Emitter<'s> {
    pub(super) names: &'s Names<'s>,
    pub(super) declarations: &'s Declarations,
    pub(super) containers: Containers,
    flows: Vec<ContainerId>,
    points: Vec<ContainerId>,
    pub(super) scopes: Vec<Scope>,
    frames: Vec<Frame>,
    /// What is around the declarations of variables, by their numbers.
    declared_in: HashMap<usize, Vec<Scope>>,
    /// How many constants are being put in the place of their names.
    pub(super) constants: usize,
}

pub(super) type Emitted = Result<(), SourceError>;

/// The compiled story.
pub(super) fn emit(names: &Names<'_>, declarations: &Declarations, points: PointId) -> Result<Value, SourceError> {
    let mut containers = Containers::new();
    let flows = names.flows.iter().enumerate().map(|(id, _)| if id == 0 { 0 } else { containers.add() }).collect();
    let points = (0..points).map(|_| containers.add()).collect();
    let mut emitter = Emitter {
        names,
        declarations,
        containers,
        flows,
        points,
        scopes: Vec::new(),
        frames: Vec::new(),
        declared_in: HashMap::new(),
        constants: 0,
    };
    emitter.flow(0)?;
    emitter.containers.push(0, "done");
    let lists = emitter.variables()?;
    Ok(json!({"inkVersion": 21, "root": emitter.containers.json(), "listDefs": lists}))
}

impl Emitter<'_> {
    fn flow(&mut self, id: FlowId) -> Emitted {
        let names = &self.names.flows[id];
        let own = self.flows[id];
        self.scopes.push(Scope::Flow(id));
        for parameter in names.flow.parameters.iter().rev() {
            self.containers.push(own, json!({"temp=": parameter.name}));
        }
        if let Some(weave) = &names.flow.weave {
            let inner = self.containers.inner(own);
            self.weave(weave, inner, false)?;
        } else if let Some(first) = names.parts.first().filter(|_| id != 0)
            && self.names.flows[*first].flow.parameters.is_empty()
        {
            self.containers.divert(own, self.flows[*first]);
        }
        for part in &names.parts {
            let (flow, inner) = (self.names.flows[*part].flow, self.flows[*part]);
            let same = |other: &&FlowId| self.names.flows[**other].flow.name == flow.name;
            if let Some(position) = flow.position.as_ref().filter(|_| names.parts.iter().find(same) != Some(part)) {
                return error(position, format!("{} is the name of two knots or stitches", flow.name));
            }
            self.containers.name(inner, flow.name.clone());
            self.containers.count(inner, VISITS);
            self.containers.push_named(own, inner);
            self.flow(*part)?;
        }
        self.scopes.pop();
        Ok(())
    }

    /// The declarations, and the lists of the story.
    fn variables(&mut self) -> Result<Value, SourceError> {
        let mut lists = serde_json::Map::new();
        if self.declarations.variables.is_empty() {
            return Ok(lists.into());
        }
        let own = self.containers.add();
        self.containers.name(own, crate::program::DECLARATIONS);
        self.containers.push(own, "ev");
        for (number, (name, variable)) in self.declarations.variables.iter().enumerate() {
            self.scopes = self.declared_in.remove(&number).unwrap_or_else(|| vec![Scope::Flow(0)]);
            match variable {
                Variable::Value(value) => self.expression(value, own)?,
                Variable::List(list) => {
                    let items = list.items.iter().map(|item| (item.name.clone(), item.value.into()));
                    lists.insert(name.clone(), Value::Object(items.collect()));
                    let contained = list.items.iter().filter(|item| item.contained);
                    let contained = contained.map(|item| (format!("{name}.{}", item.name), item.value.into()));
                    let contained: serde_json::Map<String, Value> = contained.collect();
                    let value = if contained.is_empty() {
                        json!({"list": {}, "origins": [name]})
                    } else {
                        json!({"list": contained})
                    };
                    self.containers.push(own, value);
                }
            }
            self.containers.push(own, json!({"VAR=": name}));
        }
        self.containers.push(own, "/ev");
        self.containers.push(own, "end");
        self.containers.push_named(0, own);
        Ok(lists.into())
    }

    /// A weave; from within braces, choices do not go on after them.
    pub(super) fn weave(&mut self, weave: &Weave, root: ContainerId, in_braces: bool) -> Emitted {
        self.frames.push(Frame { loose: Vec::new() });
        self.scopes.push(Scope::Weave(weave.labels.clone()));
        let mut place = Place {
            root,
            current: root,
            previous: None,
            takes_content: false,
            has_choice: false,
            choices: 0,
            gathers: 0,
        };
        for node in &weave.content {
            self.woven(node, &mut place)?;
        }
        self.scopes.pop();
        let loose = self.frames.pop().map(|frame| frame.loose).unwrap_or_default();
        if let Some(around) = self.frames.last_mut() {
            around.loose.extend(loose.into_iter().filter(|end| !in_braces || end.gather.is_some()));
        }
        Ok(())
    }

    fn woven(&mut self, node: &Node, place: &mut Place) -> Emitted {
        let to = match place.previous {
            Some((point, _)) if place.takes_content => self.points[point],
            _ => place.current,
        };
        match node {
            Node::Gather(gather) => {
                let own = self.points[gather.id];
                let unnamed = || format!("g-{}", place.gathers);
                self.containers.name(own, gather.label.clone().unwrap_or_else(unnamed));
                place.gathers += usize::from(gather.label.is_none());
                self.containers.count(own, VISITS_AT_BEGINNING);
                if place.has_choice {
                    self.containers.push_named(place.root, own);
                } else {
                    self.containers.push_container(place.current, own);
                }
                place.has_choice = false;
                for end in std::mem::take(self.loose()) {
                    if end.gather != Some(gather.level) {
                        self.containers.divert(self.points[end.point], own);
                    }
                }
                place.current = own;
                place.takes_content = false;
                place.previous = Some((gather.id, true));
                self.loose().push(LooseEnd { point: gather.id, gather: Some(gather.level) });
            }
            Node::Choice(choice) => {
                if let Some((point, true)) = place.previous {
                    self.loose().retain(|end| end.point != point);
                }
                let own = self.points[choice.id];
                self.choice(choice, place.current)?;
                self.containers.name(own, format!("c-{}", place.choices));
                self.containers.push_named(place.current, own);
                place.choices += 1;
                place.has_choice = true;
                place.takes_content = true;
                place.previous = Some((choice.id, false));
                self.loose().push(LooseEnd { point: choice.id, gather: None });
            }
            Node::Weave(weave) => {
                let inner = self.containers.add();
                self.weave(weave, inner, false)?;
                // The runtime ends where a container is empty.
                if !self.containers.is_empty(inner) {
                    self.containers.push_container(to, inner);
                }
                if let Some((point, _)) = place.previous {
                    self.loose().retain(|end| end.point != point);
                    place.takes_content = false;
                }
            }
            node => self.node(node, to)?,
        }
        Ok(())
    }

    /// The loose ends of the weave that is being written.
    fn loose(&mut self) -> &mut Vec<LooseEnd> {
        if self.frames.is_empty() {
            self.frames.push(Frame { loose: Vec::new() });
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last].loose
    }

    /// A choice. What stands before its brackets is written twice: when it is offered and when it is chosen.
    fn choice(&mut self, choice: &Choice, around: ContainerId) -> Emitted {
        let chosen = self.points[choice.id];
        let own = if choice.start.is_some() { self.containers.inner(around) } else { around };
        let evaluates = choice.start.is_some() || choice.bracketed.is_some() || choice.condition.is_some();
        if evaluates {
            self.containers.push(own, "ev");
        }
        if let Some(start) = &choice.start {
            let text = self.containers.add();
            self.containers.name(text, "s");
            self.nodes(start, text)?;
            self.containers.push(text, json!({"->": "$r", "var": true}));
            let [offered, taken] = [(own, "$r1"), (chosen, "$r2")].map(|(from, name)| {
                let back = self.containers.add();
                self.containers.name(back, name);
                if from == chosen {
                    self.containers.push(from, "ev");
                }
                self.containers.push_path(from, "^->", back, &Value::Null);
                back
            });
            self.containers.push(own, json!({"temp=": "$r"}));
            self.containers.push(own, "str");
            self.containers.divert(own, text);
            self.containers.push_container(own, offered);
            self.containers.push(own, "/str");
            self.containers.push_named(own, text);
            self.containers.push(chosen, "/ev");
            self.containers.push(chosen, json!({"temp=": "$r"}));
            self.containers.divert(chosen, text);
            self.containers.push_container(chosen, taken);
        }
        if let Some(bracketed) = &choice.bracketed {
            self.containers.push(own, "str");
            self.nodes(bracketed, own)?;
            self.containers.push(own, "/str");
        }
        if let Some(condition) = &choice.condition {
            self.expression(condition, own)?;
        }
        if evaluates {
            self.containers.push(own, "/ev");
        }
        let flags = [
            choice.condition.is_some(),
            choice.start.is_some(),
            choice.bracketed.is_some(),
            choice.fallback,
            choice.once,
        ];
        let flags = flags.into_iter().enumerate().map(|(bit, is_set)| u32::from(is_set) << bit).sum::<u32>();
        self.containers.push_path(own, "*", chosen, &json!({"flg": flags}));
        self.nodes(&choice.inner, chosen)?;
        self.containers.count(chosen, VISITS_AT_BEGINNING);
        Ok(())
    }

    pub(super) fn nodes(&mut self, nodes: &[Node], to: ContainerId) -> Emitted {
        nodes.iter().try_for_each(|node| self.node(node, to))
    }

    fn node(&mut self, node: &Node, to: ContainerId) -> Emitted {
        match node {
            Node::Text(text) if text == "\n" => self.containers.push(to, "\n"),
            Node::Text(text) => self.containers.push(to, format!("^{text}")),
            Node::Glue => self.containers.push(to, "<>"),
            Node::Tag { begins } => self.containers.push(to, if *begins { "#" } else { "/#" }),
            Node::List(nodes) => self.nodes(nodes, to)?,
            Node::Divert(divert) => self.divert(divert, to)?,
            Node::TunnelEnd(after) => {
                self.containers.push(to, "ev");
                match after {
                    Some(after) => self.after_tunnel(after, to)?,
                    None => self.containers.push(to, "void"),
                }
                self.containers.push(to, "/ev");
                self.containers.push(to, "->->");
            }
            Node::Write(expression) => {
                self.containers.push(to, "ev");
                self.expression(expression, to)?;
                self.containers.push(to, "out");
                self.containers.push(to, "/ev");
            }
            Node::Evaluate(expression) => {
                self.containers.push(to, "ev");
                self.expression(expression, to)?;
                if matches!(expression, Expression::Call { .. }) {
                    self.containers.push(to, "pop");
                }
                self.containers.push(to, "/ev");
            }
            Node::Assign { name, declares, value, position } => {
                self.evaluated(value, to)?;
                let operation = if *declares { json!({"temp=": name}) } else { self.assignment(name, position)? };
                self.containers.push(to, operation);
            }
            Node::Return(value) => {
                match value {
                    Some(value) => self.evaluated(value, to)?,
                    None => self.containers.push_all(to, &["ev", "void", "/ev"]),
                }
                self.containers.push(to, "~ret");
            }
            Node::Conditional(conditional) => self.conditional(conditional, to)?,
            Node::Sequence(sequence) => self.sequence(sequence, to)?,
            Node::Declaration(number) => {
                self.declared_in.insert(*number, self.scopes.clone());
            }
            // These stand in weaves and flows only.
            Node::Choice(_) | Node::Gather(_) | Node::Flow(_) | Node::Weave(_) => {}
        }
        Ok(())
    }

    pub(super) fn evaluated(&mut self, value: &Expression, to: ContainerId) -> Emitted {
        self.containers.push(to, "ev");
        self.expression(value, to)?;
        self.containers.push(to, "/ev");
        Ok(())
    }

    /// The operation that gives a variable another value.
    pub(super) fn assignment(&self, name: &str, position: &Position) -> Result<Value, SourceError> {
        match self.names.variable(self.flow_here(), name) {
            Some(Kind::Global) => Ok(json!({"VAR=": name, "re": true})),
            Some(Kind::Local) => Ok(json!({"temp=": name, "re": true})),
            None => error(position, format!("{name} is no variable: VAR or ~ temp declares one")),
        }
    }

    /// The innermost flow.
    pub(super) fn flow_here(&self) -> FlowId {
        let flows = self.scopes.iter().rev().filter_map(|scope| match scope {
            Scope::Flow(flow) => Some(*flow),
            Scope::Weave(_) => None,
        });
        flows.into_iter().next().unwrap_or(0)
    }

    pub(super) fn container(&self, target: Target) -> ContainerId {
        match target {
            Target::Flow(flow) => self.flows[flow],
            Target::Point(point) => self.points[point],
        }
    }

    fn divert(&mut self, divert: &Divert, to: ContainerId) -> Emitted {
        let Divert { kind, target, arguments, position } = divert;
        let end = match &target[..] {
            [name] if name == "END" => Some("end"),
            [name] if name == "DONE" => Some("done"),
            _ => None,
        };
        if let Some(end) = end {
            self.containers.push(to, end);
            return Ok(());
        }
        let found = self.target(target, position)?;
        if !arguments.is_empty() {
            self.containers.push(to, "ev");
        }
        self.arguments(&target.join("."), arguments, found, position, to)?;
        if !arguments.is_empty() {
            self.containers.push(to, "/ev");
        }
        let key = match kind {
            DivertKind::Tunnel => "->t->",
            DivertKind::Thread => {
                self.containers.push(to, "thread");
                "->"
            }
            DivertKind::Plain => "->",
        };
        match found {
            Some(found) => self.containers.push_path(to, key, self.container(found), &Value::Null),
            None => self.containers.push(to, json!({key: target[0], "var": true})),
        }
        Ok(())
    }

    /// Where a divert leads; `None` if a variable holds it.
    pub(super) fn target(&self, target: &[String], position: &Position) -> Result<Option<Target>, SourceError> {
        if self.names.variable(self.flow_here(), &target[0]).is_some() && target.len() == 1 {
            return Ok(None);
        }
        match self.names.place(target, &self.scopes) {
            Some(found) => Ok(Some(found)),
            None => error(position, format!("{} is the name of nothing", target.join("."))),
        }
    }

    /// The target of `->->` to elsewhere, as a value.
    fn after_tunnel(&mut self, after: &Divert, to: ContainerId) -> Emitted {
        let found = self.target(&after.target, &after.position)?;
        self.arguments(&after.target.join("."), &after.arguments, found, &after.position, to)?;
        match found {
            Some(found) => self.containers.push_path(to, "^->", self.container(found), &Value::Null),
            None => self.containers.push(to, json!({"VAR?": after.target[0]})),
        }
        Ok(())
    }
}

pub(super) fn error<T>(position: &Position, message: impl Into<String>) -> Result<T, SourceError> {
    Err(SourceError::new(&position.file, Some(position.line), message))
}
