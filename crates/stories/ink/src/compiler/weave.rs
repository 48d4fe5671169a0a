//! From choices and gathers with levels to weaves within weaves.

use std::collections::HashMap;
use std::rc::Rc;

use super::syntax::{Node, PointId, Weave};

/// A weave of this level, with deeper ones within it.
pub(super) fn weave(nodes: Vec<Node>, level: usize) -> Weave {
    let mut content = Vec::new();
    let mut nodes = nodes.into_iter().flat_map(flat).peekable();
    while let Some(node) = nodes.next() {
        let Some(own) = level_of(&node).filter(|own| *own > level) else {
            content.push(node);
            continue;
        };
        let mut inner = vec![node];
        while let Some(node) = nodes.next_if(|node| level_of(node).is_none_or(|other| other > level)) {
            inner.push(node);
        }
        content.push(Node::Weave(weave(inner, own)));
    }
    let mut labels = HashMap::new();
    for node in &content {
        add_labels(node, &mut labels);
    }
    Weave { content, labels: Rc::new(labels) }
}

/// The level of the first choice or gather, from which a weave in braces begins.
pub(super) fn base_level(nodes: &[Node]) -> usize {
    nodes.iter().find_map(level_of).unwrap_or(1)
}

fn level_of(node: &Node) -> Option<usize> {
    match node {
        Node::Choice(choice) => Some(choice.level),
        Node::Gather(gather) => Some(gather.level),
        _ => None,
    }
}

/// Lists of nodes are written out, so that what is in them stands in the weave itself.
fn flat(node: Node) -> Vec<Node> {
    match node {
        Node::List(nodes) => nodes.into_iter().flat_map(flat).collect(),
        node => vec![node],
    }
}

fn add_labels(node: &Node, labels: &mut HashMap<String, PointId>) {
    let of_weave = |weave: &Weave, labels: &mut HashMap<String, PointId>| {
        for (name, point) in &*weave.labels {
            labels.entry(name.clone()).or_insert(*point);
        }
    };
    match node {
        Node::Choice(choice) => {
            if let Some(label) = &choice.label {
                labels.entry(label.clone()).or_insert(choice.id);
            }
            let parts = [choice.start.as_deref(), choice.bracketed.as_deref(), Some(&choice.inner[..])];
            parts.into_iter().flatten().flatten().for_each(|node| add_labels(node, labels));
        }
        Node::Gather(gather) => {
            if let Some(label) = &gather.label {
                labels.entry(label.clone()).or_insert(gather.id);
            }
        }
        Node::Weave(weave) => of_weave(weave, labels),
        Node::Conditional(conditional) => {
            conditional
                .branches
                .iter()
                .filter_map(|branch| branch.content.as_ref())
                .for_each(|own| of_weave(own, labels));
        }
        Node::Sequence(sequence) => sequence.elements.iter().flatten().for_each(|own| of_weave(own, labels)),
        Node::List(nodes) => nodes.iter().for_each(|node| add_labels(node, labels)),
        _ => {}
    }
}
