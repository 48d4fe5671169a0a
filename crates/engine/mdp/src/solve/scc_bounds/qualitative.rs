//! What the graph alone says: nodes that are worth the most, or the least, that a part leads to, for certain.

use super::options::{FloatOption, FloatPart};
use crate::solution::Sense;

/// For every node its value, where all plays that matter end at the same one: where best play cannot
/// miss the largest value outside or cannot get anything but the smallest.
pub(super) fn certain_values(part: &FloatPart) -> Vec<Option<f64>> {
    let mut values = vec![None; part.len()];
    let (least, most) = part.hull();
    // With rewards nothing is the most.
    let most = part.every_policy_leaves.then_some((most, part.sense == Sense::Max));
    // When earning counts, the least is to earn nothing and end with nothing.
    let least = (part.every_policy_leaves || least == 0.0).then_some((least, part.sense == Sense::Min));
    for (value, one_option_is_enough) in least.into_iter().chain(most) {
        for node in nodes_certain_of(part, value, one_option_is_enough) {
            values[node] = Some(value);
        }
    }
    values
}

/// The largest set of nodes of which an option, or every option, leads nowhere but to this value and
/// into the set. As play leaves the part, or would earn something on the way, it ends with the value.
fn nodes_certain_of(part: &FloatPart, value: f64, one_option_is_enough: bool) -> impl Iterator<Item = usize> {
    let certain = |option: &FloatOption| option.is_certain_of(value);
    let mut left: Vec<usize> = (0..part.len())
        .map(|node| {
            let fitting = part.options(node).iter().filter(|option| certain(option)).count();
            if one_option_is_enough || fitting == part.options(node).len() { fitting } else { 0 }
        })
        .collect();
    let inside = left.iter().filter(|left| **left > 0).count();
    if inside == 0 {
        left.clear();
    } else if inside < left.len() {
        strike_out(part, &mut left, certain, one_option_is_enough);
    }
    (0..left.len()).filter(move |node| left[*node] > 0)
}

/// Takes away, one by one, nodes without a fitting option (`left` of them in each) and the options
/// that lead to them.
fn strike_out(
    part: &FloatPart,
    left: &mut [usize],
    certain: impl Fn(&FloatOption) -> bool,
    one_option_is_enough: bool,
) {
    // Which options lead to a node, and whose they are, in rows.
    let mut starts = vec![0usize; part.len() + 1];
    let fitting = |node: usize| part.options(node).iter().enumerate().filter(|(_, option)| certain(option));
    for node in (0..part.len()).filter(|node| left[*node] > 0) {
        for (to, _) in fitting(node).flat_map(|(_, option)| part.inner(option)) {
            starts[*to as usize + 1] += 1;
        }
    }
    for node in 0..part.len() {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut leading = vec![(0usize, 0usize); starts[part.len()]];
    for node in (0..part.len()).filter(|node| left[*node] > 0) {
        for (place, option) in fitting(node) {
            for (to, _) in part.inner(option) {
                leading[next[*to as usize]] = (node, place);
                next[*to as usize] += 1;
            }
        }
    }
    let mut struck: Vec<Vec<bool>> = (0..part.len()).map(|_| Vec::new()).collect();
    let mut gone: Vec<usize> = (0..part.len()).filter(|node| left[*node] == 0).collect();
    while let Some(node) = gone.pop() {
        for (owner, place) in &leading[starts[node]..starts[node + 1]] {
            let own = &mut struck[*owner];
            own.resize(part.options(*owner).len(), false);
            if left[*owner] == 0 || std::mem::replace(&mut own[*place], true) {
                continue;
            }
            left[*owner] = if one_option_is_enough { left[*owner] - 1 } else { 0 };
            if left[*owner] == 0 {
                gone.push(*owner);
            }
        }
    }
}

/// Whether play can stay in the part for ever: then it earns without end, as what earns nothing on the
/// way has been collapsed.
pub(super) fn can_stay(part: &FloatPart) -> bool {
    let stays = |option: &FloatOption| option.exit == 0.0;
    let mut left: Vec<usize> =
        (0..part.len()).map(|node| part.options(node).iter().filter(|option| stays(option)).count()).collect();
    if left.iter().all(|left| *left == 0) {
        return false;
    }
    strike_out(part, &mut left, stays, true);
    left.iter().any(|left| *left > 0)
}
