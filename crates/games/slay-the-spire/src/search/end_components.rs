//! The sets of nodes in which play can stay for ever.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use graph::Choices;

/// The choices of each node, and the possible outcomes of each.
pub(crate) type Options<C> = Vec<Vec<(C, Vec<u32>)>>;

/// The predecessors of each node.
pub(crate) fn leading<C>(options: &Options<C>) -> Vec<Vec<u32>> {
    let mut leading = vec![Vec::new(); options.len()];
    for (owner, choices) in (0..).zip(options) {
        for to in choices.iter().flat_map(|(_, targets)| targets) {
            leading[*to as usize].push(owner);
        }
    }
    leading
}

/// The maximal end components: the largest sets of nodes with choices that surely lead to the same set again, and with
/// which each of its nodes can be reached from every other one. Other choices are removed.
pub(crate) fn end_components<C>(options: &mut Options<C>, budget: &Budget<'_>) -> Result<Vec<Vec<u32>>, Stopped> {
    let mut choices = Choices::new();
    for own in &*options {
        for (_, targets) in own {
            choices.choice(targets.iter().copied());
        }
        choices.node();
    }
    let found = choices.end_components(budget)?;
    let mut kept = found.kept().iter();
    let mut sets: BTreeMap<Reverse<u32>, Vec<u32>> = BTreeMap::new();
    for (node, own) in (0..).zip(options) {
        own.retain(|_| kept.next() == Some(&true));
        if let Some(component) = found.of(node) {
            sets.entry(Reverse(component)).or_default().push(node);
        }
    }
    Ok(sets.into_values().collect())
}

#[cfg(test)]
mod tests;
