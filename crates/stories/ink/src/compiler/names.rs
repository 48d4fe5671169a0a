//! What names mean where they stand.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::syntax::{Declarations, Flow, Node, Parameter, PointId, Variable, Weave};

/// The number of a story, knot or stitch.
pub(super) type FlowId = usize;

/// How deep a flow lies: 0 is the story, 1 a knot, 2 a stitch; labels are below all.
type Depth = u8;
const KNOT: Depth = 1;
const LABEL: Depth = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Flow(FlowId),
    Point(PointId),
}

/// What is around a name, the innermost last.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    Flow(FlowId),
    Weave(Rc<HashMap<String, PointId>>),
}

/// What a flow names.
#[derive(Debug)]
pub(super) struct FlowNames<'s> {
    pub(super) flow: &'s Flow,
    depth: Depth,
    pub(super) parts: Vec<FlowId>,
    temporary: HashSet<&'s str>,
}

/// All names of a story.
#[derive(Debug)]
pub(super) struct Names<'s> {
    pub(super) flows: Vec<FlowNames<'s>>,
    globals: HashSet<&'s str>,
    /// The lists of an item, with its value.
    items: HashMap<&'s str, Vec<(&'s str, i64)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Global,
    Local,
}

impl<'s> Names<'s> {
    pub(super) fn of(story: &'s Flow, declarations: &'s Declarations) -> Self {
        let mut names = Self { flows: Vec::new(), globals: HashSet::new(), items: HashMap::new() };
        for (name, variable) in &declarations.variables {
            names.globals.insert(name);
            if let Variable::List(list) = variable {
                for item in &list.items {
                    names.items.entry(&item.name).or_default().push((&list.name, item.value));
                }
            }
        }
        names.flow(story, 0);
        names
    }

    fn flow(&mut self, flow: &'s Flow, depth: Depth) -> FlowId {
        let id = self.flows.len();
        let mut temporary = HashSet::new();
        flow.weave.iter().for_each(|weave| temporaries(weave, &mut temporary));
        self.flows.push(FlowNames { flow, depth, parts: Vec::new(), temporary });
        let parts = flow.parts.iter().map(|part| self.flow(part, depth + 1)).collect();
        self.flows[id].parts = parts;
        id
    }

    /// The place that a path names.
    pub(super) fn place(&self, path: &[String], scopes: &[Scope]) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let begin = scopes.iter().rev().find_map(|scope| match scope {
            Scope::Weave(labels) => labels.get(first).copied().map(Target::Point),
            Scope::Flow(flow) => self.within(*flow, first, None, self.flows[*flow].depth == KNOT),
        });
        rest.iter().try_fold(begin?, |found, step| match found {
            Target::Flow(flow) => {
                let depth = self.flows[flow].depth;
                self.within(flow, step, Some(depth + 1), depth == KNOT)
            }
            Target::Point(_) => None,
        })
    }

    /// What has this name in a flow: at a depth, or at any; in its parts, too, where the search is deep.
    fn within(&self, flow: FlowId, name: &str, depth: Option<Depth>, deep: bool) -> Option<Target> {
        let own = &self.flows[flow];
        if depth.is_none_or(|depth| depth == own.depth) && own.flow.name == name {
            return Some(Target::Flow(flow));
        }
        let label = self.label(flow, name);
        if depth.is_none_or(|depth| depth == LABEL) && label.is_some() {
            return label;
        }
        let fits = |part: &FlowId| {
            let part = &self.flows[*part];
            part.flow.name == name && depth.is_none_or(|depth| depth == part.depth)
        };
        let part = own.parts.iter().find(|part| fits(part)).map(|part| Target::Flow(*part));
        part.or_else(|| deep.then(|| self.anywhere(flow, name)).flatten())
    }

    fn anywhere(&self, flow: FlowId, name: &str) -> Option<Target> {
        let parts = || self.flows[flow].parts.iter().find_map(|part| self.within(*part, name, None, true));
        self.label(flow, name).or_else(parts)
    }

    fn label(&self, flow: FlowId, name: &str) -> Option<Target> {
        self.flows[flow].flow.weave.as_ref()?.labels.get(name).copied().map(Target::Point)
    }

    /// The kind of a variable, seen from a flow.
    pub(super) fn variable(&self, flow: FlowId, name: &str) -> Option<Kind> {
        let own = &self.flows[flow];
        if own.flow.parameters.iter().any(|parameter| parameter.name == name) || own.temporary.contains(name) {
            return Some(Kind::Local);
        }
        if self.globals.contains(name) {
            return Some(Kind::Global);
        }
        self.flows[0].temporary.contains(name).then_some(Kind::Local)
    }

    pub(super) fn parameters(&self, target: Option<Target>) -> &'s [Parameter] {
        match target {
            Some(Target::Flow(flow)) => &self.flows[flow].flow.parameters,
            _ => &[],
        }
    }

    /// The list and the value of an item, named alone or with its list.
    pub(super) fn item(&self, name: &str) -> Option<(&'s str, i64)> {
        let (list, item) = name.split_once('.').map_or((None, name), |(list, item)| (Some(list), item));
        let known = self.items.get(item)?;
        known.iter().find(|(own, _)| list.is_none_or(|list| list == *own)).copied()
    }
}

/// The temporary variables that are declared in a weave.
fn temporaries<'s>(weave: &'s Weave, found: &mut HashSet<&'s str>) {
    weave.content.iter().for_each(|node| temporaries_of(node, found));
}

fn temporaries_of<'s>(node: &'s Node, found: &mut HashSet<&'s str>) {
    match node {
        Node::Assign { name, declares: true, .. } => {
            found.insert(name);
        }
        Node::List(nodes) => nodes.iter().for_each(|node| temporaries_of(node, found)),
        Node::Choice(choice) => {
            let parts = [choice.start.as_deref(), choice.bracketed.as_deref(), Some(&choice.inner[..])];
            parts.into_iter().flatten().flatten().for_each(|node| temporaries_of(node, found));
        }
        Node::Weave(weave) => temporaries(weave, found),
        Node::Conditional(conditional) => {
            conditional.branches.iter().filter_map(|own| own.content.as_ref()).for_each(|own| temporaries(own, found));
        }
        Node::Sequence(sequence) => sequence.elements.iter().flatten().for_each(|own| temporaries(own, found)),
        _ => {}
    }
}
